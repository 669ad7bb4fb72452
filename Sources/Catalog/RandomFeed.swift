import Base

/// An endless feed of shuffled GIFs from the random batches of a repository.
///
/// The feed returns every known GIF once before it repeats one. It fetches a new batch in the background when few GIFs
/// are left, and waits for the batch when none is left. If a batch fails or contains nothing new, the feed returns some
/// known GIFs again before it sends the next request. This limits the number of requests.
///
/// If `reconnects` is true, the feed queries the services again at increasing intervals while there is no connection.
public actor RandomFeed {
    private let repository: any GIFRepository
    private let preferences: ListingPreferences
    private let health: SourceHealth
    /// The queue length below which the feed fetches a new batch.
    private static let refillBelow = 5
    /// The number of GIFs that the feed returns between a batch with few new GIFs and the request for the next batch.
    private static let spacing = 10
    /// The maximum number of known GIFs.
    static let knownLimit = 500
    private let reconnects: Bool
    private let clock: any WaitClock
    private var shuffle: GIFShuffle
    private(set) var lastBatch = Batch()
    private(set) var refillTask: Task<Void, Never>?
    private(set) var reconnection: (wait: Task<Void, Never>?, failedAttempts: Int) = (nil, 0)
    private let nextAttempt = Monitor<ContinuousClock.Instant?>(nil)

    struct Batch {
        var freshCount = 0
        var shownSince = 0
        var error: Failure?
        var failures: [Failure] = []
    }

    public init(
        _ repository: any GIFRepository, preferences: ListingPreferences = ListingPreferences(),
        health: SourceHealth = SourceHealth(), reconnects: Bool = false, clock: any WaitClock = SystemWaitClock(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.repository, self.preferences, self.reconnects) = (repository, preferences, reconnects)
        (self.clock, self.health) = (clock, health)
        shuffle = GIFShuffle(limit: Self.knownLimit, generator)
    }

    deinit {
        refillTask?.cancel()
        reconnection.wait?.cancel()
    }

    /// The time of the next attempt to query the services; nil if there is a connection or `reconnects` is false.
    public nonisolated var retryTime: ContinuousClock.Instant? { nextAttempt.withLock { $0 } }

    /// The sources that returned no results for the last batch.
    public var failures: [Failure] { lastBatch.failures }

    /// Skips GIFs whose source cannot deliver files now. Waits for a batch or a connection only without other GIFs.
    public func nextReference() async throws(Failure) -> GIFReference {
        if shuffle.count < Self.refillBelow || shuffle.isRepeating, mayRefill { refill() }
        if !hasUsable {
            await refillTask?.value
            // The batch might contain only unusable GIFs, because its request began before their source failed.
            if !hasUsable, shuffle.count > 0 {
                refill()
                await refillTask?.value
            }
        }
        if !hasUsable { shuffle.repeatKnown() }
        while !hasUsable, !Task.isCancelled, let attempt = refillTask ?? reconnection.wait { await attempt.value }
        guard let reference = shuffle.take(where: isUsable) else { throw lastBatch.error ?? .nothingFound }
        lastBatch.shownSince += 1
        return reference
    }

    private func isUsable(_ reference: GIFReference) -> Bool { health.isUsable(.files(reference.provider)) }

    private var hasUsable: Bool { shuffle.contains(where: isUsable) }

    private var mayRefill: Bool {
        shuffle.knowsNone || lastBatch.freshCount >= Self.refillBelow || lastBatch.shownSince >= Self.spacing
            || (shuffle.count == 0 && lastBatch.freshCount > 0)
    }

    private func refill() {
        guard refillTask == nil, reconnection.wait == nil else { return }
        // Otherwise the task would keep the feed alive, and `deinit` could not cancel the request.
        refillTask = Task { [weak self, repository, preferences] in
            do throws(Failure) {
                let page = try await repository.random(preferences)
                await self?.add(page)
            } catch {
                await self?.recordFailure(error)
            }
        }
    }

    private func add(_ page: ResultPage) {
        let fresh = shuffle.add(page.items)
        lastBatch = Batch(
            freshCount: fresh, error: page.items.isEmpty ? .nothingFound : nil, failures: page.sourceFailures)
        endRefill(isOffline: page.isLocal && page.sourceFailures.indicateOffline)
    }

    private func recordFailure(_ error: Failure) {
        lastBatch = Batch(error: error)
        if case .exhausted(let sourceFailures) = error.kind { lastBatch.failures = sourceFailures }
        endRefill(isOffline: error.isOffline)
    }

    private func endRefill(isOffline: Bool) {
        refillTask = nil
        reconnection.failedAttempts = isOffline ? reconnection.failedAttempts + 1 : 0
        guard isOffline, reconnects else { return nextAttempt.withLock { $0 = nil } }
        let seconds = Failure.reconnectionSeconds(after: reconnection.failedAttempts)
        nextAttempt.withLock { $0 = health.now() + .seconds(seconds) }
        reconnection.wait = Task { [weak self, clock] in
            try? await clock.wait(milliseconds: seconds * 1_000)
            await self?.retryIfDue()
        }
    }

    // MARK: - Reconnecting

    /// Queries the services, because a file could not be fetched.
    public func checkConnection() { if reconnects { refill() } }

    /// Queries the services now if there is no connection, and begins again with the shortest wait.
    public func reconnectNow() {
        guard let wait = reconnection.wait else { return }
        wait.cancel()
        reconnection.failedAttempts = 0
        reconnect()
    }

    private func retryIfDue() {
        // Cancelled if the user did not want to wait.
        if !Task.isCancelled { reconnect() }
    }

    private func reconnect() {
        reconnection.wait = nil
        health.endCoolDowns()
        refill()
    }
}

