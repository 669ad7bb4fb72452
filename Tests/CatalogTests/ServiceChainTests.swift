import Base
import Testing

@testable import Application
@testable import Catalog

@Suite struct ServiceChainTests {
    private static let good = ResultPage(
        items: [reference("a")], next: PageToken(source: "second", parameters: ["n": "2"]))
    private static let empty = ResultPage(items: [])

    private func search(_ chain: ServiceChain) async -> Result<ResultPage, Failure> {
        do throws(Failure) {
            return .success(try await chain.search(SearchQuery("a"), page: nil))
        } catch {
            return .failure(error)
        }
    }

    private func chain(_ clock: ManualClock = ManualClock(), _ repositories: PreparedRepository...) -> ServiceChain {
        ServiceChain(repositories.map { .init($0) }, health: SourceHealth(now: { clock.now }), wait: waitUntilCancelled)
    }

    @Test(
        "After a failure of any kind, the next source is queried",
        arguments: [
            Failure.timedOut(host: "h", milliseconds: 1), .unreachable(host: "h", reason: "r"),
            .refused(status: 403, message: nil, retryAfterSeconds: nil),
            .refused(status: 429, message: nil, retryAfterSeconds: 5),
            .refused(status: 500, message: nil, retryAfterSeconds: nil), .notJSON(status: 200, received: .html),
            .outage, .keyRefused(variable: "K", message: nil), .api(code: "maxlag", message: "", retryAfterSeconds: 5),
            .noKey(variable: "K"), .notOffered, .refused(status: 414, message: nil, retryAfterSeconds: nil),
        ])
    func nextAfterFailure(error: Failure) async {
        let first = PreparedRepository("first", .failure(error))
        let third = PreparedRepository("third", .success(Self.good))
        let chain = chain(ManualClock(), first, PreparedRepository("second", .success(Self.good)), third)
        let found = try? await search(chain).get()
        #expect(found?.items == Self.good.items)
        #expect(found?.sourceFailures == [error.of("first")])
        #expect(found?.next?.source == "second")
        #expect(third.queries.isEmpty)
    }

    @Test("The caller learns the name of each source as soon as it is queried")
    func reportedQueries() async {
        let chain = chain(
            ManualClock(), PreparedRepository("first", .success(Self.empty)),
            PreparedRepository("second", .success(Self.good)))
        let (names, add) = AsyncStream<String>.makeStream()
        let found = await SourceQuery.$observer.withValue(SourceQuery { add.yield($0) }) { await search(chain) }
        add.finish()
        #expect(await names.reduce(into: []) { $0.append($1) } == ["first", "second"])
        #expect((try? found.get().items) == Self.good.items)
    }

    @Test("A failed source cools down for the time that its response states, or for a default time")
    func coolDown() async {
        let table: [(Failure, Int)] = [
            (.refused(status: 429, message: nil, retryAfterSeconds: 30), 30),
            (.refused(status: 429, message: nil, retryAfterSeconds: nil), 600),
            (.refused(status: 503, message: nil, retryAfterSeconds: nil), 600), (.outage, 600),
            (.notJSON(status: 200, received: .html), 600), (.timedOut(host: "h", milliseconds: 1), 60),
        ]
        for (error, seconds) in table {
            let clock = ManualClock()
            let first = PreparedRepository("first", .failure(error), .success(Self.good))
            let chain = chain(clock, first, PreparedRepository("second", .success(Self.good)))
            _ = await search(chain)
            clock.advance(.seconds(seconds - 1))
            let sourceFailures = (try? await search(chain).get())?.sourceFailures
            // A fault of the network is named itself.
            var reason = Failure.coolingDown(seconds: 1)
            if error.isTransport { reason = error }
            #expect(sourceFailures == [reason.of("first")])
            #expect(first.queries.count == 1)
            #expect(chain.health.coolDown(of: .listings("first"))?.reason == error)
            clock.advance(.seconds(1))
            #expect((try? await search(chain).get())?.items == Self.good.items)
            #expect(first.queries.count == 2)
            #expect(chain.health.isUsable(.listings("first")))
        }
    }

    @Test("A failure that is unrelated to the source's health does not start a cool-down")
    func noCoolDown() async {
        for error in [Failure.notOffered, .nothingFound, .refused(status: 414, message: nil, retryAfterSeconds: nil)] {
            let first = PreparedRepository("first", .failure(error))
            let chain = chain(ManualClock(), first, PreparedRepository("second", .success(Self.good)))
            _ = await search(chain)
            _ = await search(chain)
            #expect(first.queries.count == 2)
        }
    }

    @Test("All sources that a call queries share one time budget")
    func timeBudget() async throws {
        let clock = ManualClock()
        let slow = PreparedRepository("slow", .failure(.outage), effect: { clock.advance(.milliseconds(8_000)) })
        let slower = PreparedRepository("slower", .failure(.outage), effect: { clock.advance(.milliseconds(12_000)) })
        let late = PreparedRepository("late", .success(Self.good))
        let builtIn = PreparedRepository("samples", .success(ResultPage(items: [reference("s")])))
        let chain = ServiceChain(
            [.init(slow), .init(slower), .init(late), .init(builtIn, isOnline: false)],
            health: SourceHealth(now: { clock.now }), wait: waitUntilCancelled)
        let found = try await search(chain).get()
        #expect(slow.queries.map(\.budgetMilliseconds) == [20_000])
        #expect(slower.queries.map(\.budgetMilliseconds) == [12_000])
        #expect(late.queries.isEmpty)
        #expect(found.items.map(\.id) == ["s"])
        #expect(found.sourceFailures.last == Failure.outOfTime.of("late"))
    }

