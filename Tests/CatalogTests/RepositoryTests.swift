import Base
import Testing

@testable import Application
@testable import Catalog

@Suite struct RepositoryTests {
    /// Returns a chain with Commons as its only source.
    private func commonsAlone(_ client: ScriptedHTTPClient) throws -> ServiceChain {
        try ServiceChain(only: "commons", client)
    }

    @Test(
        "The second query leaves out stop words, and there is none for a single content word or a negation",
        arguments: [
            ("this is an octopus juggling", "octopus%20OR%20juggling"), ("this is fine", nil), ("don't cry", nil),
        ])
    func commonsContentWords(text: String, search: String?) async throws {
        let empty = ScriptedHTTPClient.Outcome.success(try Fixture.response("commons/search_empty.json"))
        let client = ScriptedHTTPClient([("", empty), ("", empty)])
        _ = try? await commonsAlone(client).search(SearchQuery(text), page: nil)
        let second = client.urls.dropFirst().first.flatMap { query($0)["gsrsearch"] }
        #expect(second?.split(separator: "%20filemime").first.map(String.init) == search)
    }

    @Test("If no Commons file matches all search terms, a second query searches for any of the terms")
    func commonsRetry() async throws {
        let client = ScriptedHTTPClient([
            ("", .success(try Fixture.response("commons/search_empty.json"))),
            ("", .success(try Fixture.response("commons/search.json"))),
        ])
        let commons = try commonsAlone(client)
        let page = try await commons.search(SearchQuery("juggling octopus"), page: nil)
        #expect(page.items.count == 3)
        #expect(client.urls.count == 2)
        #expect(query(client.urls[1])["gsrsearch"]?.hasPrefix("juggling%20OR%20octopus%20filemime") == true)
        #expect(query(client.urls[1])["gifplay-any"] == nil)
        // The request for the next page also searches for any of the terms.
        _ = try await commons.search(SearchQuery("juggling octopus"), page: page.next)
        #expect(query(client.urls[2])["gsrsearch"]?.contains("OR") == true)
        #expect(query(client.urls[2])["gsroffset"] == "20")
        #expect(query(client.urls[2])["continue"] == "gsroffset%7C%7C")
        #expect(client.urls.map { query($0)["gsrlimit"] } == ["20", "20", "50"])
    }

