import Base
import Catalog
import Gallery

struct ServiceListings: ListingSource {
    private let repository: any GIFRepository
    private let session: ServiceSession
    private let loader: GIFLoader
    /// For feeds of a single source, by the name of the source.
    private let sources: [String: any GIFRepository]
    /// By the name of the community without `r/`.
    private let communities: [String: any GIFRepository]

    /// - Parameter loader: loads the GIFs of links, so that its files are known when they are displayed.
    init(_ session: ServiceSession, loader: GIFLoader? = nil) throws(Failure) {
        let repository = try session.repository()
        var sources: [String: any GIFRepository] = [SampleRepository.name: SampleRepository()]
        for profile in GIFSources.profiles where !session.settings.isOffline {
            sources[profile.name] = try? GIFSources.repository(
                named: profile.name, settings: session.settings.catalog, client: session.client)
        }
        self.init(session, repository, sources: sources, communities: Self.communities(session), loader: loader)
    }

    /// - Parameter repository: the repository for feeds that do not name a source.
    init(
        _ session: ServiceSession, _ repository: any GIFRepository, sources: [String: any GIFRepository] = [:],
        communities: [String: any GIFRepository] = [:], loader: GIFLoader? = nil
    ) {
        self.loader = loader ?? GIFLoader(session)
        (self.session, self.repository, self.sources, self.communities) = (session, repository, sources, communities)
    }

    /// Empty if gifplay is offline.
    static func communities(_ session: ServiceSession) -> [String: any GIFRepository] {
        guard !session.settings.isOffline else { return [:] }
        return GIFSources.communities(session.settings.catalog, version: Product.version, client: session.client)
    }

    func page(of feed: Feed, after page: PageToken?) async throws(Failure) -> ResultPage {
        guard session.settings.isOffline, !feed.isLink else { return try await query(feed, page) }
        // If gifplay is offline, the built-in samples replace the first page, and `sourceFailures` reports this.
        guard page == nil else { throw Self.offlineFailure }
        var found = try await query(feed, nil)
        found.sourceFailures = [Self.offlineFailure.of("network")]
        return found
    }

    private static let offlineFailure = Failure.unreachable(host: "network", reason: "--offline")

    private func query(_ feed: Feed, _ page: PageToken?) async throws(Failure) -> ResultPage {
        var preferences = session.settings.preferences
        // The gallery stores listings itself, so a query for a first page bypasses the response cache.
        preferences.bypassesCache = page == nil
        switch feed {
        case .search:
            guard let address = feed.address else { return try await queryChain(feed, page, preferences) }
            guard page == nil else { return ResultPage(items: []) }
            return try await self.page(of: address)
        case .random, .trending(nil): return try await queryChain(feed, page, preferences)
        case .trending(let source?):
            guard let repository = sources[source] else { throw .notOffered }
            return try await repository.trending(preferences, page: page)
        // The gallery's store provides the items of these feeds.
        case .favourites, .history, .dismissed: return ResultPage(items: [])
        case .files: throw .notOffered
        case .community(let name):
            guard let community = communities[name] else { throw .notOffered }
            return try await community.trending(preferences, page: page)
        }
    }

    /// The files that a typed text names, or the GIF of its link.
    private func page(of address: TypedAddress) async throws(Failure) -> ResultPage {
        guard case .files(let names) = address else {
            return ResultPage(items: [try await loaded(address)], total: 1)
        }
        var errors: [Failure] = []
        let paths = names.flatMap { LocalFiles.paths(at: $0, errors: &errors) }
        if paths.isEmpty, let error = errors.first { throw error }
        return ResultPage(items: paths.map { .file(FileSystem.realPath($0) ?? $0) }, total: paths.count)
    }

    /// Loads the GIF of a link. Meanwhile, reports the state of its download.
    private func loaded(_ address: TypedAddress) async throws(Failure) -> GIFReference {
        let (observer, download) = (SourceQuery.observer, Monitor<Download?>(nil))
        let notes = Task { [clock = loader.clock, language = session.settings.screenLanguage] in
            while !Task.isCancelled, (try? await clock.wait(milliseconds: 500)) != nil {
                if let note = DownloadNote.text(download.withLock({ $0 }), in: language) { observer.report(note) }
            }
        }
        defer { notes.cancel() }
        return try await loader.reference(of: address, needsAllBytes: true) { begun in
            download.withLock { $0 = begun }
        }
    }

    private func queryChain(
        _ feed: Feed, _ page: PageToken?, _ preferences: ListingPreferences
    ) async throws(Failure) -> ResultPage {
        switch feed {
        case .search(let query):
            try await repository.search(SearchQuery(query, preferences: preferences), page: page)
        case .random: try random(try await repository.random(preferences), isFirst: page == nil)
        default: try await repository.trending(preferences, page: page)
        }
    }

    /// Every page of random GIFs has a next page. If no service provides one, the first page contains the samples.
    private func random(_ found: ResultPage, isFirst: Bool) throws(Failure) -> ResultPage {
        var found = found
        guard found.isLocal, !(isFirst && found.items.isEmpty) else {
            // The token needs no position, because each query returns other GIFs.
            if !found.isLocal { found.next = PageToken(source: repository.name, parameters: [:]) }
            return found
        }
        guard isFirst else { throw .exhausted(found.sourceFailures) }
        // In the order in which they are displayed while the first page loads, so that no tile moves.
        found.items = SampleRepository.allReferences
        return found
    }

    func endCooldowns() { session.health.endCoolDowns() }

    func builtIn(for query: String) -> [GIFReference] {
        let source = session.settings.source ?? SampleRepository.name
        guard source == SampleRepository.name, !Feed.search(query: query).isLink else { return [] }
        return SampleSearch().typed(query).map(GIFReference.sample)
    }

    /// Nothing offline, because the pictures of an index have to be fetched.
    func indexed(for query: String) async -> [GIFReference] {
        let settings = session.settings
        guard settings.source == nil, !settings.isOffline, !Feed.search(query: query).isLink else { return [] }
        return GIFSources.indexedItems(
            SearchQuery(query, preferences: settings.preferences), settings: settings.catalog, client: session.client)
    }

    func suggestions(for prefix: String) async -> [String] {
        guard !session.settings.isOffline, !Feed.search(query: prefix).isLink else { return [] }
        return await GIFSources.completions(for: prefix, settings: session.settings.catalog, client: session.client)
    }
}
