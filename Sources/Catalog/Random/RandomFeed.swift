/// An endless feed of shuffled GIFs from the random batches of a repository.
///
/// No GIF repeats before every known GIF was returned once. If few GIFs are left, the feed fetches a new batch in
/// the background; if none is left, it waits for the batch. If a batch fails or brings nothing new, the feed
/// repeats the known GIFs and fetches again only after it has returned some more: a switch every ten seconds must
/// not cost one request each.
public actor RandomFeed {
    private let repository: any GIFRepository
    private let preferences: Preferences
    private let refillBelow: Int
    private let spacing: Int
    private let memory: Int
    /// Stored as `any`: with a zero-sized generic, TSan reports each mutation as a race on the whole actor.
    private var generator: any RandomNumberGenerator & Sendable
    /// The GIFs to return next, the last one first.
    private var queue: [GIFReference] = []
    /// The GIFs of the current round and of earlier ones, oldest first, at most `memory`.
    private var known: [GIFReference] = []
    private var seen: Set<String> = []
    private var lastShown: String?
    /// Whether the queue contains only GIFs that were returned before.
    private var isRepeating = false
    private var freshInLastBatch = 0
    private var shownSinceBatch = 0
    private(set) var refilling: Task<Void, Never>?
    private(set) var lastError: CatalogError?
    private var passedOver: [SourceFailure] = []

    /// - Parameters:
    ///   - refillBelow: the queue length below which the feed fetches a new batch.
    ///   - spacing: how many GIFs are returned between a batch that brought little and the next one.
    ///   - memory: the maximum number of known GIFs.
    public init(
        _ repository: any GIFRepository, preferences: Preferences = Preferences(), refillBelow: Int = 5,
        spacing: Int = 10, memory: Int = 500,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.repository = repository
        self.preferences = preferences
        self.refillBelow = refillBelow
        self.spacing = spacing
        self.memory = max(1, memory)
        self.generator = generator
    }

    deinit { refilling?.cancel() }

    /// Returns the next GIF. Waits for a batch only if the queue has no usable GIF.
    /// - Parameter avoided: sources whose media cannot be loaded now. The feed skips their GIFs, and the next batch
    ///   comes from another source.
    public func next(avoiding avoided: Set<String> = []) async throws(CatalogError) -> GIFReference {
        if queue.count < refillBelow || isRepeating, mayRefill { refill(avoided) }
        if !hasUsable(avoided) {
            await refilling?.value
            // The pending batch may have come from an avoided source.
            if !hasUsable(avoided), !avoided.isEmpty {
                refill(avoided)
                await refilling?.value
            }
        }
        if !hasUsable(avoided) { beginAgain() }
        guard let place = queue.lastIndex(where: { !avoided.contains($0.provider) }) else {
            throw lastError ?? .nothingFound
        }
        let reference = queue.remove(at: place)
        lastShown = Self.identity(reference)
        shownSinceBatch += 1
        return reference
    }

    private func hasUsable(_ avoided: Set<String>) -> Bool {
        queue.contains { !avoided.contains($0.provider) }
    }

    private var mayRefill: Bool {
        known.isEmpty || freshInLastBatch >= refillBelow || (queue.isEmpty && freshInLastBatch > 0)
            || shownSinceBatch >= spacing
    }

    /// The sources that returned no results for the last batch.
    public var failures: [SourceFailure] { passedOver }

    private func refill(_ avoided: Set<String>) {
        guard refilling == nil else { return }
        var preferences = preferences
        preferences.avoided = avoided
        // Weak, so that releasing the feed also cancels its request.
        refilling = Task { [weak self, repository, preferences] in
            do throws(CatalogError) {
                let page = try await repository.random(preferences)
                await self?.take(page)
            } catch {
                await self?.note(error)
            }
        }
    }

    private func take(_ page: ResultPage) {
        lastError = page.items.isEmpty ? .nothingFound : nil
        passedOver = page.passedOver
        let fresh = page.items.filter { seen.insert(Self.identity($0)).inserted }
        known += fresh
        if known.count > memory {
            for old in known.prefix(known.count - memory) { seen.remove(Self.identity(old)) }
            known.removeFirst(known.count - memory)
        }
        let shuffled = fresh.shuffled(using: &generator)
        if isRepeating, !shuffled.isEmpty {
            // New GIFs end the repetition of known ones.
            queue = shuffled
            isRepeating = false
        } else {
            queue.insert(contentsOf: shuffled, at: 0)
        }
        batchEnded(fresh: fresh.count)
    }

    private func note(_ error: CatalogError) {
        lastError = error
        if case .exhausted(let failures) = error { passedOver = failures } else { passedOver = [] }
        batchEnded(fresh: 0)
    }

    private func batchEnded(fresh: Int) {
        freshInLastBatch = fresh
        shownSinceBatch = 0
        refilling = nil
    }

    /// Starts a new round of all known GIFs, which does not begin with the last one returned.
    private func beginAgain() {
        isRepeating = true
        queue = known.shuffled(using: &generator)
        if queue.count > 1, queue.last.map(Self.identity) == lastShown { queue.swapAt(0, queue.count - 1) }
    }

    private static func identity(_ reference: GIFReference) -> String { reference.provider + ":" + reference.id }
}
