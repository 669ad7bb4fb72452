import Base
import Catalog
import Pixels

/// Loads the files of items from the media cache or the network.
public final class GIFLoader: ItemLoading {
    public let session: ServiceSession
    let sharedFetches: SharedFetches
    private let memory = SessionMediaStore()
    private let latest = Monitor<Download?>(nil)
    /// The item whose server is asked although its GIF is stored.
    private let reloading = Monitor<PlayItem?>(nil)
    /// When this run has last asked for each URL, in milliseconds.
    private let asked = Monitor<[String: Int]>([:])

    public init(_ session: ServiceSession) {
        self.session = session
        sharedFetches = SharedFetches(
            linger: { [clock = session.settings.fetch.clock] in try? await clock.wait(milliseconds: 1_000) })
    }

    public var clock: any WaitClock { session.settings.fetch.clock }
    public var health: SourceHealth { session.health }

    public var latestDownload: Download? { latest.withLock { $0 } }

    // MARK: - Files

    static let maximumFiles = 4

    public func files(of reference: GIFReference) throws(CommandError) -> [MediaFile] {
        let files = Self.files(of: reference, session.settings.renditions).prefix(Self.maximumFiles)
        guard !files.isEmpty else { throw noFileError(of: reference) }
        return Array(files)
    }

    static func files(of reference: GIFReference, _ choice: RenditionChoice) -> [MediaFile] {
        let item = PlayItem(reference)
        return choice.ordered(reference.renditions).flatMap { rendition in
            ([rendition.url] + rendition.alternatives).map {
                MediaFile(item, url: $0, mayBeStill: rendition.mayBeStill)
            }
        }
    }

    public func isStored(_ file: MediaFile) -> Bool { storedBytes(of: file) != nil }

    public func reload(_ item: PlayItem) { reloading.withLock { $0 = item } }

    /// The stored bytes that may be displayed without an answer of the server.
    func storedBytes(of file: MediaFile) -> [UInt8]? {
        if case .bytes(let bytes)? = stale(stored(file), file, after: nil)?.content { bytes } else { nil }
    }

    func noFileError(of reference: GIFReference) -> CommandError {
        let item = PlayItem(reference)
        // The library stores no file addresses of services that forbid their use in a later session.
        guard !reference.renditions.isEmpty else {
            return CommandError("\(item.name): only its title and link are stored", mediaFailure: .noAddress)
        }
        guard reference.renditions.contains(where: { $0.frames != 1 }) else { return Self.notAnimatedError(of: item) }
        let limit = ByteSize.limit(session.settings.renditions.maximumBytes)
        return CommandError("\(item.name): all its files are larger than \(limit)", mediaFailure: .tooLarge)
    }

    // MARK: - Bytes

    public func fetch(
        _ file: MediaFile, needsAllBytes: Bool, startRetries: Int?, begun: @Sendable (Download) -> Void
    ) async throws(CommandError) -> FetchedItem {
        let item = file.item
        defer { reloading.withLock { if $0 == item { $0 = nil } } }
        guard !item.isLocal else { return FetchedItem(item: item, content: .local) }
        if case .address = item {
            return try await fetchLink(
                file, needsAllBytes: needsAllBytes, startRetries: startRetries, begun: begun)
        }
        var fetched = try await content(
            of: file, mayBeLocal: mayBeLocal(file), startRetries: startRetries, begun: begun)
        let content = fetched.content
        if case .reference(let reference) = item {
            guard await Self.isAnimated(content) else {
                if case .download(let download) = content { download.cancel() }
                throw Self.notAnimatedError(of: item)
            }
            if case .download(let download) = content, isCached(item), download.mayOutliveRun {
                // Detached, because the disk can be slow and the user is waiting for the picture.
                let credit = Task.detached { self.cacheCredit(of: reference, url: file.url) }
                if needsAllBytes { await credit.value }
            }
        }
        if needsAllBytes { fetched.content = .bytes(try await allBytes(of: content, name: item.name)) }
        return fetched
    }

