import Base
import Catalog
import Pixels

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
