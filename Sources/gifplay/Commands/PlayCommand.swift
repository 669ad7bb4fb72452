import Application
import ArgumentParser
import GIFDecode
import Glibc
import Pixels
import Playback
import TerminalIO

/// Plays files, standard input, or what words find.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        // With a super command ArgumentParser does not look for requests of completion scripts, 4 percent of the
        // instructions before the first frame. Those reach the tree of commands, as everything that does not parse here.
        _superCommandName: "gifplay", abstract: "Plays GIFs; the default when no command is named.")

    @Argument(help: "Files, folders, addresses, '-' for standard input, or words to search; nothing plays at random.")
    var what: [String] = []

    @Option(help: ArgumentHelp("A file, whatever its name looks like.", valueName: "path"))
    var file: [String] = []

    @Option(help: ArgumentHelp("Words, even if a file is called so.", valueName: "words"))
    var search: String?

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Results") var results: ResultOptions
    @OptionGroup var play: PlayOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        let online = Online(try OnlineSettings(services, size: pixels, maximumBytes: limits.maxBytes?.count))
        var play = play
        play.every = play.every ?? online.settings.every.map { DurationValue(nanoseconds: $0) }
        defer { online.close() }
        if results.list { return try Listing(options: results, online: online).print(words) }
        let list = try WhatToPlay(
            words: what, files: file, search: search, online: online, choice: results.choice
        ).playlist()
        try checkColor()
        let plain = PlainOutput(options: play, limits: limits.limits, online: online)
        if play.virtualTime { return try plain.trace(list) }
        guard isatty(STDOUT_FILENO) == 1 else { return try plain.write(list) }
        try Complaint.ifTerminalIsDumb("send a still to a file: gifplay … > still.ans")
        switch try Slideshow(list, options: play, limits: limits.limits, online: online).play() {
        case .exit(.success): return
        case .exit(let exit): throw Complaint("", exit: exit)
        case .browser:
            online.close()
            try Browser.run(["browse"] + services.arguments)
        }
    }

    private var words: String { search ?? what.joined(separator: " ") }

    /// The picture's place in half-block pixels, for choosing among a GIF's files.
    private var pixels: (width: Int, height: Int) {
        var window = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        let pane = isKnown ? CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : PlainOutput.usualSize
        let size = play.size?.size ?? pane
        return (size.columns, size.rows * 2)
    }

    private func checkColor() throws {
        guard play.color == .auto, let value = getenv("NO_COLOR"), value.pointee != 0 else { return }
        throw Complaint("NO_COLOR is set and gifplay draws with nothing but colour; --color always draws all the same")
    }
}
