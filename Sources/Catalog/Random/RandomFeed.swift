/// An endless feed of shuffled GIFs from the random batches of a repository.
///
/// The feed returns every known GIF once before it repeats one. It fetches a new batch in the background when few GIFs
/// are left, and waits for the batch when none is left. If a batch fails or contains nothing new, the feed returns some
/// known GIFs again before it sends the next request. This limits the number of requests.
public actor RandomFeed {
    private let repository: any GIFRepository
    private let preferences: ListingPreferences
    private let health: SourceHealth
    private let refillBelow: Int
    private let spacing: Int
    private let knownLimit: Int
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
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.repository = repository
        self.preferences = preferences
        self.health = health
        self.refillBelow = refillBelow
        self.spacing = spacing
        self.knownLimit = max(1, knownLimit)
        self.generator = generator
    }

    deinit { refillTask?.cancel() }

    /// Skips GIFs whose source cannot deliver files now. Waits for a batch only if the queue has no other GIF.
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
        guard refillTask == nil else { return }
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
        endRefill(fresh: fresh.count)
    }

    private func recordFailure(_ error: CatalogError) {
        lastError = error
        if case .exhausted(let sourceFailures) = error { failures = sourceFailures } else { failures = [] }
        endRefill(fresh: 0)
    }

    private func endRefill(fresh: Int) {
        freshInLastBatch = fresh
        shownSinceBatch = 0
        refillTask = nil
    }

    /// The new random order does not begin with the last returned GIF.
    private func repeatKnown() {
        isRepeating = true
        queue = known.shuffled(using: &generator)
        if queue.count > 1, queue.last.map(Self.identity) == lastShown { queue.swapAt(0, queue.count - 1) }
    }

    private static func identity(_ reference: GIFReference) -> String { reference.provider + ":" + reference.id }
}
