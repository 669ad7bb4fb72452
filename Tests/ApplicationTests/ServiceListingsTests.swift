import Base
import Catalog
import Gallery
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Listings of services", .timeLimit(.minutes(5)))
struct ServiceListingsTests {
    private typealias Outcome = Result<ResultPage, Failure>

    private static let token = PageToken(source: "commons", parameters: ["offset": "2"])
    private static let timeout = Failure.timedOut(host: "h", milliseconds: 8_000)
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func session(isOffline: Bool = false) throws -> ServiceSession {
        let environment = ["XDG_CACHE_HOME": folder.path]
        return ServiceSession(try Settings(isOffline: isOffline, size: (80, 48), environment: environment))
    }

    private func page(_ titles: String..., next: PageToken? = nil, failures: [Failure] = []) -> Outcome {
        .success(ResultPage(items: titles.map { .titled($0) }, next: next, sourceFailures: failures))
    }

    private func error(_ listings: ServiceListings, _ feed: Feed, after page: PageToken? = nil) async -> Failure? {
        await thrown(Failure.self) { try await listings.page(of: feed, after: page) }
    }

    @Test("The first page of a listing bypasses the response cache; further pages do not")
    func cache() async throws {
        let session = try session()
        let repository = RepositoryDouble("commons", [page("a", next: Self.token), page("b"), page("c")])
        let listings = ServiceListings(session, repository)
        #expect(try await listings.page(of: .search(query: "cat"), after: nil).items.map(\.title) == ["a"])
        #expect(try await listings.page(of: .search(query: "cat"), after: Self.token).items.map(\.title) == ["b"])
        #expect(try await listings.page(of: .trending(source: nil), after: nil).items.map(\.title) == ["c"])
        let later = session.settings.preferences
        var first = later
        first.bypassesCache = true
        #expect(
            repository.calls == [
                .search(SearchQuery("cat", preferences: first), page: nil),
                .search(SearchQuery("cat", preferences: later), page: Self.token), .trending(first, page: nil),
            ])
    }

    @Test("A feed of one source or community queries only its repository, and an unknown name is an error")
    func namedFeeds() async throws {
        let all = RepositoryDouble("commons", [page("all")])
        let listings = ServiceListings(
            try session(), all, sources: ["giphy": RepositoryDouble("giphy", [page("one")])],
            communities: ["gifs": RepositoryDouble("r/gifs", [page("posts")])])
        #expect(try await listings.page(of: .trending(source: "giphy"), after: nil).items.map(\.title) == ["one"])
        #expect(try await listings.page(of: .community("gifs"), after: nil).items.map(\.title) == ["posts"])
        #expect(await error(listings, .trending(source: "klipy")) == .notOffered)
        #expect(await error(listings, .community("cats")) == .notOffered)
        #expect(all.calls.isEmpty)
    }

    @Test("No service is queried for favourites and history, because the library provides them")
    func localFeeds() async throws {
        let repository = RepositoryDouble("commons", [page("a")])
        let listings = ServiceListings(try session(), repository)
        for feed in [Feed.favourites, .history] {
            #expect(try await listings.page(of: feed, after: nil) == ResultPage(items: []))
        }
        #expect(repository.calls.isEmpty)
    }

    @Test("Offline, a listing is one page of built-in samples and reports that the network is not used")
    func offline() async throws {
        let listings = try ServiceListings(session(isOffline: true))
        let page = try await listings.page(of: .trending(source: nil), after: nil)
        #expect(page.items.map(\.id) == Sample.all.map(\.name))
        let offline = Failure.unreachable(host: "network", reason: "--offline")
        #expect(page.sourceFailures == [offline.of("network")])
        #expect(await error(listings, .trending(source: nil), after: Self.token) == offline)
        #expect(await error(listings, .trending(source: "giphy")) == .notOffered)
        #expect(try await listings.page(of: .trending(source: "samples"), after: nil) == page)
    }

    @Test("The failure of a link keeps its kind, its short words and its subject")
    func link() async throws {
        let listings = ServiceListings(try session(isOffline: true), RepositoryDouble("commons", []))
        let url = "https://example.org/a.gif"
        #expect(await error(listings, .search(query: url)) == Failure.notCached.of(url))
        let klipy = await error(listings, .search(query: "https://klipy.com/gifs/a-cat"))
        #expect(klipy?.subject == "https://klipy.com/gifs/a-cat")
        let path = folder.path + "/no.gif"
        let missing = await error(listings, .search(query: path))
        #expect(missing?.message == "\(path): No such file or directory" && missing?.text.short == missing?.message)
    }

    @Test("While a link waits for its server, the reason is reported")
    func slowLink() async throws {
        let server = try await LoopbackServer { _, number in
            number == 0
                ? .init(503, headers: ["Retry-After": "3"]) : .init(body: GIFBuilder.square(1, 2).trailer().bytes)
        }
        let listings = ServiceListings(try session(), RepositoryDouble("commons", []))
        let reports = Monitor<[String]>([])
        let observer = SourceQuery { text in reports.withLock { $0.append(text) } }
        let page = try await SourceQuery.$observer.withValue(observer) {
            try await listings.page(of: .search(query: server.base + "/a.gif"), after: nil)
        }
        let texts = reports.withLock { $0 }
        #expect(texts.contains { $0.hasPrefix("server error (503); next attempt in ") } && page.items.count == 1)
    }

    @Test("The feed of random GIFs has no end, and its pages contain no GIFs of this machine")
    func random() async throws {
        let failure = Failure.unreachable(host: "h", reason: "refused").of("commons")
        let local = ResultPage(
            items: [.titled("cached", from: "cache")] + SampleRepository.allReferences.reversed(),
            sourceFailures: [failure])
        let repository = RepositoryDouble("chain", [page("a"), page("b"), .success(local), .success(local)])
        let listings = ServiceListings(try session(), repository)
        var token: PageToken?
        for title in ["a", "b"] {
            let found = try await listings.page(of: .random, after: token)
            #expect(found.items.map(\.title) == [title] && found.next != nil)
            token = found.next
        }
        #expect(await error(listings, .random, after: token) == .exhausted([failure]))
        let samples = try await listings.page(of: .random, after: nil)
        #expect(samples.items == SampleRepository.allReferences && samples.next == nil)
        #expect(samples.sourceFailures == [failure] && repository.calls.count == 4)
    }

    @Test("The first feed is trending if a queried source has such a listing, otherwise random or built-in GIFs")
    func firstFeed() throws {
        func feed(_ change: (inout Settings) -> Void) throws -> Feed {
            var settings = try Settings(size: (80, 48), environment: [:])
            change(&settings)
            return GallerySession.firstFeed(settings)
        }
        let key = Secret("key")
        #expect(try feed { _ in } == .random)
        #expect(try feed { $0.source = "commons" } == .random)
        #expect(try feed { $0.catalog.keys["giphy"] = key } == .trending(source: nil))
        #expect(try feed { ($0.catalog.keys["giphy"], $0.isOffline) = (key, true) } == .trending(source: nil))
        #expect(try feed { ($0.catalog.keys["giphy"], $0.catalog.order) = (key, ["commons"]) } == .random)
        #expect(try feed { ($0.catalog.keys["klipy"], $0.source) = (key, "commons") } == .random)
        #expect(try feed { $0.isOffline = true } == .trending(source: "samples"))
        #expect(try feed { $0.source = "samples" } == .trending(source: "samples"))
    }

    @Test("Failures of services are reported with the page and logged")
    func log() async throws {
        let session = try session()
        let failing = RepositoryDouble("giphy", [.failure(.outage)])
        let listings = ServiceListings(
            session,
            ServiceChain([.init(failing), .init(RepositoryDouble("commons", [page("a")]))], health: session.health))
        let found = try await listings.page(of: .trending(source: nil), after: nil)
        #expect(found.sourceFailures == [Failure.outage.of("giphy")])
        #expect(session.failures.entries.mapValues(\.message) == ["giphy": "reported an outage"])
    }

    @Test("During a cool-down after a network error, the same error is reported; endCooldowns() ends the cool-down")
    func networkCoolDown() async throws {
        let source = RepositoryDouble("giphy", [.failure(Self.timeout), page("a")])
        let session = try session()
        let listings = ServiceListings(session, ServiceChain([.init(source)], health: session.health))
        for _ in 0..<2 { #expect(await error(listings, .trending(source: nil)) == Self.timeout) }
        #expect(source.calls.count == 1)
        listings.endCooldowns()
        #expect(try await listings.page(of: .trending(source: nil), after: nil).items.map(\.title) == ["a"])
    }

    @Test("During a cool-down after a service error, the cool-down is reported as the error")
    func serviceCoolDown() async throws {
        let source = RepositoryDouble("giphy", [.failure(.outage), page("a")])
        let session = try session()
        let listings = ServiceListings(session, ServiceChain([.init(source)], health: session.health))
        #expect(await error(listings, .trending(source: nil)) == .outage)
        #expect(await error(listings, .trending(source: nil))?.kind == .coolingDown)
        #expect(source.calls.count == 1)
    }

    @Test("A community has a repository only if the community is configured and gifplay is online")
    func communities() throws {
        var settings = try Settings(size: (80, 48), environment: [:])
        for (names, isOffline, expected) in [
            ([], false, []), (["gifs", "cats"], false, ["cats", "gifs"]), (["gifs"], true, []),
        ] {
            settings.catalog.reddit.communities = names
            settings.isOffline = isOffline
            let session = ServiceSession(settings)
            defer { session.close() }
            #expect(ServiceListings.communities(session).keys.sorted() == expected)
        }
    }
}
