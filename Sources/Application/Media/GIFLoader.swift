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
    private let reloading = Monitor<GIFReference?>(nil)
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

    public func files(of reference: GIFReference) throws(Failure) -> [Rendition] {
        if case .address(let url) = reference.origin { return [Rendition(url: url)] }
        let files = Self.files(of: reference, session.settings.renditions).prefix(Self.maximumFiles)
        guard !files.isEmpty else { throw noFileError(of: reference) }
        return Array(files)
    }

    static func files(of reference: GIFReference, _ choice: RenditionChoice) -> [Rendition] {
        choice.ordered(reference.renditions).flatMap { rendition in
            ([rendition.url] + rendition.alternatives).map { Rendition(url: $0, mayBeStill: rendition.mayBeStill) }
        }
    }

    public func isStored(_ file: Rendition, of item: GIFReference) -> Bool { storedBytes(file.url, of: item) != nil }

    public func reload(_ item: GIFReference) { reloading.withLock { $0 = item } }

    /// The stored bytes that may be displayed without an answer of the server.
    func storedBytes(_ url: String, of item: GIFReference) -> [UInt8]? {
        stale(stored(url, of: item), item, after: nil)?.content
    }

    func noFileError(of item: GIFReference) -> Failure {
        // The library stores no file addresses of services that forbid their use in a later session.
        guard !item.renditions.isEmpty else { return .noAddress }
        guard item.renditions.contains(where: { $0.frames != 1 }) else { return .notAnimated }
        return .tooLarge(limit: session.settings.renditions.maximumBytes)
    }

    // MARK: - Bytes

    public func fetch(
        _ file: Rendition, of item: GIFReference, needsAllBytes: Bool, startRetries: Int?,
        begun: @Sendable (Download) -> Void
    ) async throws(Failure) -> FetchedItem {
        defer { reloading.withLock { if $0 == item { $0 = nil } } }
        guard case .address(let url) = item.origin else {
            return try await fetchFile(file, item, needsAllBytes, startRetries, begun)
        }
        var search = LinkSearch(url, of: item)
        if let slug = try search.start(mayBeLocal: { session.client.mayBeLocal($0, base: url) }) {
            let described = try await describedByKlipy(slug)
            return try await fetchFile(
                try files(of: described)[0], described, needsAllBytes, startRetries, begun)
        }
        return try await fetchTarget(of: &search, needsAllBytes, startRetries, begun)
    }

    /// Fetches the first target of a link that is a GIF.
    private func fetchTarget(
        of search: inout LinkSearch, _ needsAllBytes: Bool, _ startRetries: Int?, _ begun: @Sendable (Download) -> Void
    ) async throws(Failure) -> FetchedItem {
        while let target = search.next() {
            let started = Monitor<Download?>(nil)
            do throws(Failure) {
                let fetched = try await content(
                    target.url, of: search.item, mayBeLocal: target.mayBeLocal, startRetries: startRetries,
                    begun: { download in
                        started.withLock { $0 = download }
                        begun(download)
                    })
                return search.found(needsAllBytes ? try await withAllBytes(fetched) : fetched, at: target)
            } catch {
                guard !Task.isCancelled else { throw error }
                guard let slug = try search.addTargets(after: error, at: target, started.withLock { $0 }) else {
                    continue
                }
                search.replaceTargets(by: try await describedByKlipy(slug))
            }
        }
        throw search.error
    }

    private func describedByKlipy(_ slug: String) async throws(Failure) -> GIFReference {
        do throws(Failure) {
            return try await GIFSources.klipyItem(slug, session.settings.catalog, client: session.client)
        } catch {
            throw error.kind == .noKey
                ? Failure("needs a KLIPY key, because KLIPY's pages are closed to programs; set KLIPY_API_KEY")
                : error.prefixed(by: "KLIPY")
        }
    }

    /// Fetches a file of a service, which must be animated.
    private func fetchFile(
        _ file: Rendition, _ item: GIFReference, _ needsAllBytes: Bool, _ startRetries: Int?,
        _ begun: @Sendable (Download) -> Void
    ) async throws(Failure) -> FetchedItem {
        let fetched = try await content(
            file.url, of: item, mayBeLocal: mayBeLocal(file.url, of: item), startRetries: startRetries, begun: begun)
        guard await Self.isAnimated(fetched) else {
            fetched.download?.cancel()
            throw .notAnimated
        }
        if isCached(item), fetched.download?.mayOutliveRun == true {
            // Detached, because the disk can be slow and the user is waiting for the picture.
            let credit = Task.detached { self.cacheCredit(of: item, url: file.url) }
            if needsAllBytes { await credit.value }
        }
        return needsAllBytes ? try await withAllBytes(fetched) : fetched
    }

    /// Returns the stored bytes of a file, or its download after the first bytes have arrived. If the request fails, the
    /// stored bytes of a GIF that could have changed.
    func content(
        _ url: String, of item: GIFReference, mayBeLocal: Bool, startRetries: Int? = nil,
        begun: @Sendable (Download) -> Void = { _ in }
    ) async throws(Failure) -> FetchedItem {
        let stored = stored(url, of: item)
        let isOffline = session.settings.isOffline
        if !isOffline, let stored, mayReuse(stored, url, of: item) { return FetchedItem(item, content: stored.bytes) }
        guard !isOffline else {
            guard let stale = stale(stored, item, after: nil) else { throw .notCached }
            return stale
        }
        var request = request(for: url, of: item, stored, mayBeLocal: mayBeLocal)
        request.startRetries = stored == nil ? startRetries : 1
        let download = session.client.download(request)
        begun(download)
        latest.withLock { $0 = download }
        asked.withLock { $0[url] = clock.milliseconds }
        let state = await withTaskCancellationHandler {
            await download.waitForStart()
        } onCancel: {
            download.cancel()
        }
        if case .failed(let error) = state,
            download.progress.received == 0 || !error.isTransport && error.kind != .cancelled
        {
            if let renewed = download.renewedResponse, let stored {
                health.recordSuccess(of: url)
                try? stored.store.write(StoredGIF(bytes: stored.bytes, response: renewed), for: url)
                return FetchedItem(item, content: stored.bytes)
            }
            health.recordFailure(error, at: url)
            if error.kind != .cancelled, let stale = stale(stored, item, after: error) { return stale }
            throw error
        }
        health.recordSuccess(of: url)
        return FetchedItem(item, download: download)
    }

    private func request(
        for url: String, of item: GIFReference, _ stored: StoredFile?, mayBeLocal: Bool
    ) -> Download.Request {
        var request = Download.Request(
            url: url, headers: ["Accept": "image/gif,*/*"], limit: session.settings.renditions.maximumBytes,
            store: store(for: item), mayBeLocal: mayBeLocal)
        (request.runStore, request.isValidated, request.stored) = (memory, item.isTyped, stored?.response)
        if stored != nil { request.headers["Cache-Control"] = "no-cache" }
        if case .address = item.origin { request.keepsPage = true }
        return request
    }

    /// Waits for the end of the download.
    func withAllBytes(_ fetched: FetchedItem) async throws(Failure) -> FetchedItem {
        guard let download = fetched.download else { return fetched }
        let state = await withTaskCancellationHandler {
            await download.waitForEnd()
        } onCancel: {
            download.cancel()
        }
        session.recordCachingFailure(of: download)
        if case .failed(let error) = state { throw error }
        return FetchedItem(fetched.item, content: download.source.receivedBytes, staleness: fetched.staleness)
    }

    /// Waits until enough bytes of a download have arrived, which is soon after its first frame.
    static func isAnimated(_ fetched: FetchedItem) async -> Bool {
        guard let download = fetched.download else { return BlockWalk(fetched.content ?? []).kind == .animated }
        for await _ in download.changes() where download.animation != nil { break }
        return download.animation == .animated
    }

    // MARK: - Stores

    private typealias StoredFile = (store: any MediaStore, bytes: [UInt8], response: StoredResponse?)

    /// Of two stored GIFs, the one that was confirmed last.
    private func stored(_ url: String, of item: GIFReference) -> StoredFile? {
        let stores: [any MediaStore] = [store(for: item), memory]
        return stores.compactMap { store in store.entry(url).map { (store, $0.bytes, $0.response) } }
            .max { ($0.response?.received ?? 0) < ($1.response?.received ?? 0) }
    }

    /// Whether no request is needed. What this run has just received is displayed even if it must not be stored.
    private func mayReuse(_ stored: StoredFile, _ url: String, of item: GIFReference) -> Bool {
        let askedAt = asked.withLock { $0[url] }
        if reloading.withLock({ $0 }) == item || session.settings.reloads && askedAt == nil { return false }
        return !item.isTyped || askedAt.map { clock.milliseconds - $0 < 5_000 } == true
            || stored.response?.isFresh(at: clock.unixSeconds) == true
    }

    /// The stored GIF if it may be displayed without an answer of its server; nil otherwise.
    private func stale(_ stored: StoredFile?, _ item: GIFReference, after error: Failure?) -> FetchedItem? {
        let (response, now) = (stored?.response, clock.unixSeconds)
        guard let stored, response?.mustBeValidated != true || response?.isFresh(at: now) == true else { return nil }
        let staleness = FetchedItem.Staleness(seconds: response.map { now - $0.received }, reason: error)
        return FetchedItem(
            item, content: stored.bytes, staleness: item.isTyped || error != nil ? staleness : nil)
    }

    /// The rule of the host that the file comes from applies, too.
    func store(for item: GIFReference) -> any MediaStore {
        (item.cachePolicy == .persistent ? session.cache : nil) ?? memory
    }

    /// Whether gifplay stores the item's files in the media cache, and not only in memory.
    func isCached(_ item: GIFReference) -> Bool { store(for: item) === session.cache }

    /// Stores a GIF's title and attribution in the media cache, so that gifplay can display them offline.
    func cacheCredit(of reference: GIFReference, url: String) {
        let credit = CachedCredit(
            url: url, title: reference.title, attribution: reference.attribution, credit: reference.credit,
            page: reference.pageURL ?? "")
        guard let cache = session.cache, let writer = try? cache.writer(for: credit.key) else { return }
        try? credit.bytes.withUnsafeBytes { try writer.append($0) }
        try? writer.commit()
    }

    /// Whether the file's address may point to this machine or its network. It may if the user typed it. An address that
    /// a link or a service contains only may if its host, or that of a local link or endpoint, comes from the user.
    func mayBeLocal(_ url: String, of item: GIFReference) -> Bool {
        if case .address(let typed) = item.origin {
            return url == typed || session.client.mayBeLocal(url, base: typed)
        }
        let name = item.community == nil ? item.provider : RedditSettings.source
        guard let endpoint = session.settings.catalog.endpoints[name] else { return false }
        return ([endpoint.base] + (endpoint.others ?? [])).contains { session.client.mayBeLocal(url, base: $0) }
    }
}

