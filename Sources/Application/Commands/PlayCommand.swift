import Base
import Catalog
import Gallery
import Glibc
import Pixels
import Playback

struct PlayCommand {
    let invocation: Invocation
    /// The settings of the command line alone.
    let given: Settings

    private let arguments: [Argument]
    private var files: [String] { given.files + [given.files0].compactMap(\.self) }

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        given = try Settings(given: invocation)
        arguments = invocation.operands.map(Argument.init)
        try given.checkSearch(with: invocation.operands + files)
        try checkResults()
        try checkOutput()
        try checkItems()
    }

    private func checkResults() throws(Failure) {
        if !given.listsResults, given.printsJSON || given.format != nil {
            throw .usage("\(given.printsJSON ? "--json" : "--format"): needs --list")
        }
        if given.printsJSON, let format = given.format, format != "json" {
            throw .usage("--json: contradicts --format \(format)")
        }
        if given.listsResults, let chooser { throw .usage("\(chooser): cannot be combined with --list") }
        if given.pick != nil, given.picksRandomly { throw .usage("--pick: cannot be combined with --random-pick") }
        if given.pick != nil, files.isEmpty, query.isEmpty, given.follow == nil {
            throw .usage("--pick: chooses among search results; add a query")
        }
        let usesFiles = !given.listsResults && given.search == nil && !(invocation.operands + files).isEmpty
        if given.sort != nil, !usesFiles, given.follow == nil {
            throw .usage("--sort: no file or folder is named")
        }
    }

    private func checkOutput() throws(Failure) {
        let mode = invocation.text(of: "mode")?.lowercased() ?? "kitty"
        if let upload = given.upload, mode != "kitty", mode != "kitty!" {
            throw .usage("--upload \(upload): needs --mode kitty")
        }
        let names = ["list", "leave", "upload", "animate"].filter { invocation.text(of: $0) != nil }
        if names.count > 1, names[0] == "list" || names[1] != "animate" {
            throw .usage("--\(names[0]): cannot be combined with --\(names[1])")
        }
        if let repeated = names.first(where: { $0 != "list" }), given.player.duration != nil {
            throw .usage("--duration: cannot be combined with --\(repeated)")
        }
        if given.generated != nil, let other = (arguments.map(\.text) + files).first {
            throw .usage("--generate: cannot be combined with '\(SafeText.excerpt(other))'")
        }
        if let feed = given.feed {
            try refuseOthers(besides: "--feed \(feed.rawValue)", ["list", "pick", "random-pick", "sort", "follow"])
        }
        guard let follow = given.follow else { return }
        let isURL = FollowedAddress.url(follow) != nil
        if isURL, given.followInterval < 5 * Span.second {
            throw .usage("--every: with --follow \(follow), at least 5s")
        }
        let options = names + ["pick", "random-pick", "sort"] + (isURL ? [] : ["every"])
        try refuseOthers(besides: "--follow \(follow)", options)
    }

    /// Throws if an item or one of these options is given besides `option`, which names all that plays.
    private func refuseOthers(besides option: String, _ names: [String]) throws(Failure) {
        let others = names.filter { invocation.text(of: $0) != nil }.map { "--" + $0 }
        guard let other = (invocation.operands + files + [given.search].compactMap(\.self) + others).first else {
            return
        }
        throw .usage("\(option): cannot be combined with '\(other)'")
    }

    private func checkItems() throws(Failure) {
        guard given.listsResults || chooser != nil else { return }
        let hasQuery = files.isEmpty && (try? PlaylistResolver.nameFiles(arguments, files)) == false
        let names = files + arguments.filter { !hasQuery && $0.isNamed }.map(\.text)
        guard let name = names.first else { return }
        if given.listsResults {
            if files.isEmpty, arguments.allSatisfy(\.isAddress) { return }
            throw .usage("\(name): --list lists search results, not files; 'gifplay info' describes files")
        }
        if let chooser { throw .usage("\(chooser): chooses among search results, but '\(name)' is a file") }
    }

    /// The name of the option that chooses among results, if one was given.
    private var chooser: String? { given.pick != nil ? "--pick" : given.picksRandomly ? "--random-pick" : nil }

    /// Whether the command line says how to draw.
    private var hasChosenMode: Bool { invocation.text(of: "mode") != nil }

    func run() throws(Failure) {
        if let kind = given.generated { return printExactLine(String(Generator.text(kind).dropLast())) }
        let settings = try settings()
        let session = ServiceSession(settings)
        defer { session.close() }
        if given.listsResults {
            if given.search == nil { try Subcommands.refuseMisspelt(invocation.operands) }
            let links = given.search == nil ? arguments.filter(\.isAddress).compactMap(\.address) : []
            return try ResultList(format: given.format ?? (given.printsJSON ? "json" : "table"), session: session)
                .print(query, links: links)
        }
        var errors: [Failure] = []
        defer { for error in errors { printError(error.message) } }
        let listed = try FileList.names(in: given.files0, besides: arguments, files: given.files, &errors)
        let resolver = PlaylistResolver(
            arguments: arguments, files: given.files + listed, search: given.search, session: session,
            choice: given.choice, order: given.sort)
        let loader = GIFLoader(session)
        let (list, others): (Playlist, [Failure])
        if let path = given.follow {
            (list, others) = (try followed(path, settings, loader), [])
        } else if let feed = given.feed {
            (list, others) = (try PlaylistResolver.playlist(feed, session), [])
        } else {
            (list, others) = try resolver.playlist()
        }
        try settings.throwIfColorIsRefused()
        errors += others
        if list.isEndless || list.isOfResults || list.count > 0 { try start(list, settings, session, loader) }
        if !errors.isEmpty { throw Failure.reported }
    }

    private func followed(_ path: String, _ settings: Settings, _ loader: GIFLoader) throws(Failure) -> Playlist {
        let feed: any ItemFeed
        switch Argument(path).address {
        case .web(let url)?: feed = FollowedAddress(url, every: settings.followInterval, loader: loader)
        case .unusable(let problem)?: throw Failure("--follow \(problem)")
        case .files(let paths)? where path.hasPrefix("file:"):
            feed = try FollowedFiles(paths[0], limits: settings.limits)
        default: feed = try FollowedFiles(path, limits: settings.limits)
        }
        guard isatty(STDOUT_FILENO) == 1 else {
            throw Failure("--follow \(path): standard output is not a terminal")
        }
        return Playlist(feed: feed, health: loader.session.health)
    }

    private func settings() throws(Failure) -> Settings {
        let needsNoService = PlaylistResolver.needsNoService(arguments: arguments, files: files, search: given.search)
        var settings = try Settings(invocation, isForLocalItems: needsNoService && !given.listsResults)
        let size = pixels(settings.player)
        settings.setPictureSize(width: size.width, height: size.height)
        return settings
    }

    private func start(_ list: Playlist, _ settings: Settings, _ session: ServiceSession, _ loader: GIFLoader)
        throws(Failure)
    {
        var plain = PlainOutput(settings: settings, loader: loader)
        if given.usesVirtualTime { return try plain.trace(list) }
        plain.uploads = try given.upload.map { path throws(Failure) in try TerminalUpload(path) }
        guard isatty(STDOUT_FILENO) == 1, plain.uploads == nil else { return try plain.write(list) }
        try Failure.throwIfTerminalIsDumb("write a still to a file: gifplay … > still.ans")
        if given.leaves { return try plain.leave(list, hasChosenMode: hasChosenMode) }
        let wakeups = WakeDescriptor()
        let work = BackgroundWork(settings.limits, wake: wakeups.waker)
        if list.needsNoDownload, let first = list.upcoming.first { work.decodeNow(first, settings.player.loops) }
        let terminal = try openTerminal(settings, wakeups)
        let actions = PlayerActions(
            session, media: ServiceMedia(loader: loader), wake: terminal.waker)
        let slideshow = SlideshowLoop(
            list, session: session, loader: loader, terminal: terminal, actions: actions, work: work,
            gallery: PlayerGallery(command: self, settings: settings, terminal: terminal))
        let result = slideshow.play()
        terminal.leave(discardsTyping: settings.player.anyKeyEnds && result.status == .success)
        for message in result.messages { printError(message) }
        loader.finishStoring()
        switch result.status {
        case .success: break
        case .signal(let number): throw Failure.ended(by: number)
        case .failure, .usage: throw Failure.reported
        }
    }

    /// Runs the gallery with the GIFs, the services, the colours and the characters of the player.
    fileprivate func browse(
        _ settings: Settings, _ list: Playlist, on terminal: Terminal
    ) throws(Failure) -> GallerySession.Outcome {
        if let error = settings.configurationError { throw error }
        var settings = settings
        (settings.player.screen, settings.player.size, settings.player.fit.enlarges) = (.full, nil, true)
        (settings.player.loops, settings.player.duration) = (.file, nil)
        settings.setPictureSize(width: PlainOutput.defaultSize.columns, height: 2 * PlainOutput.defaultSize.rows)
        let session = ServiceSession(settings)
        defer { session.close() }
        var gallery = GallerySession(
            session: session, feed: GallerySession.firstFeed(settings), hasChosenMode: hasChosenMode,
            playerTerminal: terminal)
        let played = list.current
        gallery.playedItem = played.flatMap { item in
            if let path = item.path {
                return FileGallery.reference(path, in: FileSystem.realPath(FileSystem.parent(of: path)))
            }
            return item.isBuiltIn || !item.renditions.isEmpty ? item : nil
        }
        if let feed = given.feed {
            (gallery.feed, gallery.knownItems) = (feed.galleryFeed, feed == .trending ? list.references : [])
        } else if played == nil || played?.path != nil,
            let files = given.follow == nil ? namedFiles : list.latestFolder.flatMap({ try? FileGallery([$0]) })
        {
            (gallery.files, gallery.feed) = (files, .files(matching: ""))
        } else if !query.isEmpty, list.isOfResults {
            (gallery.feed, gallery.knownItems) = (.search(query: query), list.references)
        } else if let follow = given.follow, FollowedAddress.url(follow) == nil {
            // Nothing is asked for a folder without a GIF.
            gallery.feed = .trending(source: SampleRepository.name)
        } else if list.isFeed, !settings.isOffline {
            gallery.feed = .random
        }
        terminal.change(to: .full, reportsPointer: true, targetDelay: GallerySession.targetDelay)
        let result = try gallery.run()
        if result.end == .quit { terminal.change(to: settings.player.screen, reportsPointer: false) }
        return result
    }

    /// The files and folders of the command line; for a single file, its folder. Nil if there are none.
    private var namedFiles: FileGallery? {
        guard given.search == nil else { return nil }
        let listed = given.files0.flatMap { $0 == "-" ? nil : try? FileList.names(in: $0) } ?? []
        let named = arguments.filter { $0.text != "-" && !$0.isAddress && $0.isNamed }
        let names = given.files + listed + named.flatMap(\.paths)
        guard !names.isEmpty else { return nil }
        guard names.count == 1 else { return try? FileGallery(names, order: given.sort) }
        return (try? FileGallery(names, order: given.sort)).flatMap {
            $0.paths == names ? try? FileGallery([FileSystem.parent(of: names[0])], order: given.sort) : $0
        }
    }

    /// Whether GNU Screen runs this process as its blanker program. If so, gifplay sends no queries, because GNU Screen
    /// takes the terminal's replies for keys, and a key ends the program.
    private var isScreenBlanker: Bool { given.player.anyKeyEnds && getenv("STY") != nil }

    private func openTerminal(_ settings: Settings, _ wakeups: WakeDescriptor) throws(Failure) -> Terminal {
        let player = settings.player
        return try Failure.about("the terminal cannot be used") { () throws(Failure) in
            try Terminal(
                screen: player.screen, suspendsByKey: !player.anyKeyEnds, colors: settings.colors,
                graphics: player.drawing.graphics != .off ? .all : player.anyKeyEnds ? .none : .protocols,
                sendsQueries: !isScreenBlanker, wakeups: wakeups)
        }
    }

    var query: String { given.search ?? invocation.operands.joined(separator: " ") }

    /// The size of the picture in pixels, used to choose among a GIF's renditions.
    private func pixels(_ player: PlaybackOptions) -> (width: Int, height: Int) {
        var window = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        let pane = isKnown ? CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : PlainOutput.defaultSize
        let size = player.size ?? pane
        var pixelsPerCell = player.drawing.characters.pixelsPerCell
        if player.drawing.graphics != .off, isKnown, window.ws_xpixel > 0, window.ws_row > 0 {
            pixelsPerCell = PixelSize(
                width: max(1, Int(window.ws_xpixel) / pane.columns), height: max(1, Int(window.ws_ypixel) / pane.rows))
        } else if !isKnown, ![.off, .auto].contains(player.drawing.graphics) {
            pixelsPerCell = PictureMode.assumedCell
        }
        return (size.columns * pixelsPerCell.width, size.rows * pixelsPerCell.height)
    }
}

/// The gallery that the key '/' opens.
private struct PlayerGallery: GalleryOpening {
    let command: PlayCommand
    let settings: Settings
    let terminal: Terminal

    func openGallery(showing list: Playlist) throws(Failure) -> GallerySession.Outcome {
        try command.browse(settings, list, on: terminal)
    }
}
