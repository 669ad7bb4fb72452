/// Several sources as one: each is asked in turn until one brings something that can be played.
///
/// Falls through on zero usable hits and on every failure; the one that failed is left alone for a
/// while. A chain of one link gives that link's own error.
public struct ServiceChain: GIFRepository {
    /// A source, and whether it takes time on the line.
    public struct Link: Sendable {
        public var repository: any GIFRepository
        /// Asked only while the call's time lasts, and left alone after a failure.
        public var isOnline: Bool

        public init(_ repository: any GIFRepository, isOnline: Bool = true) {
            self.repository = repository
            self.isOnline = isOnline
        }
    }

    public let links: [Link]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let cooldowns = Cooldowns()

    public init(_ links: [Link], now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.links = links
        self.now = now
    }

    public var name: String { links.count == 1 ? links[0].repository.name : "chain" }

    /// The sources that are left alone now, and why.
    public func coolingDown() async -> [SourceFailure] { await cooldowns.failures(at: now()) }

    /// Ends every cool-down: the next call queries all sources again.
    public func liftCooldowns() async { await cooldowns.lift() }

    public func search(_ query: SearchQuery, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try await first(query.preferences, page) { (link, preferences) async throws(CatalogError) in
            try await link.search(SearchQuery(query.words, preferences: preferences), page: page)
        }
    }

    public func trending(_ preferences: Preferences, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try await first(preferences, page) { (link, preferences) async throws(CatalogError) in
            try await link.trending(preferences, page: page)
        }
    }

    public func random(_ preferences: Preferences) async throws(CatalogError) -> ResultPage {
        try await first(preferences, nil) { (link, preferences) async throws(CatalogError) in
            try await link.random(preferences)
        }
    }

    private typealias Asking =
        @Sendable (any GIFRepository, Preferences) async throws(CatalogError) -> ResultPage

    private func first(
        _ preferences: Preferences, _ page: PageToken?, _ asking: Asking
    ) async throws(CatalogError) -> ResultPage {
        let deadline = now() + .milliseconds(preferences.budgetMilliseconds)
        if let page {
            // A second page is of one source alone: what another would bring is no continuation.
            guard let link = links.first(where: { $0.repository.name == page.source }) else {
                throw .foreignPage(source: page.source)
            }
            return try await ask(link, preferences, deadline, asking)
        }
        var failures: [SourceFailure] = []
        for link in links {
            do throws(CatalogError) {
                var found = try await ask(link, preferences, deadline, asking)
                guard found.items.isEmpty else {
                    found.passedOver = failures + found.passedOver
                    return found
                }
                failures.append(SourceFailure(source: link.repository.name, reason: .nothingFound))
            } catch {
                guard error != .cancelled else { throw error }
                failures.append(SourceFailure(source: link.repository.name, reason: error))
            }
        }
        return try nothing(failures)
    }

    private func ask(
        _ link: Link, _ preferences: Preferences, _ deadline: ContinuousClock.Instant, _ asking: Asking
    ) async throws(CatalogError) -> ResultPage {
        guard !Task.isCancelled else { throw .cancelled }
        guard link.isOnline else { return try await asking(link.repository, preferences) }
        let source = link.repository.name
        if let seconds = await cooldowns.seconds(source, at: now()) {
            throw .coolingDown(seconds: seconds)
        }
        let left = (deadline - now()).wholeMilliseconds
        guard left > 0 else { throw .outOfTime }
        var preferences = preferences
        preferences.budgetMilliseconds = left
        do throws(CatalogError) {
            return try await asking(link.repository, preferences)
        } catch {
            await cooldowns.note(error, of: source, at: now())
            throw error
        }
    }

    /// An empty page if every source knew nothing, else the error that says who failed.
    private func nothing(_ failures: [SourceFailure]) throws(CatalogError) -> ResultPage {
        if failures.allSatisfy({ $0.reason == .nothingFound || $0.reason == .notOffered }) {
            return ResultPage(items: [], passedOver: failures)
        }
        if links.count == 1, let failure = failures.first { throw failure.reason }
        throw .exhausted(failures)
    }
}
