import Application
import Catalog
import Gallery

/// Loads the gallery's feeds from the services.
struct ServiceListings: ListingSource {
    private let repository: any GIFRepository
    private let loader: GIFLoader
    private let feed: RandomFeed
    /// The repositories for feeds of a single source, by name of the source.
    private let sources: [String: any GIFRepository]
    /// The repositories of the communities, by name of the community without `r/`.
    private let communities: [String: any GIFRepository]

    init(_ loader: GIFLoader) throws(CommandError) {
        self.loader = loader
        repository = try loader.repository()
        feed = RandomFeed(repository, preferences: loader.settings.preferences)
        var sources: [String: any GIFRepository] = [:]
        for profile in GIFSources.profiles where !loader.settings.isOffline {
            sources[profile.name] = try? GIFSources.repository(
                named: profile.name, settings: loader.settings.catalog, client: loader.client)
        }
        self.sources = sources
        communities = Communities.repositories(loader)
    }

    func page(of feed: Feed, after page: PageToken?) async throws(CatalogError) -> ResultPage {
        guard loader.settings.isOffline else { return try await query(feed, page) }
        // If gifplay is offline, the built-in samples replace the first page, and `sourceFailures` reports that the
        // network was not used.
        guard page == nil else { throw Self.offlineFailure.reason }
        var found = try await query(feed, nil)
        found.sourceFailures = [Self.offlineFailure]
        return found
    }

    private static let offlineFailure = SourceFailure(
        source: "network", reason: .transport(.unreachable(host: "network", reason: "--offline")))

    private func query(_ feed: Feed, _ page: PageToken?) async throws(CatalogError) -> ResultPage {
        var preferences = loader.settings.preferences
        // The gallery stores listings itself, so a query for a first page bypasses the response cache and goes to the
        // service.
        preferences.bypassesCache = page == nil
        let found: ResultPage
        switch feed {
        case .search, .trending(nil): return try await queryChain(feed, page, preferences)
        case .trending(let source?):
            guard let repository = sources[source] else { throw .notOffered }
            found = try await repository.trending(preferences, page: page)
        // The gallery's store provides the items of these feeds.
        case .favourites, .history: found = ResultPage(items: [])
        case .community(let name):
            guard let community = communities[name] else { throw .notOffered }
            found = try await community.trending(preferences, page: page)
        }
        loader.failures.record(found.sourceFailures)
        return found
    }

    private func queryChain(
        _ feed: Feed, _ page: PageToken?, _ preferences: ListingPreferences
    ) async throws(CatalogError) -> ResultPage {
        var found: ResultPage
        do throws(CatalogError) {
            if case .search(let query) = feed {
                found = try await repository.search(SearchQuery(query, preferences: preferences), page: page)
            } else {
                found = try await repository.trending(preferences, page: page)
            }
        } catch .exhausted(let failures) {
            throw .exhausted(await withCauses(failures))
        } catch {
            let failure = SourceFailure(source: page?.source ?? repository.name, reason: error)
            throw await withCauses([failure]).first?.reason ?? error
        }
        loader.failures.record(found.sourceFailures)
        found.sourceFailures = await withCauses(found.sourceFailures)
        return found
    }

    /// Replaces each failure "in a cool-down" by the network error that caused the cool-down, if there was one. The
    /// message then blames the network and not the source.
    private func withCauses(_ failures: [SourceFailure]) async -> [SourceFailure] {
        guard let chain = repository as? ServiceChain else { return failures }
        let causes = await chain.coolingDown()
        return failures.map { failure in
            guard case .coolingDown = failure.reason, let cause = causes.first(where: { $0.source == failure.source }),
                case .transport = cause.reason
            else { return failure }
            return cause
        }
    }

    func endCooldowns() async { await (repository as? ServiceChain)?.endCooldowns() }

    func randomItem() async throws(CatalogError) -> GIFReference { try await feed.next() }
}