extension GIFReference {
    /// Whether the user has typed the URL, whose GIF can change.
    fileprivate var isTyped: Bool { provider == Self.addressProvider }
}

extension SourceHealth {
    /// Starts a cool-down if the error indicates a problem of the host, such as overload or no connection.
    func recordFailure(_ error: Failure, at url: String) {
        switch error.kind {
        case .status(403), .status(429), .status(500...), .timedOut, .unreachable:
            update { $0.recordFailure(ofHost: WebAddress.authority(url), error, at: $1) }
        default: break
        }
    }

    func recordSuccess(of url: String) {
        update { coolDowns, _ in coolDowns.recordSuccess(of: .host(WebAddress.authority(url))) }
    }
}

/// Loads complete GIFs, for views that display many GIFs at once.
extension GIFLoader {
    /// The minimum time between two calls of `arrived` for one file, in milliseconds.
    private static let arrivalMilliseconds = 200
    /// As ``arrivalMilliseconds``, for calls that report only the progress.
    private static let progressMilliseconds = 500

    /// Returns all bytes of the first file that can be loaded, of at most four in the order of `choice`.
    ///
    /// One second after the caller's task is cancelled, cancels the download, unless another caller waits for it.
    /// - Parameter arrived: called with the bytes so far each time they have grown by 50 percent, at most every 200 ms, and
    ///   with the progress twice a second.
    public func bytes(
        of reference: GIFReference, choice: RenditionChoice, arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        if case .sample(let sample) = reference.origin { return Array(sample.bytes) }
        let files = Self.files(of: reference, choice)
        // If gifplay is offline, or if no file can be loaded, use any file of this GIF that is already in the store.
        var cached: [UInt8]? { files.lazy.compactMap { self.storedBytes($0.url, of: reference) }.first }
        if session.settings.isOffline, let cached { return cached }
        var failure = noFileError(of: reference)
        for file in files.prefix(Self.maximumFiles) {
            do throws(Failure) {
                let bytes = try await sharedBytes(file, reference, arrived)
                if file.mayBeStill, BlockWalk(bytes).kind != .animated { throw .notAnimated }
                return bytes
            } catch {
                failure = error
            }
            guard !Task.isCancelled else { throw failure }
        }
        if let cached { return cached }
        throw failure
    }

