/// GIFs without end, in no order: batches of what a repository calls random, shuffled.
///
/// Nothing comes twice before everything known came once. With few left a new batch is fetched
/// aside; where none can be had the feed goes on with what it knows.
public actor RandomFeed<Generator: RandomNumberGenerator & Sendable> {
    private let repository: any GIFRepository
    private let preferences: Preferences
    private let refillBelow: Int
    private let memory: Int
    private var generator: Generator
    /// To come, last first.
    private var queue: [GIFReference] = []
    /// Everything of the present round and of those before it, oldest first.
    private var known: [GIFReference] = []
    private var seen: Set<String> = []
    private var lastShown: String?
    private var refilling: Task<Void, Never>?
    private var lastError: CatalogError?
    private var passedOver: [SourceFailure] = []

    /// `memory` bounds how many references are known at once.
    public init(
        _ repository: any GIFRepository, preferences: Preferences = Preferences(), refillBelow: Int = 5,
        memory: Int = 500, generator: Generator
    ) {
        self.repository = repository
        self.preferences = preferences
        self.refillBelow = refillBelow
        self.memory = max(1, memory)
        self.generator = generator
    }

    deinit { refilling?.cancel() }

    /// The next GIF; waits for a batch only when there is nothing else to show.
    public func next() async throws(CatalogError) -> GIFReference {
        if queue.count < refillBelow { refill() }
        if queue.isEmpty { await refilling?.value }
        if queue.isEmpty { beginAgain() }
        guard let reference = queue.popLast() else { throw lastError ?? .nothingFound }
        lastShown = Self.identity(reference)
        return reference
    }

    /// Why the last batch did not come; nil after one that came.
    public var failure: CatalogError? { lastError }

    /// The sources that gave nothing to the last batch.
    public var failures: [SourceFailure] { passedOver }

    /// Ends the fetching aside.
    public func stop() { refilling?.cancel() }

    /// Waits until no batch is being fetched.
    func settled() async { await refilling?.value }

    private func refill() {
        guard refilling == nil else { return }
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
        queue.insert(contentsOf: fresh.shuffled(using: &generator), at: 0)
        refilling = nil
    }

    private func note(_ error: CatalogError) {
        lastError = error
        if case .exhausted(let failures) = error { passedOver = failures } else { passedOver = [] }
        refilling = nil
    }

    /// A new round of everything known, which does not begin with what was shown last.
    private func beginAgain() {
        queue = known.shuffled(using: &generator)
        if queue.count > 1, queue.last.map(Self.identity) == lastShown { queue.swapAt(0, queue.count - 1) }
    }

    private static func identity(_ reference: GIFReference) -> String { reference.provider + ":" + reference.id }
}
