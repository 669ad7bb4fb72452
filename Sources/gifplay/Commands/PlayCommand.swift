import Application
import ArgumentParser
import Base
import Gallery
import Glibc
import Pixels
import Playback
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
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Play this file even if its name looks like a URL or option", valueName: "path"),
        completion: .file(extensions: ["gif"]))
    var file: [String] = []

    @Option(help: .files0("Play"), completion: .file())
    var files0: String?

    @Option(help: .search)
    var search: String?

    // Not the group of `browse`: a group costs 500,000 instructions before the first frame.
    @Flag(help: HistoryOptions.help)
    var noHistory = false

    @OptionGroup(title: "Services") var services: ServiceOptions
    @OptionGroup(title: "Results") var results: ResultOptions
    @OptionGroup var play: PlayOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    private var files: [String] { file + [files0].compactMap(\.self) }

    func validate() throws {
        try Self.validate(search: search, with: arguments + files)
        if let follow = play.follow {
            let options = [(play.leave, "--leave"), (play.animate, "--animate"), (play.upload != nil, "--upload")]
            let others = arguments + files + [search].compactMap(\.self) + options.filter(\.0).map(\.1)
            guard others.isEmpty else {
                throw ValidationError("--follow \(follow): cannot be combined with '\(others[0])'")
            }
        }
        let hasQuery = files.isEmpty && (try? PlaylistResolver.nameFiles(arguments, files)) == false
        let names = files + arguments.filter { !hasQuery && PlaylistResolver.isNamed($0) }
        guard let name = names.first else { return }
        if results.list {
            if files.isEmpty, arguments.allSatisfy(PlaylistResolver.isAddress) { return }
            throw ValidationError("\(name): --list lists search results, not files; 'gifplay info' describes files")
        }
        if let chooser = results.chooser {
            throw ValidationError("\(chooser): chooses among search results, but '\(name)' is a file")
        }
    }

    func run() throws {
        let settings = try settings()
        let session = ServiceSession(settings.services)
        defer { session.close() }
        if results.list {
            if search == nil { try Subcommands.refuseMisspelt(arguments) }
            let links = search == nil ? arguments.filter(PlaylistResolver.isAddress) : []
            return try ResultList(options: results, session: session).print(query, links: links)
        }
        let listed = try files0.map { try FileList.names(in: $0) } ?? []
        let resolver = PlaylistResolver(
            arguments: arguments, files: file + listed, search: search, session: session, choice: results.choice)
        let followed = try play.follow.map { path throws(CommandError) in
            guard isatty(STDOUT_FILENO) == 1 else { throw CommandError("--follow: standard output is not a terminal") }
            return Playlist(feed: try FollowedFiles(path, limits: limits.limits), health: session.health)
        }
        let (list, errors) = try followed.map { ($0, []) } ?? resolver.playlist()
        try settings.playback.throwIfColorIsRefused()
        defer { for error in errors { printError(error.message) } }
        if list.isEndless || list.isOfResults || list.count > 0 { try start(list, settings.playback, session) }
        if !errors.isEmpty { throw CommandError("") }
    }

    private func settings() throws -> Settings {
        let isLocal = PlaylistResolver.isLocal(arguments: arguments, files: files, search: search)
        var settings = try Settings(services, isForLocalItems: isLocal && !results.list)
        settings.playback = play.settings(settings.playback)
        if let bytes = limits.maxBytes { settings.services.renditions.maximumBytes = bytes }
        let size = pixels(settings.playback.player)
        settings.services.setPictureSize(width: size.width, height: size.height)
        return settings
    }

    private func start(_ list: Playlist, _ settings: PlaybackSettings, _ session: ServiceSession) throws {
        let loader = GIFLoader(session)
        var plain = PlainOutput(settings: settings, limits: limits.limits, loader: loader)
        if play.virtualTime { return try plain.trace(list) }
        plain.uploads = try play.upload.map { path throws(CommandError) in try TerminalUpload(path) }
        guard isatty(STDOUT_FILENO) == 1, plain.uploads == nil else { return try plain.write(list) }
        try CommandError.throwIfTerminalIsDumb("write a still to a file: gifplay … > still.ans")
        if play.leave { return try plain.leave(list, hasChosenMode: play.mode != nil) }
        let terminal = try openTerminal(settings)
        let actions = PlayerActions(
            session, media: ServiceMedia(loader: loader), keepsHistory: !noHistory, wake: terminal.waker)
        let slideshow = Slideshow(
            list, settings: settings, limits: limits.limits, session: session, loader: loader, terminal: terminal,
            actions: actions, openGallery: { list throws(CommandError) in try browse(settings, list, on: terminal) })
        let result = slideshow.play()
        terminal.leave(discardsTyping: settings.player.anyKeyEnds && result.status == .success)
        for message in result.messages { printError(message) }
        if result.status != .success { throw CommandError("", status: result.status) }
    }

    /// Runs the gallery with the GIFs, the services, the colours and the characters of the player.
    private func browse(
        _ settings: PlaybackSettings, _ list: Playlist, on terminal: Terminal
    ) throws(CommandError) -> GallerySession.Outcome {
        let session = ServiceSession(try Settings(services).services)
        defer { session.close() }
        var gallery = GallerySession(
            session: session, feed: GallerySession.firstFeed(session.settings), mode: settings.mode,
            colors: settings.colors, keepsHistory: !noHistory, hasChosenMode: play.mode != nil,
            playerTerminal: terminal)
        if let files = namedFiles {
            (gallery.files, gallery.feed) = (files, .files(matching: ""))
        } else if !query.isEmpty, list.isOfResults {
            (gallery.feed, gallery.knownItems) = (.search(query: query), list.references)
        } else if list.isFeed, !session.settings.isOffline {
            gallery.feed = .random
        }
        terminal.change(to: .full, reportsPointer: true, targetDelay: GallerySession.targetDelay)
        let result = try gallery.run()
        if result.end == .quit { terminal.change(to: settings.player.screen, reportsPointer: false) }
        return result
    }

    /// The files and folders of the command line; for a single file, its folder. Nil if there are none.
    private var namedFiles: FileGallery? {
        guard search == nil else { return nil }
        let listed = files0.flatMap { $0 == "-" ? nil : try? FileList.names(in: $0) } ?? []
        let named = arguments.filter { $0 != "-" && !PlaylistResolver.isAddress($0) && PlaylistResolver.isNamed($0) }
        let names = file + listed + named.flatMap(PlaylistResolver.paths)
        guard !names.isEmpty else { return nil }
        guard names.count == 1 else { return try? FileGallery(names) }
        return (try? FileGallery(names)).flatMap {
            $0.paths == names ? try? FileGallery([FileSystem.parent(of: names[0])]) : $0
        }
    }

    /// Whether GNU Screen runs this process as its blanker program. If so, gifplay sends no queries, because GNU Screen
    /// takes the terminal's replies for keys, and a key ends the program.
    private var isScreenBlanker: Bool { play.screensaver && getenv("STY") != nil }

    private func openTerminal(_ settings: PlaybackSettings) throws(CommandError) -> Terminal {
        let player = settings.player
        do throws(TerminalError) {
            return try Terminal(
                screen: player.screen, suspendsByKey: !player.anyKeyEnds, colors: settings.colors,
                graphics: player.graphics != .off ? .all : player.anyKeyEnds ? .none : .protocols,
                sendsQueries: !isScreenBlanker)
        } catch {
            throw CommandError("the terminal cannot be used: \(error)")
        }
    }

    var query: String { search ?? arguments.joined(separator: " ") }

    /// The size of the picture in pixels, used to choose among a GIF's renditions.
    private func pixels(_ player: PlaybackOptions) -> (width: Int, height: Int) {
        var window = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        let pane = isKnown ? CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : PlainOutput.defaultSize
        let size = player.size ?? pane
        var pixelsPerCell = player.mode.pixelsPerCell
        if player.graphics != .off, isKnown, window.ws_xpixel > 0, window.ws_row > 0 {
            pixelsPerCell = PixelSize(
                width: max(1, Int(window.ws_xpixel) / pane.columns), height: max(1, Int(window.ws_ypixel) / pane.rows))
        } else if !isKnown, ![.off, .auto].contains(player.graphics) {
            pixelsPerCell = PictureMode.assumedCell
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
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileSystem.read(path, limit: limit) } catch {
            throw CommandError("\(subject): \(error.message)")
        }
        guard bytes.count <= limit else { throw CommandError("\(subject): the list is larger than 64 MiB") }
        let names = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard !names.isEmpty else { throw CommandError("\(subject): the list contains no file") }
        return names
    }
}
