import Base
import Catalog
import LoadingSupport
import Testing

@testable import Application

@Suite("Search loop", .timeLimit(.minutes(5)))
struct SearchLoopTests {
    private typealias Answer = Result<ResultPage, Failure>

    /// A query that is not similar to any word of the built-in samples.
    private static let query = "qqqqqqqqq"

    private func page(_ titles: String..., next: String? = nil) -> Answer {
        let token = next.map { PageToken(source: $0, parameters: ["page": "2"]) }
        return .success(ResultPage(items: titles.map { .titled($0) }, next: token))
    }

    /// Finds the next item among the results of these sources. Only the files of `playable` can be fetched.
    private func find(
        _ sources: [RepositoryDouble], playable: [String] = [], choice: ResultChoice = .first
    ) async -> NextItem {
        let results = ServiceChain(sources.map { .init($0) }).results(of: SearchQuery(Self.query))
        return await ItemRequest(candidates: [], search: results, choice: choice).run(loader(playable))
    }

    private func loader(
        _ titles: [String], silent: [String] = [], health: SourceHealth = SourceHealth()
    ) -> LoaderDouble {
        var responses: [String: LoaderDouble.Response] = [:]
        for title in titles { responses[GIFReference.url(titled: title)] = .bytes([1]) }
        for title in silent { responses[GIFReference.url(titled: title)] = .silence }
        return LoaderDouble(responses, health: health)
    }

    @Test("The first playable result is chosen; failures are reported and later results stay in the list")
    func first() async {
        let next = await find([RepositoryDouble("commons", [page("a", "b", "c")])], playable: ["b", "c"])
        #expect(next.fetched?.item.name == "b" && next.remaining.map(\.name) == ["c"])
        #expect(next.failures.map(\.message) == ["a: no response"] && next.candidates == 0 && next.skipped.isEmpty)
    }

    @Test("A later run continues with the next page and without the GIFs of earlier pages; then the list ends")
    func pages() async {
        let source = RepositoryDouble("commons", [page("a", next: "commons"), page("a", "b")])
        let results = ServiceChain([.init(source)]).results(of: SearchQuery(Self.query))
        let loader = loader(["a", "b"])
        var found: [String?] = []
        for _ in 0..<3 {
            let next = await ItemRequest(candidates: [], search: results).run(loader)
            found.append(next.fetched?.item.name)
            #expect(next.failures.isEmpty)
        }
        #expect(found == ["a", "b", nil] && source.calls.count == 2)
    }

    @Test("If a later page of a source fails, the search goes on with the next source")
    func laterFailure() async {
        let giphy = RepositoryDouble("giphy", [page("a", next: "giphy"), .failure(.outage)])
        let next = await find([giphy, RepositoryDouble("commons", [page("b")])], playable: ["b"])
        #expect(next.fetched?.item.name == "b")
        #expect(next.failures.map(\.message) == ["a: no response", "giphy: reported an outage"])
    }

    @Test("A search without results says so, with each failed source once, and only once")
    func nothingFound() async {
        let failing = RepositoryDouble("giphy", [.failure(.refused(status: 503, message: "m", retryAfterSeconds: 9))])
        let results = ServiceChain([.init(failing), .init(RepositoryDouble("commons"))])
            .results(of: SearchQuery(Self.query))
        let next = await ItemRequest(candidates: [], search: results).run(loader([]))
        #expect(next.fetched == nil && next.failures.count == 1)
        let message = "nothing found for 'qqqqqqqqq' (giphy: server error (503); retry in 9 s); built-in GIFs: "
        #expect(next.failures[0].message.hasPrefix(message))
        #expect(await ItemRequest(candidates: [], search: results).run(loader([])).failures.isEmpty)
    }

    @Test("A failure of the only source is reported with its name")
    func failedSource() async {
        let next = await find([RepositoryDouble("commons", [.failure(.outage)])])
        #expect(next.failures.map(\.message) == ["commons: reported an outage"])
    }