/// GIFs in random order. Each is returned once before one is repeated.
struct GIFShuffle {
    /// In reverse order: the last element is returned first.
    private var queue: [GIFReference] = []
    /// Oldest first. If there are more than `limit`, the oldest are removed.
    private var known: [GIFReference] = []
    private var seen: Set<String> = []
    private var lastTaken: String?
    /// Whether known GIFs are repeated until new GIFs are added.
    private(set) var isRepeating = false
    private let limit: Int
    /// Stored as `any`, because a generator of a generic type could have size zero. TSan would then report each
    /// mutation of the generator as a race on the whole actor that stores it.
    private var generator: any RandomNumberGenerator & Sendable

    init(limit: Int, _ generator: any RandomNumberGenerator & Sendable) {
        self.limit = limit
        self.generator = generator
    }

    /// The number of GIFs before the next repetition.
    var count: Int { queue.count }
    var knowsNone: Bool { known.isEmpty }

    func contains(where isUsable: (GIFReference) -> Bool) -> Bool { queue.contains(where: isUsable) }

    mutating func take(where isUsable: (GIFReference) -> Bool) -> GIFReference? {
        guard let index = queue.lastIndex(where: isUsable) else { return nil }
        let reference = queue.remove(at: index)
        lastTaken = Self.identity(reference)
        return reference
    }

    /// - Returns: the number of new GIFs.
    mutating func add(_ items: [GIFReference]) -> Int {
        let fresh = items.filter { seen.insert(Self.identity($0)).inserted }
        known += fresh
        if known.count > limit {
            for old in known.prefix(known.count - limit) { seen.remove(Self.identity(old)) }
            known.removeFirst(known.count - limit)
        }
        let shuffled = fresh.shuffled(using: &generator)
        if isRepeating, !shuffled.isEmpty {
            queue = shuffled
            isRepeating = false
        } else {
            queue.insert(contentsOf: shuffled, at: 0)
        }
        // The GIFs of this machine are a substitute, so they come after those of the services.
        queue = queue.filter(\.isLocal) + queue.filter { !$0.isLocal }
        return fresh.count
    }

    /// Begins a new random order, which does not begin with the last returned GIF.
    mutating func repeatKnown() {
        isRepeating = true
        queue = known.shuffled(using: &generator)
        if queue.count > 1, queue.last.map(Self.identity) == lastTaken { queue.swapAt(0, queue.count - 1) }
    }

    private static func identity(_ reference: GIFReference) -> String { reference.provider + ":" + reference.id }
}