    @Test("GIFs that are known to be narrower or flatter than 32 pixels are dropped; unknown sizes stay")
    func tinyGIFs() async throws {
        func item(_ id: Int, _ sizes: [(String, String)]) -> String {
            let files = sizes.enumerated().map { number, size in
                #""t\#(number)":{"gif":{"url":"https://a.example/\#(id)-\#(number).gif","width":\#(size.0),"height":\#(size.1)}}"#
            }
            return #"{"id":\#(id),"slug":"s\#(id)","file":{\#(files.joined(separator: ","))}}"#
        }
        let items = [
            item(1, [("32", "32")]), item(2, [("31", "400")]), item(3, [("400", "31")]), item(4, [("null", "null")]),
            item(5, [("null", "31")]), item(6, [("31", "31"), ("62", "62")]), item(7, [("16", "16"), ("31", "31")]),
        ]
        let body = #"{"result":true,"data":{"data":[\#(items.joined(separator: ","))]}}"#
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200, body: Array(body.utf8))))
        let page = try await repository("klipy", client).search(SearchQuery("x"), page: nil)
        #expect(page.items.map(\.id) == ["1", "4", "6"])
    }

    @Test("If the second query to Commons fails, the error of the second query is reported")
    func commonsRetryFailure() async throws {
        let client = ScriptedHTTPClient([
            ("", .success(try Fixture.response("commons/search_empty.json"))),
            ("", .success(try Fixture.response("commons/error_429.json", status: 429))),
        ])
        let commons = try commonsAlone(client)
        let found = await failure { try await commons.search(SearchQuery("juggling octopus"), page: nil) }
        #expect(found == .refused(status: 429, message: "429 Too Many Requests", retryAfterSeconds: nil))
    }

    @Test("A query of one term is not repeated if it has no results")
    func singleTerm() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("commons/search_empty.json")))
        #expect(try await commonsAlone(client).search(SearchQuery("octopus"), page: nil).items.isEmpty)
        #expect(client.requests.count == 1)
    }

    @Test("After a page that contains only still images, at most two further pages are requested")
    func stillPages() async throws {
        var stills = try Fixture.response("commons/search_stills.json")
        let more = "{\"continue\":{\"gsroffset\":20,\"continue\":\"x\"},"
        stills.body = Array((more + String(decoding: stills.body.dropFirst(), as: UTF8.self)).utf8)
        let client = ScriptedHTTPClient(.success(stills))
        #expect(try await repository("commons", client).search(SearchQuery("octopus"), page: nil).items.isEmpty)
        #expect(client.requests.count == 3)
        #expect(query(client.urls[1])["gsroffset"] == "20")
    }

    @Test("The second page continues where the first page ended")
    func secondPage() async throws {
        for (name, parameter, value) in [("giphy", "offset", "25"), ("klipy", "page", "2"), ("openverse", "page", "2")]
        {
            let client = ScriptedHTTPClient([
                ("", .success(try Fixture.response("\(name)/search.json"))),
                ("", .success(try Fixture.response("\(name)/search_last_page.json"))),
            ])
            let repository = try repository(name, client)
            let first = try await repository.search(SearchQuery("x"), page: nil)
            let second = try await repository.search(SearchQuery("x"), page: first.next)
            #expect(second.items.count == 1 && second.next == nil)
            #expect(query(client.urls[1])[parameter] == value)
        }
    }

    @Test("If the offset of the next page would exceed GIPHY's maximum, there is no next page")
    func giphyOffsetLimit() throws {
        for (listing, offset, hasNext) in [
            (ListingKind.search(query: "x"), 4_970, true), (.search(query: "x"), 4_980, false),
            (.trending, 470, true), (.trending, 480, false), (.trending, Int.max, false),
        ] {
            let text = "{\"data\":[],\"pagination\":{\"total_count\":\"99999\",\"count\":25,\"offset\":\(offset)}}"
            let response = ServiceResponse(
                http: HTTPResponse(status: 200, body: Array(text.utf8)), redactor: Redactor())
            let request = ListingRequest(listing: listing, preferences: ListingPreferences())
            let decoded = try Giphy().decode(response, to: request)
            #expect((decoded.next != nil) == hasNext)
        }
    }

    @Test("A page token of another source is refused")
    func foreignPage() async throws {
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200)))
        let giphy = try repository("giphy", client)
        let token = PageToken(source: "klipy", parameters: [:])
        let found = await failure { try await giphy.search(SearchQuery("x"), page: token) }
        #expect(found == .foreignPage(source: "klipy"))
    }

    @Test("A random KLIPY page beyond the last page is replaced by the first page")
    func klipyRandomPage() async throws {
        let client = ScriptedHTTPClient([
            ("", .success(try Fixture.response("klipy/search_empty.json"))),
            ("", .success(try Fixture.response("klipy/trending.json"))),
        ])
        let klipy = try repository("klipy", client, .test(numbers: NumberSequence(4)))
        #expect(try await klipy.random(ListingPreferences()).items.count == 2)
        #expect(client.urls.map { query($0)["page"] } == ["5", "1"])
    }

    @Test("Responses are cached for 15 minutes if the service permits it")
    func cachedResponses() async throws {
        for (name, again) in [("commons", 1), ("gifcities", 1), ("openverse", 1), ("giphy", 2), ("klipy", 2)] {
            let clock = ManualClock()
            let client = ScriptedHTTPClient(.success(try Fixture.response("\(name)/search.json")))
            let repository = try repository(name, client, .test(clock: clock))
            let first = try await repository.search(SearchQuery("x"), page: nil)
            #expect(try await repository.search(SearchQuery("x"), page: nil) == first)
            #expect(client.requests.count == again)
            clock.advance(.seconds(901))
            _ = try await repository.search(SearchQuery("x"), page: nil)
            _ = try await repository.search(SearchQuery("x", preferences: ListingPreferences(rating: .r)), page: nil)
            #expect(client.requests.count == again + 2)
        }
    }

    @Test("A random batch is never taken from the cache")
    func uncachedRandomBatch() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("commons/random.json")))
        let commons = try repository("commons", client)
        _ = try await commons.random(ListingPreferences())
        _ = try await commons.random(ListingPreferences())
        #expect(client.requests.count == 2)
    }

    @Test("A service with an exhausted quota is not queried until the end of its cool-down")
    func exhaustedQuota() async throws {
        let clock = ManualClock()
        let client = ScriptedHTTPClient(
            .success(try Fixture.response("klipy/search.json", headers: ["x-ratelimit-remaining": "0"])))
        let klipy = try repository("klipy", client, .test(clock: clock))
        #expect(try await klipy.search(SearchQuery("x"), page: nil).items.count == 3)
        let repeatedSearch = { await failure { try await klipy.search(SearchQuery("y"), page: nil) } }
        #expect(await repeatedSearch() == .coolingDown(seconds: 600))
        clock.advance(.seconds(601))
        #expect(await repeatedSearch() == nil)
        #expect(client.requests.count == 2)
    }

    @Test("A service receives one request at a time")
    func serialRequests() async throws {
        let client = CrowdedHTTPClient(try Fixture.response("commons/search.json"))
        let commons = try GIFSources.repository(named: "commons", settings: .test(), client: client)
        await withTaskGroup(of: Int?.self) { group in
            for number in 0..<8 {
                group.addTask { try? await commons.search(SearchQuery("octopus \(number)"), page: nil).items.count }
            }
            for await count in group { #expect(count == 3) }
        }
        #expect(client.maximumConcurrent == 1)
    }

    @Test("The number of cached responses is limited")
    func cacheLimit() async {
        let cache = ResultPageCache(limit: 2)
        let start = ContinuousClock.now
        func key(_ query: String) -> ResultPageCache.Key {
            .init(listing: .search(query: query), rating: .g, language: "en", targetWidth: nil, page: [:])
        }
        for (query, seconds) in [("a", 30), ("b", 10), ("c", 20)] {
            await cache.store(ResultPage(items: []), for: key(query), until: start + .seconds(seconds))
        }
        #expect(await cache.page(key("a"), at: start) != nil)
        #expect(await cache.page(key("b"), at: start) == nil)
        #expect(await cache.page(key("c"), at: start) != nil)
        #expect(await cache.page(key("c"), at: start + .seconds(20)) == nil)
    }
}