    @Test("A built-in sample in place of a result tells why")
    func reason() async {
        let samples = ServiceChain.Link(SampleRepository(), isOnline: false)
        let chain = ServiceChain([.init(RepositoryDouble("giphy", [.failure(.outage)])), samples])
        let results = chain.results(of: SearchQuery("dancing cat"))
        let next = await ItemRequest(candidates: [], search: results).run(loader([]))
        #expect(
            next.fetched?.item.needsDownload == false
                && next.fetched?.label(in: .english).detail == "built-in; giphy: unavailable")
    }

    @Test("A silent download is cancelled in favour of the next result, and its host is avoided")
    func silence() async {
        let clock = VirtualClock()
        let health = SourceHealth(now: { clock.now })
        let loader = loader(["c"], silent: ["a", "b"], health: health)
        let source = RepositoryDouble("commons", [page("a", "b", "c")])
        let chain = ServiceChain([.init(source)], health: health, wait: clock.wait)
        let search = Task {
            await ItemRequest(candidates: [], search: chain.results(of: SearchQuery(Self.query))).run(loader)
        }
        for (milliseconds, count) in [(2_500, 2), (5_000, 3)] {
            while loader.requested.count < count - 1 { await Task.yield() }
            await clock.advance(to: .milliseconds(milliseconds), timers: 1)
        }
        let next = await search.value
        #expect(next.fetched?.item.name == "c" && next.failures.map(\.message) == ["a.example sent no data"])
        #expect(Set(next.remaining.map(\.name)) == ["a", "b"])
        #expect(!health.isUsable(.host("a.example")) && !health.isUsable(.host("b.example")))
    }

    @Test("A skipped download is cancelled, and the next result is chosen")
    func skipped() async {
        let loader = loader(["b"], silent: ["a"])
        let results = ServiceChain([.init(RepositoryDouble("commons", [page("a", "b")]))])
            .results(of: SearchQuery(Self.query))
        let search = Task { await ItemRequest(candidates: [], search: results).run(loader) }
        while loader.waiting.isEmpty { await Task.yield() }
        await results.skip()
        let next = await search.value
        #expect(next.fetched?.item.name == "b" && next.remaining.map(\.name) == ["a"] && next.failures.isEmpty)
        while !loader.waiting.isEmpty { await Task.yield() }
    }

    @Test("A cancelled search ends, its items stay in the list, and a later run asks the source again")
    func cancelled() async {
        let loader = loader([], silent: ["slow"])
        let candidates = ["slow", "later"].map { GIFReference.titled($0) }
        let list = Task { await ItemRequest(candidates: candidates).run(loader) }
        while loader.requested.isEmpty { await Task.yield() }
        list.cancel()
        #expect(await Set(list.value.remaining.map(\.name)) == ["slow", "later"])
        let source = RepositoryDouble("commons", [page("a")], isSilent: true)
        let results = ServiceChain([.init(source)]).results(of: SearchQuery(Self.query))
        for count in 1...2 {
            let search = Task { await ItemRequest(candidates: [], search: results).run(loader) }
            while source.calls.count < count { await Task.yield() }
            search.cancel()
            #expect(await search.value.fetched == nil)
        }
    }

    @Test("The items of a list are tried in order, each until it fails, and a local one needs no download")
    func list() async {
        let items: [GIFReference] = [.address("https://e/a.gif"), .titled("b"), .titled("c"), .file("/d.gif")]
        let loader = loader(["c"])
        let next = await ItemRequest(candidates: items).run(loader)
        #expect(next.fetched?.item.name == "c" && next.remaining.map(\.name) == ["/d.gif"] && next.candidates == 4)
        #expect(next.failures.map(\.message) == ["https://e/a.gif: no response", "b: no response"])
        #expect(loader.requested == ["https://e/a.gif"] + ["b", "c"].map { GIFReference.url(titled: $0) })
        let last = await ItemRequest(candidates: next.remaining).run(loader)
        #expect(last.fetched?.item == .file("/d.gif") && last.remaining.isEmpty && loader.requested.count == 3)
        #expect(await ItemRequest(candidates: [items[0]]).run(loader).fetched == nil)
    }

    @Test("All files of a GIF that the user goes back to are tried, although its host is in a cool-down")
    func blockedHostOfList() async {
        let health = SourceHealth()
        health.update { $0.recordFailure(ofHost: "x.example", Failure("x.example is down"), at: $1) }
        var reference = GIFReference.titled("x")
        reference.renditions.append(Rendition(url: GIFReference.url(titled: "y")))
        let next = await ItemRequest(candidates: [reference]).run(loader(["y"], health: health))
        #expect(
            next.fetched?.item.name == "x" && next.failures.map(\.message) == ["x: no response"]
                && next.remaining.isEmpty)
    }

    @Test("A feed of random GIFs reports the failures of its sources, and leaves out those whose files are unusable")
    func random() async throws {
        let health = SourceHealth()
        let failures = [Failure.outage.of("giphy"), Failure.noKey(variable: "KLIPY_API_KEY").of("klipy")]
        let sample = SampleRepository.allReferences[0]
        let batch = ResultPage(items: [.titled("a", from: "commons"), sample], sourceFailures: failures)
        health.update { $0.setAsideFiles(of: "commons", Failure("403"), at: $1) }
        let items = RandomFeed(RepositoryDouble("chain", [.success(batch)]), health: health, reconnects: true)
        let next = await ItemRequest(candidates: [], search: SearchLoop(feed: items, health: health)).run(loader([]))
        #expect(next.fetched?.item.name == sample.id)
        #expect(next.fetched?.label(in: .english).detail == "built-in; giphy: reported an outage")
    }
}