    private func sharedBytes(
        _ file: Rendition, _ reference: GIFReference, _ arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        let key = SharedFetches.Key(
            url: file.url, mayBeLocal: mayBeLocal(file.url, of: reference), mayBeCached: isCached(reference))
        return try await sharedFetches.bytes(key, arrived: arrived) { [self] arrived in
            await Result(of: { () async throws(Failure) in try await fetchBytes(file.url, reference, arrived) })
        }.get()
    }

    private func fetchBytes(
        _ url: String, _ reference: GIFReference, _ arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        let fetched = try await content(url, of: reference, mayBeLocal: mayBeLocal(url, of: reference))
        let watcher = fetched.download.map { download in
            Task { [clock] in await Self.watch(download, clock, arrived) }
        }
        defer { watcher?.cancel() }
        let bytes = try await withAllBytes(fetched).content ?? []
        if isCached(reference), fetched.download?.mayOutliveRun == true { cacheCredit(of: reference, url: url) }
        return bytes
    }

    /// Reports the received bytes when they have grown by 50 percent, from 12 KiB on, and the progress twice a second.
    private static func watch(
        _ download: Download, _ clock: any WaitClock, _ arrived: @Sendable (PartialFile) -> Void
    ) async {
        var reported = 8 << 10
        var last = clock.milliseconds
        for await _ in download.changes() {
            let isGrown = download.progress.received > reported + reported / 2
            guard isGrown || clock.milliseconds - last >= progressMilliseconds else { continue }
            let remaining = last + arrivalMilliseconds - clock.milliseconds
            if remaining > 0 { guard (try? await clock.wait(milliseconds: remaining)) != nil else { return } }
            let progress = download.progress
            guard progress.state == .running else { return }
            last = clock.milliseconds
            arrived(PartialFile(progress, bytes: isGrown ? download.source.receivedBytes : nil))
            if isGrown { reported = progress.received }
        }
    }
}

