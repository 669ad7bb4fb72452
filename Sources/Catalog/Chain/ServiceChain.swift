import Base

/// Several sources combined into one. The first source with a usable page provides the result.
///
/// If a source fails or has no hit that matches the query, the chain immediately falls back to the next source. If a
/// source is silent, the chain queries the next one in parallel. A chain of one source throws its own error.
public struct ServiceChain: GIFRepository {
    public struct Link: Sendable {
        public var repository: any GIFRepository
        /// Whether it needs the network: it is then queried only within the time budget, and can get a cool-down.
        public var isOnline: Bool

        public init(_ repository: any GIFRepository, isOnline: Bool = true) {
            self.repository = repository
            self.isOnline = isOnline
        }
    }

    public let links: [Link]
    let health: SourceHealth
    let firstPages = FirstPages()
    private let hedge: HedgedAttempts

    public init(
        _ links: [Link], hedge: HedgedAttempts = HedgedAttempts(), health: SourceHealth = SourceHealth()
    ) {
        self.links = links
        self.health = health
        self.hedge = hedge
    }

    public var name: String { links.count == 1 ? links[0].repository.name : "chain" }

    public func search(_ query: SearchQuery, page: PageToken?) async throws(CatalogError) -> ResultPage {
        var plain = query
        plain.preferences = query.preferences.forComparison
        return try await requestPage(ChainListing(.search(plain), query.preferences), page)
    }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(CatalogError) -> ResultPage {
        try await requestPage(ChainListing(.trending(preferences.forComparison), preferences), page)
    }

    public func random(_ preferences: ListingPreferences) async throws(CatalogError) -> ResultPage {
        try await requestPage(ChainListing(.random, preferences), nil)
    }

    private func requestPage(_ listing: ChainListing, _ page: PageToken?) async throws(CatalogError) -> ResultPage {
        let budget = TimeBudget(.milliseconds(listing.preferences.budgetMilliseconds), now: health.now)
        let position = page.map(ChainPosition.init) ?? ChainPosition()
        guard let following = position.token else {
            if page == nil { await firstPages.cancelListings() }
            return try await firstPage(listing, position, budget)
        }
        // Other sources have different listings, so only the source that returned the token can continue.
        guard let link = links.first(where: { $0.repository.name == following.source }) else {
            throw .foreignPage(source: following.source)
        }
        let step = ChainStep(link: link, matchesAnyTerm: position.finishedSteps.contains(link.repository.name))
        return ranked(try await requestPage(of: step, listing, following, budget).get(), step, listing, position)
    }

    // MARK: - First pages

    private func firstPage(
        _ listing: ChainListing, _ position: ChainPosition, _ budget: TimeBudget
    ) async throws(CatalogError) -> ResultPage {
        let race = ChainRace(chain: self, hedge: hedge, listing: listing, budget: budget)
        for steps in steps(of: listing) {
            let open = steps.filter { !position.finishedSteps.contains($0.name) && isWanted($0) }
            if let winner = await race.run(open) {
                var position = position
                position.finishedSteps.formUnion(race.stepsWithoutHits)
                var page = ranked(winner.page, winner.step, listing, position)
                page.sourceFailures = race.failures + page.sourceFailures
                return page
            }
            if Task.isCancelled || race.isCancelled {
                await firstPages.cancelListings()
                throw .cancelled
            }
        }
        return try emptyPage(after: race.failures)
    }

    /// The first group searches for all terms of the query, in the sources up to and including the last online source.
    /// If the query has several terms, the second group searches for any of them, in the online sources. The last group
    /// contains the remaining sources, which need no network.
    private func steps(of listing: ChainListing) -> [[ChainStep]] {
        let lastOnline = links.lastIndex(where: \.isOnline) ?? -1
        let leading = interested(Array(links[..<(lastOnline + 1)]), in: listing)
        let first = (leading.filter { !isLast($0) } + leading.filter(isLast)).map { ChainStep(link: $0) }
        let isWidened = listing.ranking?.hasSeveralTerms ?? false
        let wide = isWidened ? first.filter(\.link.isOnline).map { ChainStep(link: $0.link, matchesAnyTerm: true) } : []
        return [first, wide, links[(lastOnline + 1)...].map { ChainStep(link: $0) }]
    }

    /// The links that can have something for the listing; those that have exactly this come first.
    private func interested(_ links: [Link], in listing: ChainListing) -> [Link] {
        guard self.links.count > 1 else { return links }
        var query: String?
        if case .search(let search) = listing.kind { query = search.text }
        let rated = links.map { (link: $0, interest: $0.repository.interest(in: query)) }
        return rated.filter { $0.interest == .first }.map(\.link) + rated.filter { $0.interest == .usual }.map(\.link)
    }

    private func isLast(_ link: Link) -> Bool { health.isQueriedLast(link.repository.name) }

