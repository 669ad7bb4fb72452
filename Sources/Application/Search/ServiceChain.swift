import Base
import Catalog

/// Several sources combined into one: each listing is a ``Search`` among them.
///
/// If a source fails or has no hit that matches the query, the search immediately falls back to the next source. If a
/// source is silent, the next one is asked in parallel. A chain of one source throws its own error.
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

    static let name = "chain"

    public let links: [Link]
    let health: SourceHealth
    private let wait: @Sendable (Duration) async throws -> Void
    /// The searches whose late answers a later page can use.
    private let loops = Monitor<[ChainListing.Kind: SearchLoop]>([:])

    public init(
        _ links: [Link], health: SourceHealth = SourceHealth(),
        wait: @escaping @Sendable (Duration) async throws -> Void = SearchLoop.systemWait
    ) {
        (self.links, self.health, self.wait) = (links, health, wait)
    }

    public var name: String { links.count == 1 ? links[0].repository.name : Self.name }

    public func search(_ query: SearchQuery, page: PageToken?) async throws(Failure) -> ResultPage {
        var plain = query
        plain.preferences = query.preferences.forComparison
        return try await requestPage(.search(plain), query.preferences, page)
    }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(Failure) -> ResultPage {
        try await requestPage(.trending(preferences.forComparison), preferences, page)
    }

    public func random(_ preferences: ListingPreferences) async throws(Failure) -> ResultPage {
        try await requestPage(.random, preferences, nil)
    }

    private func requestPage(
        _ kind: ChainListing.Kind, _ preferences: ListingPreferences, _ page: PageToken?
    ) async throws(Failure) -> ResultPage {
        let loop = loops.withLock { loops in
            // A new listing ends the others, but any later call for random GIFs can use the answers for these.
            if page == nil, kind != .random { loops = loops.filter { $0.key == .random } }
            let loop = loops[kind] ?? self.loop(kind, preferences)
            loops[kind] = loop
            return loop
        }
        return try await loop.page(after: page, preferences)
    }

    /// The results of a query, for a player.
    public func results(of query: SearchQuery) -> SearchLoop { loop(.search(query), query.preferences) }

    /// The trending GIFs, for a player.
    public func trendingItems(_ preferences: ListingPreferences) -> SearchLoop {
        loop(.trending(preferences.forComparison), preferences)
    }

    private func loop(_ kind: ChainListing.Kind, _ preferences: ListingPreferences) -> SearchLoop {
        let query = kind.query?.text
        let ranking = query.map { ResultRanking($0) }
        let listing = ChainListing(kind: kind, steps: steps(for: query, isWidened: ranking?.hasSeveralTerms ?? false))
        return SearchLoop(
            Search(.results, listing.steps.map(\.step), ranking: ranking), in: .sources(listing), health: health,
            preferences: preferences, wait: wait)
    }

    /// The first group asks for all terms of the query, in the sources up to and including the last online source. If
    /// the query has several terms (`isWidened`), the second group asks for any of them, in the online sources. The last
    /// group contains the remaining sources, which need no network.
    private func steps(for query: String?, isWidened: Bool) -> [(link: Link, step: Search.Step)] {
        let lastOnline = links.lastIndex(where: \.isOnline) ?? -1
        let leading = interested(Array(links[..<(lastOnline + 1)]), in: query)
        let online = isWidened ? leading.filter(\.isOnline) : []
        return leading.map { ($0, step(for: $0)) }
            + online.map { ($0, step(for: $0, matchesAnyTerm: true, group: 1)) }
            + links[(lastOnline + 1)...].map { ($0, step(for: $0, group: 2)) }
    }

    private func step(for link: Link, matchesAnyTerm: Bool = false, group: Int = 0) -> Search.Step {
        Search.Step(
            source: link.repository.name, matchesAnyTerm: matchesAnyTerm, isOnline: link.isOnline, group: group)
    }

    /// The links that can have something for the query, or for other listings; those that have exactly this come first.
    private func interested(_ links: [Link], in query: String?) -> [Link] {
        guard self.links.count > 1 else { return links }
        let rated = links.map { (link: $0, interest: $0.repository.interest(in: query)) }
        return rated.filter { $0.interest == .first }.map(\.link) + rated.filter { $0.interest == .usual }.map(\.link)
    }
}

/// A listing of the sources of a chain, and how each of them is asked for it.
struct ChainListing: Sendable {
    enum Kind: Hashable, Sendable {
        case search(SearchQuery)
        case trending(ListingPreferences)
        case random

        var query: SearchQuery? { if case .search(let query) = self { query } else { nil } }
    }

    let kind: Kind
    let steps: [(link: ServiceChain.Link, step: Search.Step)]

    func page(
        of step: Int, after page: PageToken?, _ preferences: ListingPreferences
    ) async throws(Failure) -> ResultPage {
        let repository = steps[step].link.repository
        switch kind {
        case .search(var query):
            query.preferences = preferences
            query.matchesAnyTerm = steps[step].step.matchesAnyTerm
            return try await repository.search(query, page: page)
        case .trending: return try await repository.trending(preferences, page: page)
        case .random: return try await repository.random(preferences)
        }
    }
}

/// Where a search requests its pages.
enum PageSource: Sendable {
    case sources(ChainListing)
    case feed(any ItemFeed)

    /// - Parameter step: the index of the ``Search/Step``. A feed has only one.
    func page(
        of step: Int, after page: PageToken?, _ preferences: ListingPreferences
    ) async throws(Failure) -> ResultPage {
        switch self {
        case .sources(let listing): try await listing.page(of: step, after: page, preferences)
        case .feed(let feed): try await feed.next()
        }
    }
}

/// The position in a chain's listing: the finished steps, and the next page of the current source.
struct ChainPosition: Equatable {
    /// The names of ``Search/Step``s.
    var finishedSteps: Set<String> = []
    /// The current source's own token; nil if the next page is the first page of a source.
    var token: PageToken?

    init(finishedSteps: Set<String> = [], token: PageToken? = nil) {
        (self.finishedSteps, self.token) = (finishedSteps, token)
    }

    init(_ page: PageToken) {
        finishedSteps = Set(page.finishedSteps ?? [])
        // Without parameters, a token with finished steps stands for the first page of the next source.
        if page.finishedSteps == nil || !page.parameters.isEmpty {
            token = PageToken(source: page.source, parameters: page.parameters)
        }
    }

    func pageToken(source: String) -> PageToken {
        PageToken(
            source: source, parameters: token?.parameters ?? [:],
            finishedSteps: finishedSteps.isEmpty ? nil : finishedSteps.sorted())
    }
}