/// Fetches complete files. Callers that request the same file at the same time share one fetch.
///
/// A fetch continues for a moment after its last caller has left, because the same file is often requested again soon.
/// Examples: a tile opens in the large view, or leaves the screen and returns.
final class SharedFetches: Sendable {
    typealias Outcome = Result<[UInt8], Failure>
    typealias Arrival = @Sendable (PartialFile) -> Void

    struct Key: Hashable, Sendable {
        var url: String
        /// Whether the address is allowed to point to this machine or its network.
        var mayBeLocal: Bool
        /// Whether the file is allowed in the cache on disk.
        var mayBeCached: Bool
    }

    private struct Fetch: Sendable {
        var number: Int
        var task: Task<Void, Never>?
        var callers: [Int: (outcome: AsyncStream<Outcome>.Continuation, arrived: Arrival)] = [:]
        /// How often the last remaining caller has left. Only the wait after the latest departure can cancel the fetch.
        var departures = 0
    }

    private struct State: Sendable {
        var fetches: [Key: Fetch] = [:]
        var numbers = 0
    }

    private let state = Monitor(State())
    private let linger: @Sendable () async -> Void

    /// - Parameter linger: the wait after which a fetch is cancelled, unless a new caller has arrived.
    init(linger: @escaping @Sendable () async -> Void) { self.linger = linger }

    /// Starts `fetch` if none is running for this key. Returns immediately if the caller's task is cancelled.
    func bytes(
        _ key: Key, arrived: @escaping Arrival, fetch: @escaping @Sendable (@escaping Arrival) async -> Outcome
    ) async -> Outcome {
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let (outcomes, outcome) = AsyncStream<Outcome>.makeStream()
        let number = state.withLock { state in
            state.numbers += 1
            var running = state.fetches[key] ?? Fetch(number: state.numbers)
            running.callers[state.numbers] = (outcome, arrived)
            if running.task == nil {
                running.task = Task.detached { [own = running.number] in
                    let outcome = await fetch { part in self.report(part, of: key) }
                    self.end(key, own, outcome)
                }
            }
            state.fetches[key] = running
            return state.numbers
        }
        for await outcome in outcomes { return outcome }
        // The caller's task is cancelled.
        leave(key, number)
        return .failure(.cancelled)
    }

    private func leave(_ key: Key, _ number: Int) {
        let abandoned: (fetch: Int, departure: Int)? = state.withLock { state in
            guard state.fetches[key]?.callers.removeValue(forKey: number) != nil, var fetch = state.fetches[key],
                fetch.callers.isEmpty
            else { return nil }
            fetch.departures += 1
            state.fetches[key] = fetch
            return (fetch.number, fetch.departures)
        }
        guard let abandoned else { return }
        Task.detached {
            await self.linger()
            self.cancel(key, abandoned.fetch, after: abandoned.departure)
        }
    }

    private func cancel(_ key: Key, _ number: Int, after departure: Int) {
        let task: Task<Void, Never>? = state.withLock { state in
            guard let fetch = state.fetches[key], fetch.number == number, fetch.callers.isEmpty,
                fetch.departures == departure
            else { return nil }
            state.fetches[key] = nil
            return fetch.task
        }
        task?.cancel()
    }

    private func report(_ part: PartialFile, of key: Key) {
        let callers = state.withLock { Array(($0.fetches[key]?.callers ?? [:]).values) }
        for caller in callers { caller.arrived(part) }
    }

    private func end(_ key: Key, _ number: Int, _ outcome: Outcome) {
        let callers = state.withLock { state -> [AsyncStream<Outcome>.Continuation] in
            guard let fetch = state.fetches[key], fetch.number == number else { return [] }
            state.fetches[key] = nil
            return fetch.callers.values.map(\.outcome)
        }
        for caller in callers { caller.yield(outcome) }
    }
}