    /// Returns the stored bytes of a file, or its download after the first bytes have arrived. If the request fails, the
    /// stored bytes of a GIF that could have changed.
    func content(
        of file: MediaFile, mayBeLocal: Bool, startRetries: Int? = nil,
        begun: @Sendable (Download) -> Void = { _ in }
    ) async throws(CommandError) -> FetchedItem {
        let stored = stored(file)
        let (name, isOffline) = (file.item.name, session.settings.isOffline)
        if !isOffline, let stored, mayReuse(stored, file) {
            return FetchedItem(item: file.item, content: .bytes(stored.bytes))
        }
        guard !isOffline else {
            guard let stale = stale(stored, file, after: nil) else {
                throw CommandError("\(name): not in the media cache, and gifplay is offline", mediaFailure: .notCached)
            }
            return stale
        }
        var request = request(for: file, stored, mayBeLocal: mayBeLocal)
        request.startRetries = stored == nil ? startRetries : 1
        let download = session.client.download(request)
        begun(download)
        latest.withLock { $0 = download }
        asked.withLock { $0[file.url] = clock.milliseconds }
        let state = await withTaskCancellationHandler {
            await download.waitForStart()
        } onCancel: {
            download.cancel()
        }
        if case .failed(let error) = state, download.progress.received == 0 || !error.leavesBytes {
            if let renewed = download.renewedResponse, let stored {
                health.recordSuccess(of: file.url)
                try? stored.store.write(StoredGIF(bytes: stored.bytes, response: renewed), for: file.url)
                return FetchedItem(item: file.item, content: .bytes(stored.bytes))
            }
            health.recordFailure(error, of: file.url)
            if error != .transport(.cancelled), let stale = stale(stored, file, after: error) { return stale }
            throw Self.fetchFailure(error, of: name)
        }
        health.recordSuccess(of: file.url)
        return FetchedItem(item: file.item, content: .download(download))
    }

    private func request(for file: MediaFile, _ stored: StoredFile?, mayBeLocal: Bool) -> Download.Request {
        var request = Download.Request(
            url: file.url, headers: ["Accept": "image/gif,*/*"], limit: session.settings.renditions.maximumBytes,
            store: store(for: file.item), mayBeLocal: mayBeLocal)
        (request.runStore, request.isValidated, request.stored) = (memory, file.item.isTyped, stored?.response)
        if stored != nil { request.headers["Cache-Control"] = "no-cache" }
        if case .address = file.item { request.keepsPage = true }
        return request
    }

    func allBytes(of content: FetchedItem.Content, name: String) async throws(CommandError) -> [UInt8] {
        let download: Download
        switch content {
        case .local: return []
        case .bytes(let bytes): return bytes
        case .download(let running): download = running
        }
        let state = await withTaskCancellationHandler {
            await download.waitForEnd()
        } onCancel: {
            download.cancel()
        }
        session.recordCachingFailure(of: download)
        if case .failed(let error) = state { throw Self.fetchFailure(error, of: name) }
        return download.source.receivedBytes
    }

    private static func fetchFailure(_ error: FetchError, of name: String) -> CommandError {
        CommandError("\(name): \(ErrorMessages.describe(error))", mediaFailure: MediaError(error))
    }

    static func notAnimatedError(of item: PlayItem) -> CommandError {
        CommandError("\(item.name): not animated", mediaFailure: .notAnimated)
    }

    /// Waits until enough bytes of a download have arrived, which is soon after its first frame.
    static func isAnimated(_ content: FetchedItem.Content) async -> Bool {
        guard case .download(let download) = content else {
            guard case .bytes(let bytes) = content else { return true }
            return BlockWalk(bytes).kind == .animated
        }
        for await _ in download.changes() where download.animation != nil { break }
        return download.animation == .animated
    }

    // MARK: - Stores

    private typealias StoredFile = (store: any MediaStore, bytes: [UInt8], response: StoredResponse?)

    /// Of two stored GIFs, the one that was confirmed last.
    private func stored(_ file: MediaFile) -> StoredFile? {
        let stores: [any MediaStore] = [store(for: file.item), memory]
        return stores.compactMap { store in store.entry(file.url).map { (store, $0.bytes, $0.response) } }
            .max { ($0.response?.received ?? 0) < ($1.response?.received ?? 0) }
    }