    @Test("A chain of one source fails with that source's error")
    func singleSource() async {
        #expect(await search(chain(ManualClock(), PreparedRepository("one", .failure(.outage)))) == .failure(.outage))
        let nothing = await search(chain(ManualClock(), PreparedRepository("one", .success(Self.empty))))
        #expect(nothing == .success(ResultPage(items: [], sourceFailures: [Failure.nothingFound.of("one")])))
    }

    @Test("If all sources fail, the error contains the reason of each source")
    func allFailed() async {
        let (failing, empty) = (
            PreparedRepository("a", .failure(.outage)), PreparedRepository("b", .success(Self.empty))
        )
        let reasons = [Failure.outage.of("a"), Failure.nothingFound.of("b")]
        #expect(await search(chain(ManualClock(), failing, empty)) == .failure(.exhausted(reasons)))
    }

    @Test("No further source is queried after cancellation")
    func cancellation() async {
        let second = PreparedRepository("second", .success(Self.good))
        let chain = chain(ManualClock(), PreparedRepository("first", .failure(.cancelled)), second)
        #expect(await search(chain) == .failure(.cancelled))
        #expect(second.queries.isEmpty)
    }

    @Test("Services that need a key come first, and services whose key is not set are left out")
    func order() throws {
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200)))
        let last = PreparedRepository("samples", .success(Self.good))
        func names(_ settings: CatalogSettings) throws -> [String] {
            try ServiceChain(settings, client, last: last).links.map(\.repository.name)
        }
        #expect(try names(.test()) == ["giphy", "klipy", "commons", "emoji", "gifcities", "openverse", "samples"])
        #expect(try names(.test(keyed: false)) == ["commons", "emoji", "gifcities", "openverse", "samples"])
        var settings = CatalogSettings.test()
        settings.order = ["gifcities", "giphy"]
        #expect(try names(settings) == ["gifcities", "giphy", "samples"])
        settings.order = ["samples", "commons"]
        #expect(try names(settings) == ["samples", "commons"])
        settings.order = ["tenor"]
        let known = ["giphy", "klipy", "commons", "emoji", "gifcities", "openverse", "nekos", "samples"]
        #expect(throws: Failure.unknownSource(name: "tenor", known: known)) { try names(settings) }
        let single = try ServiceChain(only: "gifcities", client)
        #expect(single.links.count == 1 && single.name == "gifcities")
    }

    @Test("The chain falls back to the built-in samples if every service fails")
    func fallBackToSamples() async throws {
        let client = ScriptedHTTPClient([
            ("https://api.giphy.com/", .success(try Fixture.response("giphy/synthetic.json"))),
            ("https://api.klipy.com/", .success(try Fixture.response("klipy/error_404_bad_key.json", status: 404))),
            ("https://commons.wikimedia.org/", .success(try Fixture.response("commons/error_429.json", status: 429))),
            ("https://gifcities.archive.org/", .success(try Fixture.response("gifcities/search_empty.json"))),
            ("https://api.openverse.org/", .failure(.timedOut(host: "api.openverse.org", milliseconds: 8_000))),
        ])
        let samples = PreparedRepository("samples", .success(ResultPage(items: [reference("dancing-cat")])))
        let chain = try ServiceChain(.test(), client, last: samples)
        let found = try await search(chain).get()
        #expect(found.items.map(\.id) == ["dancing-cat"])
        #expect(found.sourceFailures.map(\.source) == ["giphy", "klipy", "commons", "gifcities", "openverse"])
        #expect(found.sourceFailures.map(\.kind).contains(.nothingFound))
        #expect(try await search(chain).get().sourceFailures.count { $0.kind == .coolingDown } == 3)
        #expect(client.requests.count == 5)
    }

    @Test("A request for trending GIFs skips the services that do not list them")
    func trendingSkips() async throws {
        let client = ScriptedHTTPClient([
            ("https://api.giphy.com/", .success(try Fixture.response("giphy/error_429.json", status: 429))),
            ("https://api.klipy.com/", .success(try Fixture.response("klipy/trending.json"))),
        ])
        let keyed = try ServiceChain(.test(), client, last: SampleRepository())
        let found = try await keyed.trending(ListingPreferences(), page: nil)
        #expect(found.items.first?.provider == "klipy" && found.sourceFailures.map(\.source) == ["giphy"])
        // Without keys, no service is queried, and the page contains only the built-in samples.
        let keyless = try ServiceChain(.test(keyed: false), client, last: SampleRepository())
        let builtIn = try await keyless.trending(ListingPreferences(), page: nil)
        #expect(builtIn.items.count == Sample.all.count && client.requests.count == 2)
        #expect(builtIn.sourceFailures == ["commons", "gifcities", "openverse"].map { Failure.notOffered.of($0) })
        #expect(keyless.health.isUsable(.listings("commons")))
    }
}
