import Base
import CTerminal
import Catalog
import FoundationEssentials
import Gallery
import Glibc
import Library
import Pixels
import Playback

/// Runs the gallery on the terminal, for `gifplay browse` and for the key `/` of the player.
struct GallerySession {
    let session: ServiceSession
    var feed: Feed
    /// Nil unless the gallery shows files of the user instead of the services.
    var files: FileGallery?
    /// What Enter takes; nil unless another program lets the user choose a GIF.
    var picker: PickedPart?
    var hasChosenMode = false
    /// The terminal of the player, which has opened the gallery with its search field; nil for `gifplay browse`.
    var playerTerminal: Terminal?
    /// The GIFs that the player knows, which the gallery shows until its feed is loaded.
    var knownItems: [GIFReference] = []
    /// The GIF that the player plays, which the gallery selects.
    var playedItem: GIFReference?

    static let noTerminal = Failure("browse needs a terminal; to print lines instead: gifplay browse --plain")
    /// The accepted delay of the answer to a key by bytes in buffers, in nanoseconds.
    static let targetDelay = Span.second / 10

    private var environment: [String: String] { Environment.variables }
    private var settings: Settings { session.settings }

    func printLines() throws(Failure) {
        if let files { return printPaths(files.paths) }
        let listing = PlainListing(language: settings.screenLanguage, sourceTitles: titles)
        let loader = GIFLoader(session)
        let progress = loader.reportProgress()
        defer { withExtendedLifetime(progress, hideProgress) }
        try PlainBrowse(listings: try ServiceListings(session, loader: loader), listing: listing).print(feed)
    }

    /// Runs the gallery until the user leaves it.
    func run() throws(Failure) -> Outcome {
        Self.limitHeap()
        let loader = GIFLoader(session)
        let listings: any ListingSource = if let files { files } else { try ServiceListings(session, loader: loader) }
        let serviceMedia = ServiceMedia(loader: loader)
        let media: any MediaSource = files ?? serviceMedia
        files?.links.withLock { $0 = (ServiceListings(session, SampleRepository(), loader: loader), serviceMedia) }
        let terminal: Terminal
        do throws(Failure) {
            if let playerTerminal { terminal = playerTerminal } else { terminal = try openTerminal() }
        } catch {
            if picker != nil { throw Self.noTerminal }
            throw error.of("the terminal cannot be used")
        }
        let store = Result { () throws(Failure) in try GalleryLibrary(settings) }
        // Files are not in the library.
        let library = files == nil ? try? store.get() : nil
        var services = GalleryServices(
            listings: listings, media: media, desktop: LocalDesktopActions(environment: environment), store: library,
            seconds: { time(nil) })
        (services.reportUse, services.running, services.storeSide) = (session.reportUse, session.running, storeSide)
        let runtime = GalleryRuntime(
            GalleryState(
                feed: feed, items: knownItems, selecting: playedItem, traits: terminal.traits, options: options),
            terminal: terminal, services: services,
            player: LentTerminalPlayer(session: session, loader: loader, media: media, terminal: terminal))
        guard runtime.canDecode else { throw Failure("browse: \(DetachedThread.failure)") }
        session.notices.listen { [notify = runtime.notify] in notify(GalleryMessage($0)) }
        library?.open(report: { [notify = runtime.notify] in notify(.storeFailed($0)) }, addMarks: runtime.addMarks)
        let end = runtime.run()
        let unsaved = session.running.finish()
        runtime.update()
        if playerTerminal == nil { terminal.leave() }
        let unstored = runtime.writes.finish()
        let problem = files == nil ? GalleryLibrary.problem(of: store, unstored) : nil
        let remarks = [unstored.isEmpty ? problem : nil, session.cachingFailure?.playedUncached]
        let losses = unsaved + [unstored.isEmpty ? nil : problem].compactMap(\.self)
        return (end, losses, remarks.compactMap { $0?.message })
    }

    private static let sideSetting = "side"

    private var showsSide: Bool {
        Library.path(environment: environment).flatMap { Library.setting(Self.sideSetting, path: $0) } == 1
    }

    /// Opens the library again, because that of the gallery can be locked, and files have none.
    private var storeSide: @Sendable (Bool) async throws(Failure) -> Void {
        let (path, options) = (Library.path(environment: environment), GalleryLibrary.options(settings))
        return { isOn async throws(Failure) in
            guard let path else { return }
            let library = try await DetachedThread.run { () throws(Failure) in
                try Library(path: path, options: options)
            }
            try await library.set(Self.sideSetting, to: isOn ? 1 : 0)
        }
    }

    private func openTerminal() throws(Failure) -> Terminal {
        try Terminal(
            screen: .full, reportsPointer: true, colors: settings.colors,
            graphics: settings.player.drawing.graphics == .off ? .protocols : .all,
            usesControllingTerminal: picker != nil,
            targetDelay: Self.targetDelay)
    }

    /// The reason for the end, and the messages for standard error. `losses` name the saves and the marks that are lost.
    typealias Outcome = (end: GalleryEnd, losses: [Failure], remarks: [String])

    /// Scrolling allocates and frees file buffers of several hundred kB. This setting allocates such buffers with mmap, so
    /// that they do not fragment the heap. Together with the limit of two heaps in main.swift, it reduces the memory use
    /// of a gallery with 30 GIFs from 54 to 42 MB, and during scrolling from 71 to 60 MB.
    private static func limitHeap() { _ = mallopt(M_MMAP_THRESHOLD, 128 << 10) }

