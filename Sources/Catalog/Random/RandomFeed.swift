/// GIFs without end, in no order: batches of what a repository calls random, shuffled.
///
/// Nothing comes twice before everything known came once. With few left a new batch is fetched
/// aside, and with none left it is waited for; where none can be had, or it brings nothing new, the feed goes
/// on with what it knows and asks again only after some more were shown: a turn every ten seconds may
/// not be a call each.
public actor RandomFeed {
    private let repository: any GIFRepository
    private let preferences: Preferences
    private let refillBelow: Int
    private let spacing: Int
    private let memory: Int
    /// Any, which has a size: of one without the thread sanitizer takes the changing for that of the whole actor.
    private var generator: any RandomNumberGenerator & Sendable
    /// To come, last first.
    private var queue: [GIFReference] = []
    /// Everything of the present round and of those before it, oldest first.
    private var known: [GIFReference] = []
    private var seen: Set<String> = []
    private var lastShown: String?
    /// Whether the queue holds only what had been shown before.
    private var isRepeating = false
    private var freshInLastBatch = 0
    private var shownSinceBatch = 0
    private(set) var refilling: Task<Void, Never>?
    private(set) var lastError: CatalogError?
    private var passedOver: [SourceFailure] = []

    /// `memory` bounds how many references are known at once; `spacing` is how many are shown
    /// between a batch of little use and the next.
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

    /// The next GIF; waits for a batch only when there is nothing unseen to show.
    /// - Parameter avoided: sources whose files cannot be had now; the next batch is another source's.
    public func next(avoiding avoided: Set<String> = []) async throws(CatalogError) -> GIFReference {
        if queue.count < refillBelow || isRepeating, mayRefill { refill(avoided) }
        if !hasUsable(avoided) {
            await refilling?.value
            // The batch that was under way may have been one more of those.
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

    /// The sources that gave nothing to the last batch.
    public var failures: [SourceFailure] { passedOver }

    private func refill(_ avoided: Set<String>) {
        guard refilling == nil else { return }
        var preferences = preferences
        preferences.avoided = avoided
        // Weakly, so that a feed that nobody asks any more ends its request with itself.
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
            // What is new ends the round of what was shown before.
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

    /// A new round of everything known, which does not begin with what was shown last.
    private func beginAgain() {
        isRepeating = true
        queue = known.shuffled(using: &generator)
        if queue.count > 1, queue.last.map(Self.identity) == lastShown { queue.swapAt(0, queue.count - 1) }
    }

    private static func identity(_ reference: GIFReference) -> String { reference.provider + ":" + reference.id }
}
