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
        case .search, .trending(nil): return try await chained(feed, page, preferences)
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

    /// A source that cools down because the network failed is reported with that failure: then it is the network that
    /// is away, not the source.
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