    /// Whether the step can lead to a picture: its source needs no network, or its files can be fetched now.
    private func isWanted(_ step: ChainStep) -> Bool {
        !step.link.isOnline || health.isUsable(.files(step.link.repository.name))
    }

    /// Ranks the page and sets where the listing continues: on the source's next page, or at the next source.
    private func ranked(
        _ page: ResultPage, _ step: ChainStep, _ listing: ChainListing, _ position: ChainPosition
    ) -> ResultPage {
        guard let ranking = listing.ranking else { return page }
        var page = page
        if step.link.isOnline { page.items = ranking.sorted(page.items) }
        let ended = ChainPosition(finishedSteps: position.finishedSteps.union([step.name]))
        let remaining = steps(of: listing).joined().first { !ended.finishedSteps.contains($0.name) }
        page.nextSource = remaining.map { ended.pageToken(source: $0.link.repository.name) }
        page.next =
            page.next.map { next in
                ChainPosition(finishedSteps: position.finishedSteps, token: next).pageToken(source: next.source)
            } ?? page.nextSource
        return page
    }

    // MARK: - One source

    func requestPage(
        of step: ChainStep, _ listing: ChainListing, _ page: PageToken?, _ budget: TimeBudget
    ) async -> Result<ResultPage, CatalogError> {
        let link = step.link
        let source = link.repository.name
        var preferences = listing.preferences
        guard !Task.isCancelled else { return .failure(.cancelled) }
        if link.isOnline {
            if let coolDown = health.coolDown(of: .listings(source)) {
                return .failure(.coolingDown(seconds: coolDown.seconds))
            }
            guard !budget.isSpent else { return .failure(.outOfTime) }
            preferences.budgetMilliseconds = budget.remaining.wholeMilliseconds
        }
        do throws(CatalogError) { return .success(try await listing.page(page, of: step, preferences)) } catch {
            if link.isOnline { health.recordFailure(error, of: source) }
            return .failure(error)
        }
    }

    /// Throws an error instead of an empty page if a source failed. "Nothing found" and "not offered" are no failures.
    private func emptyPage(after failures: [SourceFailure]) throws(CatalogError) -> ResultPage {
        let relevant = failures.first { $0.reason != .nothingFound && $0.reason != .notOffered }
        guard let relevant else { return ResultPage(items: [], sourceFailures: failures) }
        throw links.count == 1 ? relevant.reason : .exhausted(failures)
    }
}

/// A listing of all sources of a chain.
struct ChainListing: Sendable {
    /// Listings with equal kinds share the requests for first pages.
    enum Kind: Hashable, Sendable {
        case search(SearchQuery)
        case trending(ListingPreferences)
        case random
    }

    let kind: Kind
    let preferences: ListingPreferences
    /// The ranking of a search; nil for other listings, which are not ranked. After a source's last page, a search
    /// continues at the next source, and any other listing ends.
    let ranking: ResultRanking?

    init(_ kind: Kind, _ preferences: ListingPreferences) {
        self.kind = kind
        self.preferences = preferences
        if case .search(let query) = kind { ranking = ResultRanking(query.text) } else { ranking = nil }
    }

    func page(
        _ page: PageToken?, of step: ChainStep, _ preferences: ListingPreferences
    ) async throws(CatalogError) -> ResultPage {
        let repository = step.link.repository
        switch kind {
        case .search(var query):
            query.preferences = preferences
            query.matchesAnyTerm = step.matchesAnyTerm
            return try await repository.search(query, page: page)
        case .trending: return try await repository.trending(preferences, page: page)
        case .random: return try await repository.random(preferences)
        }
    }
}

/// A query to one source of a chain, for hits that match either all search terms or any of them.
struct ChainStep: Sendable {
    var link: ServiceChain.Link
    var matchesAnyTerm = false

    /// The name in a page token. It is unique, because no name of a source contains a colon.
    var name: String { (matchesAnyTerm ? "any:" : "") + link.repository.name }
}

/// The position in a chain's listing: the finished steps, and the next page of the current source.
struct ChainPosition {
    var finishedSteps: Set<String> = []
    /// The current source's own token; nil if the next page is the first page of a source.
    var token: PageToken?

    private static let finishedStepsParameter = "gifplay-done"
}

extension ChainPosition {
    init(_ page: PageToken) {
        var parameters = page.parameters
        let names = parameters.removeValue(forKey: Self.finishedStepsParameter)
        finishedSteps = Set((names ?? "").split(separator: ",").map(String.init))
        // A token whose only parameter is the list of finished steps stands for the first page of the next source.
        if names == nil || !parameters.isEmpty { token = PageToken(source: page.source, parameters: parameters) }
    }

    func pageToken(source: String) -> PageToken {
        var parameters = token?.parameters ?? [:]
        if !finishedSteps.isEmpty {
            parameters[Self.finishedStepsParameter] = finishedSteps.sorted().joined(separator: ",")
        }
        return PageToken(source: source, parameters: parameters)
    }
}