    static func wait(for task: Task<Void, Never>, atMost milliseconds: Int) {
        BackgroundValue {
            let (ends, end) = AsyncStream<Void>.makeStream()
            Task.detached {
                await task.value
                end.finish()
            }
            Task.detached {
                try? await SystemWaitClock().wait(milliseconds: milliseconds)
                end.finish()
            }
            for await _ in ends {}
        }.wait()
    }

    /// The feed that the gallery opens: the trending GIFs if a source that gifplay queries has such a listing, otherwise
    /// random GIFs. If gifplay queries no service, the built-in samples.
    static func firstFeed(_ settings: Settings) -> Feed {
        let sources = settings.source.map { [$0] } ?? settings.catalog.order ?? GIFSources.names
        let hasTrending = GIFSources.profiles.contains {
            $0.hasTrending && sources.contains($0.name) && settings.catalog.keys[$0.name] != nil
        }
        if hasTrending { return .trending(source: nil) }
        let isLocal = settings.isOffline || settings.source == SampleRepository.name
        return isLocal ? .trending(source: SampleRepository.name) : .random
    }

    private var titles: [String: String] {
        // The title is only "Reddit", because the name of the community is displayed next to the title.
        let communities = settings.catalog.reddit.communities.map { ("r/" + $0, "Reddit") }
        let samples = (SampleRepository.name, settings.screenLanguage(en: "built-in", de: "eingebaut"))
        return Dictionary(
            uniqueKeysWithValues: GIFSources.profiles.map { ($0.name, $0.title) } + communities + [samples])
    }

    private var options: GalleryOptions {
        var options = GalleryOptions()
        let profiles = GIFSources.profiles
        options.feeds = [Self.firstFeed(settings)]
        if !settings.isOffline {
            let named = profiles.filter {
                $0.hasTrending && ($0.key == nil || settings.catalog.keys[$0.name] != nil)
            }
            options.feeds += named.map { .trending(source: $0.name) }
            options.feeds += settings.catalog.reddit.communities.map { .community($0) }
        }
        options.feeds += [.favourites, .history, .dismissed]
        options.sourceTitles = titles
        options.language = settings.screenLanguage
        options.reducesMotion = settings.reducesMotion
        options.showsSide = showsSide
        options.isOffline = settings.isOffline
        options.drawing = settings.player.drawing
        options.hasChosenMode = hasChosenMode
        options.picker = picker
        options.startsTyping = playerTerminal != nil
        options.hasQuadrants = environment["TERM"] != "linux"
        options.hasImageTiles = !Environment.isRemote { environment[$0] != nil }
        if let files {
            options.feeds = [feed]
            options.order = settings.sort
            options.sourceTitles = [GIFReference.fileProvider: files.title]
        }
        return options
    }
}

extension GalleryMessage {
    init(_ notice: Notices.Notice) {
        switch notice {
        case .keyRefused(let variable): self = .keyRefused(variable: variable)
        case .contactRequired: self = .contactRequired
        case .noConnection: self = .noConnection
        }
    }
}

extension MarkWrites {
    /// A write that has not ended when the process exits. It stays reachable, so that the leak check does not report it.
    private static let unfinished = Monitor<Task<Void, Never>?>(nil)

    /// Waits up to one second for the writes.
    /// - Returns: the marks that are not stored.
    func finish() -> UnstoredMarks {
        guard let last else { return UnstoredMarks() }
        GallerySession.wait(for: last, atMost: 1_000)
        Self.unfinished.withLock { $0 = last }
        return unstored
    }
}

extension RunningActions {
    /// Waits up to two seconds for the actions.
    /// - Returns: a failure for each GIF that is not saved.
    func finish() -> [Failure] {
        if let end = end() { GallerySession.wait(for: end, atMost: 2_000) }
        return unsaved.map { Failure("not saved before gifplay ended").of($0) }
    }
}

struct ServiceMedia: MediaSource {
    /// The preferred maximum size of a file for a gallery tile, in bytes. Originals can be much larger: 24 originals
    /// from Wikimedia Commons had a total size of 68 MB.
    private static let tileBytes = 500_000

    let loader: GIFLoader

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        // The user has typed a `file:` URL.
        if let path = reference.path { return try await FileGallery.bytes(at: path) }
        var choice = loader.session.settings.renditions
        // To get the original, request a size larger than any file. The largest rendition is then the first choice.
        choice.width = isOriginal ? .max >> 32 : max(1, size.width)
        choice.height = isOriginal ? .max >> 32 : max(1, size.height)
        choice.lightBytes = isOriginal ? nil : Self.tileBytes
        do throws(Failure) {
            return try await loader.bytes(of: reference, choice: choice, arrived: arrived)
        } catch {
            guard !Task.isCancelled else { throw .cancelled }
            // The shared download was cancelled, but not by this task, which must show a failure.
            throw error.kind == .cancelled ? .unreadable(Failure(error.message)) : error
        }
    }
}

struct LocalDesktopActions: DesktopActions {
    let environment: [String: String]

    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(Failure) -> SavedFile.Outcome {
        guard let directory = SavedFile.downloadDirectory(environment: environment) else { throw .noDownloadDirectory }
        // The download directory might not exist yet.
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return try SavedFile.write(bytes, title: reference.title, key: reference.key, in: directory)
    }

    func copy(_ text: String) async -> (sequence: String, failed: [String])? {
        let clipboard = Clipboard(environment: environment)
        let failed = await clipboard.copy(text).failed
        return clipboard.sequence(text).map { (String(decoding: $0, as: UTF8.self), failed) }
    }

    func copyFiles(_ paths: [String]) async -> Clipboard.FileOutcome {
        await Clipboard(environment: environment).copyFiles(paths)
    }

    func open(_ address: String, isFolder: Bool) async throws(Failure) {
        try await LinkOpener(environment: environment).open(address, isFolder: isFolder)
    }
}
