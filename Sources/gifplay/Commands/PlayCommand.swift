import Application
import ArgumentParser
import Glibc
import Pixels
import TerminalIO

/// Plays files, standard input, or search results.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        // With a super command ArgumentParser skips the check for completion script requests, 4 percent of the
        // instructions before the first frame. The command tree handles those requests, as it does all arguments that
        // do not parse here.
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

    func validate() throws {
        if let search, !what.isEmpty || !file.isEmpty {
            let other = (what + file).first ?? ""
            throw ValidationError("--search \(search): not together with '\(other)'; search or play files")
        }
        let names = file + what.filter { WhatToPlay.isNamed($0) }
        guard let name = names.first else { return }
        if results.list {
            throw ValidationError("\(name): --list lists search results, not files; 'gifplay info' describes files")
        }
        if let chooser = results.chooser {
            throw ValidationError("\(chooser): chooses among search results, and '\(name)' is a file")
        }
    }

    func run() throws {
        let online = Online(try settings())
        var play = play
        play.every = play.every ?? online.settings.every.map { DurationValue(nanoseconds: $0) }
        defer { online.close() }
        if results.list {
            if search == nil { try Subcommands.refuseMisspelt(what) }
            return try Listing(options: results, online: online).print(words)
        }
        let (list, refused) = try WhatToPlay(
            words: what, files: file, search: search, online: online, choice: results.choice
        ).playlist()
        try checkColor(play.color ?? online.settings.color ?? .auto)
        defer { for complaint in refused { complain(complaint.sentence) } }
        if list.isEndless || list.isOfResults || list.count > 0 { try start(list, play, online) }
        if !refused.isEmpty { throw Complaint("") }
    }

    /// A broken configuration must not prevent a local file from playing.
    private func settings() throws -> OnlineSettings {
        func settings(_ use: ConfigurationUse) throws(Complaint) -> OnlineSettings {
            try OnlineSettings(services, size: pixels, maximumBytes: limits.maxBytes?.count, configuration: use)
        }
        do throws(Complaint) {
            return try settings(.required)
        } catch {
            guard !results.list, WhatToPlay.isLocal(words: what, files: file, search: search) else { throw error }
            complain("\(error.sentence); the configuration is not used")
            return try settings(.ignored)
        }
    }

    private func start(_ list: Playlist, _ play: PlayOptions, _ online: Online) throws {
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

    /// The size of the picture in half-block pixels, used to choose among a GIF's renditions.
    private var pixels: (width: Int, height: Int) {
        var window = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        let pane = isKnown ? CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : PlainOutput.usualSize
        let size = play.size?.size ?? pane
        return (size.columns, size.rows * 2)
    }

    private func checkColor(_ rule: ColorRule) throws {
        guard rule == .auto, let value = getenv("NO_COLOR"), value.pointee != 0 else { return }
        throw Complaint(
            "NO_COLOR is set, and pictures consist of color; --color always draws, as does color = \"always\" in the configuration"
        )
    }
}
