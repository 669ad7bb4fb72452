import Application
import Catalog
import Gallery

/// The gallery's feeds, answered by the services.
struct ServiceListings: ListingSource {
    private let repository: any GIFRepository
    private let online: Online
    private let feed: RandomFeed<SystemRandomNumberGenerator>
    /// By name, for the listings of one source alone.
    private let sources: [String: any GIFRepository]

    init(_ online: Online) throws(Complaint) {
        self.online = online
        repository = try online.repository()
        feed = RandomFeed(
            repository, preferences: online.settings.preferences, generator: SystemRandomNumberGenerator())
        var sources: [String: any GIFRepository] = [:]
        for profile in GIFSources.profiles where !online.settings.isOffline {
            sources[profile.name] = try? GIFSources.repository(
                named: profile.name, settings: online.settings.catalog, client: online.client)
        }
        self.sources = sources
    }

    func page(of feed: Feed, after page: PageToken?) async throws(CatalogError) -> ResultPage {
        let preferences = online.settings.preferences
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
        case .community: throw .notOffered
        }
        online.failures.note(found.passedOver)
        return found
    }

    func atRandom() async throws(CatalogError) -> GIFReference { try await feed.next() }
}
