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
    private let refillBelow: Int
    private let spacing: Int
    private let knownLimit: Int
    private let reconnects: Bool
    private let clock: any WaitClock
    /// Stored as `any`, because a generator of a generic type could have size zero. TSan would then report each
    /// mutation of the generator as a race on the whole actor.
    private var generator: any RandomNumberGenerator & Sendable
    /// In reverse order: the last element is returned first.
    private var queue: [GIFReference] = []
    /// Oldest first. If there are more than `knownLimit`, the oldest are removed.
    private var known: [GIFReference] = []
    private var seen: Set<String> = []
    private var lastShown: String?
    /// Whether the queue contains known GIFs, which are repeated until a batch contains new GIFs.
    private var isRepeating = false
    private var freshInLastBatch = 0
    private var shownSinceBatch = 0
    private(set) var refillTask: Task<Void, Never>?
    private(set) var lastError: CatalogError?
    /// The wait for the next attempt while there is no connection.
    private(set) var retryTask: Task<Void, Never>?
    private var failedAttempts = 0
    private let nextAttempt = Monitor<ContinuousClock.Instant?>(nil)
    /// The sources that returned no results for the last batch.
    public private(set) var failures: [SourceFailure] = []

    /// - Parameters:
    ///   - refillBelow: the queue length below which the feed fetches a new batch.
    ///   - spacing: the number of GIFs that the feed returns between a batch with few new GIFs and the request for the
    ///     next batch.
    ///   - knownLimit: the maximum number of known GIFs.
    public init(
        _ repository: any GIFRepository, preferences: ListingPreferences = ListingPreferences(),
        health: SourceHealth = SourceHealth(), refillBelow: Int = 5, spacing: Int = 10, knownLimit: Int = 500,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), reconnects: Bool = false,
        clock: any WaitClock = SystemWaitClock()
    ) {
        self.repository = repository
        self.preferences = preferences
        self.reconnects = reconnects
        self.clock = clock
        self.health = health
        self.refillBelow = refillBelow
        self.spacing = spacing
        self.knownLimit = max(1, knownLimit)
        self.generator = generator
    }

    deinit {
        refillTask?.cancel()
        retryTask?.cancel()
    }

    /// The time of the next attempt to query the services; nil if there is a connection or `reconnects` is false.
    public nonisolated var retryTime: ContinuousClock.Instant? { nextAttempt.withLock { $0 } }

    /// Skips GIFs whose source cannot deliver files now. Waits for a batch, or for a connection, only if the queue has no
    /// other GIF.
    public func next() async throws(CatalogError) -> GIFReference {
        if queue.count < refillBelow || isRepeating, mayRefill { refill() }
        if usable == nil {
            await refillTask?.value
            // The batch might contain only unusable GIFs, because its request began before their source failed.
            if usable == nil, !queue.isEmpty {
                refill()
                await refillTask?.value
            }
        }
        if usable == nil { repeatKnown() }
        while usable == nil, !Task.isCancelled, let attempt = refillTask ?? retryTask { await attempt.value }
        guard let usable else { throw lastError ?? .nothingFound }
        let reference = queue.remove(at: usable)
        lastShown = Self.identity(reference)
        shownSinceBatch += 1
        return reference
    }

    private var usable: Int? { queue.lastIndex { health.isUsable(.files($0.provider)) } }

    private var mayRefill: Bool {
        known.isEmpty || freshInLastBatch >= refillBelow || (queue.isEmpty && freshInLastBatch > 0)
            || shownSinceBatch >= spacing
    }

    private func refill() {
        guard refillTask == nil, retryTask == nil else { return }
        // Otherwise the task would keep the feed alive, and `deinit` could not cancel the request.
        refillTask = Task { [weak self, repository, preferences] in
            do throws(CatalogError) {
                let page = try await repository.random(preferences)
                await self?.add(page)
            } catch {
                await self?.recordFailure(error)
            }
        }
    }

    private func add(_ page: ResultPage) {
        lastError = page.items.isEmpty ? .nothingFound : nil
        failures = page.sourceFailures
        let fresh = page.items.filter { seen.insert(Self.identity($0)).inserted }
        known += fresh
        if known.count > knownLimit {
            for old in known.prefix(known.count - knownLimit) { seen.remove(Self.identity(old)) }
            known.removeFirst(known.count - knownLimit)
        }
        let shuffled = fresh.shuffled(using: &generator)
        if isRepeating, !shuffled.isEmpty {
            // The queue contains known GIFs, which are being repeated. The new GIFs replace them.
            queue = shuffled
            isRepeating = false
        } else {
            queue.insert(contentsOf: shuffled, at: 0)
        }
        // The GIFs of this machine are a substitute, so they come after those of the services.
        queue = queue.filter(\.isLocal) + queue.filter { !$0.isLocal }
        endRefill(fresh: fresh.count, isOffline: page.isLocal && page.sourceFailures.indicateOffline)
    }

    private func recordFailure(_ error: CatalogError) {
        lastError = error
        if case .exhausted(let sourceFailures) = error { failures = sourceFailures } else { failures = [] }
        endRefill(fresh: 0, isOffline: error.isOffline)
    }

    private func endRefill(fresh: Int, isOffline: Bool) {
        freshInLastBatch = fresh
        shownSinceBatch = 0
        refillTask = nil
        failedAttempts = isOffline ? failedAttempts + 1 : 0
        guard isOffline, reconnects else { return nextAttempt.withLock { $0 = nil } }
        let seconds = Reconnection.seconds(after: failedAttempts)
        nextAttempt.withLock { $0 = health.now() + .seconds(seconds) }
        retryTask = Task { [weak self, clock] in
            try? await clock.wait(milliseconds: seconds * 1_000)
            await self?.retryIfDue()
        }
    }

    // MARK: - Reconnecting

    /// Queries the services, because a file could not be fetched.
    public func checkConnection() { if reconnects { refill() } }

    /// Queries the services now if there is no connection, and begins again with the shortest wait.
    public func retryNow() {
        guard let retryTask else { return }
        retryTask.cancel()
        failedAttempts = 0
        reconnect()
    }

    private func retryIfDue() {
        // Cancelled if the user did not want to wait.
        if !Task.isCancelled { reconnect() }
    }

    private func reconnect() {
        retryTask = nil
        health.endCoolDowns()
        refill()
    }

    /// The new random order does not begin with the last returned GIF.
    private func repeatKnown() {
        isRepeating = true
        queue = known.shuffled(using: &generator)
        if queue.count > 1, queue.last.map(Self.identity) == lastShown { queue.swapAt(0, queue.count - 1) }
    }

    private static func identity(_ reference: GIFReference) -> String { reference.provider + ":" + reference.id }
}