    /// Whether no request is needed. What this run has just received is displayed even if it must not be stored.
    private func mayReuse(_ stored: StoredFile, _ file: MediaFile) -> Bool {
        let askedAt = asked.withLock { $0[file.url] }
        if reloading.withLock({ $0 }) == file.item || session.settings.reloads && askedAt == nil { return false }
        return !file.item.isTyped || askedAt.map { clock.milliseconds - $0 < 5_000 } == true
            || stored.response?.isFresh(at: clock.unixSeconds) == true
    }

    /// The stored GIF if it may be displayed without an answer of its server; nil otherwise.
    private func stale(_ stored: StoredFile?, _ file: MediaFile, after error: FetchError?) -> FetchedItem? {
        let (response, now) = (stored?.response, clock.unixSeconds)
        guard let stored, response?.mustBeValidated != true || response?.isFresh(at: now) == true else { return nil }
        let staleness = FetchedItem.Staleness(seconds: response.map { now - $0.received }, reason: error)
        return FetchedItem(
            item: file.item, content: .bytes(stored.bytes),
            staleness: file.item.isTyped || error != nil ? staleness : nil)
    }

    func store(for item: PlayItem) -> any MediaStore {
        let mayBeCached =
            switch item {
            case .file, .standardInput, .sample: false
            // The rule of the host that the file comes from applies, too.
            case .address(let url): StorageRule.allowsDisk(from: url)
            case .reference(let reference): reference.cachePolicy == .persistent
            }
        return (mayBeCached ? session.cache : nil) ?? memory
    }

    /// Whether gifplay stores the item's files in the media cache, and not only in memory.
    func isCached(_ item: PlayItem) -> Bool { store(for: item) === session.cache }

    /// Stores a GIF's title and attribution in the media cache, so that gifplay can display them offline.
    func cacheCredit(of reference: GIFReference, url: String) {
        let credit = CachedCredit(url: url, title: reference.title, attribution: reference.attribution)
        guard let cache = session.cache, let writer = try? cache.writer(for: credit.key) else { return }
        try? credit.bytes.withUnsafeBytes { try writer.append($0) }
        try? writer.commit()
    }

    /// Whether the file's address may point to this machine or its network. It may if the user typed it. An address that
    /// a link or a service contains only may if its host, or that of a local link or endpoint, comes from the user.
    func mayBeLocal(_ file: MediaFile) -> Bool {
        if case .address(let typed) = file.item {
            return file.url == typed || session.client.mayBeLocal(file.url, base: typed)
        }
        guard case .reference(let reference) = file.item else { return true }
        let name = reference.provider.hasPrefix("r/") ? RedditSettings.source : reference.provider
        guard let endpoint = session.settings.catalog.endpoints[name] else { return false }
        return ([endpoint.base] + (endpoint.others ?? [])).contains { session.client.mayBeLocal(file.url, base: $0) }
    }
}

extension SourceHealth {
    /// Starts a cool-down if the error indicates a problem of the host, such as overload or no connection.
    func recordFailure(_ error: FetchError, of url: String) {
        switch error {
        case .status(403, _, _), .status(429, _, _), .status(500..., _, _), .transport(.timedOut), .transport(.tooSlow),
            .transport(.unreachable):
            update { $0.recordFailure(ofHost: URLAuthority.text(url), ErrorMessages.describe(error), at: $1) }
        default: break
        }
    }

    func recordSuccess(of url: String) {
        update { coolDowns, _ in coolDowns.recordSuccess(of: .host(URLAuthority.text(url))) }
    }
}

extension FetchError {
    /// Whether the bytes received before this error are the start of a GIF and can be displayed.
    fileprivate var leavesBytes: Bool {
        switch self {
        case .transport, .cut, .changed: true
        case .status, .notGIF, .empty, .cache, .unsafeCacheDirectory, .tooLargeForCache: false
        }
    }
}

extension MediaError {
    init(_ error: FetchError) {
        switch error {
        case .transport(let error): self = .transport(error)
        case .status(let status, let host, _): self = .status(status, host: host)
        case .notGIF(_, let host): self = .notGIF(host: host)
        case .empty(let host), .cut(_, _, let host), .changed(let host): self = .incomplete(host: host)
        case .cache, .unsafeCacheDirectory, .tooLargeForCache: self = .cacheFailed
        }
    }
}
