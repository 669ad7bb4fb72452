import Application
import ArgumentParser
import Base
import Gallery
import Glibc
import Pixels
import TerminalIO

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        // Turns off ArgumentParser's check for requests for a completion script, which would take 4 percent of the
        // processor instructions before the first frame. The root command handles these requests.
        _superCommandName: "gifplay", abstract: "Play files, URLs or search results")

    @Argument(
        help: ArgumentHelp(
            "Files, folders, URLs, '-' for standard input, or a query (default: random GIFs)", valueName: "argument"),
        completion: .file(extensions: ["gif"]))
    var arguments: [String] = []

    @Option(
        help: ArgumentHelp("Play this file even if its name looks like a URL or option", valueName: "path"),
        completion: .file(extensions: ["gif"]))
    var file: [String] = []

    @Option(
        help: ArgumentHelp(
            "Play the files in this NUL-separated list, as from 'find -print0'; '-' is standard input",
            valueName: "list"),
        completion: .file())
    var files0: String?

    @Option(help: ArgumentHelp("Search for this query even if a file has that name", valueName: "query"))
    var search: String?

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Results") var results: ResultOptions
    @OptionGroup var play: PlayOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    private var files: [String] { file + [files0].compactMap(\.self) }

    func validate() throws {
        if let search, let other = (arguments + files).first {
            throw ValidationError("--search \(search): cannot be combined with '\(other)'")
        }
        let names = files + arguments.filter { PlaylistResolver.isNamed($0) }
        guard let name = names.first else { return }
        if results.list {
            throw ValidationError("\(name): --list lists search results, not files; 'gifplay info' describes files")
        }
        if let chooser = results.chooser {
            throw ValidationError("\(chooser): chooses among search results, but '\(name)' is a file")
        }
    }

    func run() throws {
        let session = ServiceSession(try settings())
        var play = play
        play.every = play.every ?? session.settings.switchInterval.map { DurationValue(nanoseconds: $0) }
        play.mode = play.mode ?? session.settings.mode
        defer { session.close() }
        if results.list {
            if search == nil { try Subcommands.refuseMisspelt(arguments) }
            return try ResultList(options: results, session: session).print(query)
        }
        let listed = try files0.map { try FileList.names(in: $0) } ?? []
        let (list, errors) = try PlaylistResolver(
            arguments: arguments, files: file + listed, search: search, session: session, choice: results.choice
        ).playlist()
        let colors = play.depth.preference(session.settings.colors)
        // Output without colours, as with `--colors none`, is allowed even if NO_COLOR is set.
        if colors.depth != ColorDepth.none, (play.color ?? session.settings.color) != .always {
            try CommandError.throwIfColorIsRefused()
        }
        defer { for error in errors { printError(error.message) } }
        if list.isEndless || list.isOfResults || list.count > 0 {
            try start(list, play, colors, session)
        }
        if !errors.isEmpty { throw CommandError("") }
    }

    private func settings() throws -> LoaderSettings {
        let isLocal = PlaylistResolver.isLocal(arguments: arguments, files: files, search: search)
        return try LoaderSettings(
            services, size: pixels, maximumBytes: limits.maxBytes?.count, isForLocalItems: isLocal && !results.list)
    }

    private func start(
        _ list: Playlist, _ play: PlayOptions, _ colors: ColorPreference, _ session: ServiceSession
    ) throws {
        let loader = GIFLoader(session)
        let plain = PlainOutput(options: play, colors: colors.format(), limits: limits.limits, loader: loader)
        if play.virtualTime { return try plain.trace(list) }
        guard isatty(STDOUT_FILENO) == 1 else { return try plain.write(list) }
        try CommandError.throwIfTerminalIsDumb("write a still to a file: gifplay … > still.ans")
        let terminal = try openTerminal(play, colors)
        let slideshow = Slideshow(
            list, options: play, limits: limits.limits, session: session, loader: loader, terminal: terminal,
            openGallery: { () throws(CommandError) in
                terminal.leave()
                let result = try browse(play, colors)
                // After a signal or without a terminal, the screen stays restored.
                if result.end == .quit { terminal.enterAgain() }
                return result
            })
        let result = slideshow.play()
        terminal.leave()
        for message in result.messages { printError(message) }
        if result.status != .success { throw CommandError("", status: result.status) }
    }

    /// Runs the gallery with the services, the colours and the characters of the player.
    private func browse(
        _ play: PlayOptions, _ colors: ColorPreference
    ) throws(CommandError) -> (end: GalleryEnd, messages: [String]) {
        let session = ServiceSession(try LoaderSettings(services, size: GallerySession.rendition))
        defer { session.close() }
        let mode = (play.mode ?? .half).mode
        let feed = GallerySession.firstFeed(session.settings)
        return try GallerySession(session: session, feed: feed, mode: mode, colors: colors).run()
    }

    /// Whether GNU Screen runs this process as its blanker program. If so, gifplay sends no queries, because GNU Screen
    /// takes the terminal's replies for keys, and a key ends the program.
    private func isScreenBlanker(_ play: PlayOptions) -> Bool { play.screensaver && getenv("STY") != nil }

    private func openTerminal(_ play: PlayOptions, _ colors: ColorPreference) throws(CommandError) -> Terminal {
        do throws(TerminalError) {
            return try Terminal(
                screen: play.inline ? .inline : .full, suspendsByKey: !play.screensaver, colors: colors,
                detectsGraphics: (play.mode ?? .half).graphics != .off, sendsQueries: !isScreenBlanker(play),
                pausesWhenHidden: play.isEndless)
        } catch {
            throw CommandError("the terminal cannot be used: \(error)")
        }
    }

    var query: String { search ?? arguments.joined(separator: " ") }

    /// The size of the picture in pixels, used to choose among a GIF's renditions.
    private var pixels: (width: Int, height: Int) {
        var window = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        let pane = isKnown ? CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : PlainOutput.defaultSize
        let size = play.size?.size ?? pane
        var pixelsPerCell = (play.mode ?? .half).mode.pixelsPerCell
        if (play.mode ?? .half).graphics != .off, isKnown, window.ws_xpixel > 0, window.ws_row > 0 {
            pixelsPerCell = PixelSize(
                width: max(1, Int(window.ws_xpixel) / pane.columns),
                height: max(1, Int(window.ws_ypixel) / pane.rows))
        }
        return (size.columns * pixelsPerCell.width, size.rows * pixelsPerCell.height)
    }
}

/// A list of file names that are separated by NUL bytes, as `find -print0` writes it.
enum FileList {
    /// In bytes.
    private static let limit = 64 << 20

    /// The path `-` is standard input. Throws if the list contains no name.
    static func names(in path: String) throws(CommandError) -> [String] {
        let subject = "--files0 \(path)"
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw CommandError("\(subject): standard input is a terminal; pipe a list from 'find -print0'")
        }
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandError("\(subject): \(SystemError.message())") }
        defer { close(descriptor) }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(descriptor, limit: limit)
        } catch {
            throw CommandError("\(subject): \(error.message)")
        }
        guard bytes.count <= limit else { throw CommandError("\(subject): the list is larger than 64 MiB") }
        let names = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard !names.isEmpty else { throw CommandError("\(subject): the list contains no file") }
        return names
    }
}
