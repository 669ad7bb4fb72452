import Application
import Catalog
import Gallery

/// The gallery's feeds, answered by the services.
struct ServiceListings: ListingSource {
    private let repository: any GIFRepository
    private let online: Online
    private let feed: RandomFeed
    /// By name, for the listings of one source alone.
    private let sources: [String: any GIFRepository]
    /// By name without `r/`.
    private let communities: [String: any GIFRepository]

    init(_ online: Online) throws(Complaint) {
        self.online = online
        repository = try online.repository()
        feed = RandomFeed(repository, preferences: online.settings.preferences)
        var sources: [String: any GIFRepository] = [:]
        for profile in GIFSources.profiles where !online.settings.isOffline {
            sources[profile.name] = try? GIFSources.repository(
                named: profile.name, settings: online.settings.catalog, client: online.client)
        }
        self.sources = sources
        communities = Communities.repositories(online)
    }

    func page(of feed: Feed, after page: PageToken?) async throws(CatalogError) -> ResultPage {
        guard online.settings.isOffline else { return try await asked(feed, page) }
        // What is carried stands in for a first page, and says of itself that it only does that.
        guard page == nil else { throw Self.nobodyAsked.reason }
        var found = try await asked(feed, nil)
        found.passedOver = [Self.nobodyAsked]
        return found
    }

    private static let nobodyAsked = SourceFailure(
        source: "network", reason: .transport(.unreachable(host: "network", reason: "--offline")))

    private func asked(_ feed: Feed, _ page: PageToken?) async throws(CatalogError) -> ResultPage {
        var preferences = online.settings.preferences
        // The gallery keeps what it has seen itself; when it asks, it wants to know.
        preferences.asksAnew = page == nil
        let found: ResultPage
        switch feed {
        case .search(let words):
            found = try await repository.search(SearchQuery(words, preferences: preferences), page: page)
        case .trending(nil): found = try await repository.trending(preferences, page: page)
        case .trending(let source?):
            guard let repository = sources[source] else { throw .notOffered }
            found = try await repository.trending(preferences, page: page)
        // The store answers these.
        case .favourites, .history: found = ResultPage(items: [])
        case .community(let name):
            guard let community = communities[name] else { throw .notOffered }
            found = try await community.trending(preferences, page: page)
        }
        online.failures.note(found.passedOver)
        return found
    }

    func atRandom() async throws(CatalogError) -> GIFReference { try await feed.next() }
}
