import ArgumentParser
import GIFDecode
import Glibc
import Pixels
import Playback
import TerminalIO

/// Plays files, standard input, or what words find.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Plays GIFs; the default when no command is named.")

    @Argument(help: "Files, folders, '-' for standard input, or words to search; nothing plays at random.")
    var what: [String] = []

    @Option(help: ArgumentHelp("A file, whatever its name looks like.", valueName: "path"))
    var file: [String] = []

    @Option(help: ArgumentHelp("Words, even if a file is called so.", valueName: "words"))
    var search: String?

    @OptionGroup var play: PlayOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        let list = try WhatToPlay(words: what, files: file, search: search).playlist()
        try checkColor()
        if play.virtualTime { return try traceVirtually(list) }
        guard isatty(STDOUT_FILENO) == 1 else { return try writePlain(list) }
        if let name = getenv("TERM"), String(cString: name) == "dumb" {
            throw Complaint(
                "TERM is dumb: a terminal that can neither colour nor move the cursor shows no GIF; "
                    + "set TERM to what it is, or send a still to a file: gifplay … > still.ans")
        }
        var show = Slideshow(options: play, limits: limits.limits)
        let exit = try show.play(list)
        if exit != .success { throw Complaint("", exit: exit) }
    }

    private func checkColor() throws {
        guard play.color == .auto, let value = getenv("NO_COLOR"), value.pointee != 0 else { return }
        throw Complaint("NO_COLOR is set and gifplay draws with nothing but colour; --color always draws all the same")
    }

    /// Output that is a file or a pipe: a still of each, or all frames with --animate.
    private func writePlain(_ list: Playlist) throws {
        var list = list
        var generator = SystemRandomNumberGenerator()
        let size = play.size?.size ?? CellSize(columns: 80, rows: 24)
        let output = PipeTerminal(size: play.animate ? CellSize(columns: size.columns, rows: size.rows + 1) : size)
        var options = play.playback(isOneOfMany: false)
        options.size = size
        var failed = false
        while let item = list.next(&generator) {
            do throws(GIFError) {
                let reader = try item.reader(limits: limits.limits)
                if play.animate {
                    try animate(reader, options, on: output)
                } else {
                    var bytes = ByteBuffer()
                    try StillRenderer.render(reader, size: size, options: options, into: &bytes)
                    guard output.write(bytes.bytes) else { break }
                }
            } catch {
                failed = true
                complain("\(item.name): \(Sentences.describe(error))")
            }
            if list.isEndless { break }
        }
        if failed { throw Complaint("") }
    }

    /// The frames one over the other, as fast as they are read: once unless --loop says more.
    private func animate(_ reader: GIFReader, _ options: PlaybackOptions, on output: PipeTerminal) throws(GIFError) {
        var options = options
        options.screen = .inline
        options.speed = .max
        options.showsStatus = false
        options.holdsStills = false
        if options.loops != .times(1), play.loop == nil { options.loops = .times(1) }
        let player = Player(
            source: DirectFrameSource(reader), terminal: output, options: options, label: PlaybackLabel(title: ""))
        if case .failed(let error) = player.run() { throw error }
    }

    /// The schedule as text, in virtual time: nothing is waited for.
    private func traceVirtually(_ list: Playlist) throws {
        var list = list
        var generator = SystemRandomNumberGenerator()
        guard let item = list.next(&generator) else { return }
        var options = play.playback(isOneOfMany: false)
        options.holdsStills = false
        // Virtual time goes by at once: what plays forever would print forever.
        if options.duration == nil, options.loops == .forever || options.loops == .file {
            options.duration = 60 * Span.second
        }
        do throws(GIFError) {
            let terminal = VirtualTerminal(
                traits: TerminalTraits(size: play.size?.size ?? CellSize(columns: 80, rows: 24)), keepsBytes: false)
            let player = Player(
                source: DirectFrameSource(try item.reader(limits: limits.limits)), terminal: terminal,
                options: options, label: item.label, trace: play.trace ? { print(TraceLine.text($0)) } : nil)
            if case .failed(let error) = player.run() { throw error }
        } catch {
            throw Complaint("\(item.name): \(Sentences.describe(error))")
        }
    }
}

/// One line of `--trace`: time in seconds, pass, frame, what happened.
enum TraceLine {
    static func text(_ trace: PlaybackTrace) -> String {
        switch trace {
        case .shown(let time, let pass, let frame, let bytes, let isReplayed):
            return "\(seconds(time)) pass \(pass) frame \(frame) \(isReplayed ? "replayed" : "shown") \(bytes) bytes"
        case .dropped(let time, let pass, let frame):
            return "\(seconds(time)) pass \(pass) frame \(frame) dropped"
        case .ended(let time, let end):
            return "\(seconds(time)) ended: \(end)"
        }
    }

    private static func seconds(_ time: Instant) -> String {
        let microseconds = time.nanoseconds / 1000
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
