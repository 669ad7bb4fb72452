import Application
import Catalog
import Gallery

/// Loads the gallery's feeds from the services.
struct ServiceListings: ListingSource {
    private let repository: any GIFRepository
    private let online: Online
    private let feed: RandomFeed
    /// By name of the source, for feeds of a single source.
    private let sources: [String: any GIFRepository]
    /// By name of the community, without `r/`.
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
        // Offline, the built-in samples replace the first page, and `passedOver` reports that the network was not
        // used.
        guard page == nil else { throw Self.nobodyAsked.reason }
        var found = try await asked(feed, nil)
        found.passedOver = [Self.nobodyAsked]
        return found
    }

    private static let nobodyAsked = SourceFailure(
        source: "network", reason: .transport(.unreachable(host: "network", reason: "--offline")))

    private func asked(_ feed: Feed, _ page: PageToken?) async throws(CatalogError) -> ResultPage {
        var preferences = online.settings.preferences
        // The gallery stores listings itself: a query for a first page goes to the service and bypasses the answer
        // cache.
        preferences.asksAnew = page == nil
        let found: ResultPage
        switch feed {
        case .search, .trending(nil): return try await chained(feed, page, preferences)
        case .trending(let source?):
            guard let repository = sources[source] else { throw .notOffered }
            found = try await repository.trending(preferences, page: page)
        // The gallery's store provides these.
        case .favourites, .history: found = ResultPage(items: [])
        case .community(let name):
            guard let community = communities[name] else { throw .notOffered }
            found = try await community.trending(preferences, page: page)
        }
        online.failures.note(found.passedOver)
        return found
    }

    private func chained(
        _ feed: Feed, _ page: PageToken?, _ preferences: Preferences
    ) async throws(CatalogError) -> ResultPage {
        var found: ResultPage
        do throws(CatalogError) {
            if case .search(let words) = feed {
                found = try await repository.search(SearchQuery(words, preferences: preferences), page: page)
            } else {
                found = try await repository.trending(preferences, page: page)
            }
        } catch .exhausted(let failures) {
            throw .exhausted(await withCauses(failures))
        } catch {
            let failure = SourceFailure(source: page?.source ?? repository.name, reason: error)
            throw await withCauses([failure]).first?.reason ?? error
        }
        online.failures.note(found.passedOver)
        found.passedOver = await withCauses(found.passedOver)
        return found
    }

    /// Replaces the failure of a source that cools down after a network error by that error, so that the report blames
    /// the network and not the source.
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

    func liftCooldowns() async { await (repository as? ServiceChain)?.liftCooldowns() }

    func atRandom() async throws(CatalogError) -> GIFReference { try await feed.next() }
}
