import Catalog
import TestServer
import Testing

@testable import Reddit

@Suite(.timeLimit(.minutes(15))) struct ListingTests {
    @Test("An access token is requested once and used for every page")
    func token() async throws {
        let setup = try RedditSetup(await StandInReddit())
        let page = try await setup.top().get()
        #expect(page.items.map(\.id) == ["kk0001", "kk0006"])
        #expect(page.next == PageToken(source: "r/kettles", parameters: ["after": "t3_kk0001"]))
        _ = try await setup.top(page: page.next).get()
        let requests = setup.reddit.server.requests
        #expect(requests.map(\.path) == ["/api/v1/access_token", "/r/kettles/top", "/r/kettles/top"])
        #expect(requests[1].query == ["t": "day", "limit": "25", "raw_json": "1"])
        #expect(requests[2].query["after"] == "t3_kk0001")
        #expect(requests.allSatisfy { $0.headers["user-agent"] == "linux:gifplay:1.0 (by /u/kettle_keeper)" })
        #expect(requests[0].headers["content-type"] == "application/x-www-form-urlencoded")
    }

    @Test("A post becomes a GIF reference with its date, author and number of comments")
    func post() async throws {
        let page = try await RedditSetup(await StandInReddit()).top().get()
        let kettle = try #require(page.items.first)
        #expect(kettle.title == "Kettle on the boil" && kettle.author == "kettle_keeper")
        #expect(kettle.posted == 1_795_219_200 && kettle.comments == 17 && kettle.community == "r/Kettles")
        #expect(kettle.pageURL == "https://www.reddit.com/r/Kettles/comments/kk0001/x/")
        #expect(
            kettle.attribution
                == "u/kettle_keeper on r/Kettles · https://www.reddit.com/r/Kettles/comments/kk0001/x/")
        #expect(kettle.cachePolicy == .sessionOnly && kettle.provider == "r/kettles")
        #expect(kettle.renditions.map(\.width) == [108, 216, 320, 480])
        #expect(kettle.renditions.last?.url == "https://preview.redd.it/boil.gif?s=b1&x=1")
        #expect(kettle.renditions.allSatisfy { !$0.url.contains("&amp;") && !$0.url.contains("png8") })
        let bare = page.items[1]
        #expect(bare.author == nil && bare.posted == nil && bare.comments == nil && bare.pageURL == nil)
    }

    @Test("Posts that are marked \"over 18\" are listed only if the rating r is requested")
    func adultPosts() async throws {
        let setup = try RedditSetup(await StandInReddit())
        #expect(try await setup.top(.pg13).get().items.map(\.id) == ["kk0001", "kk0006"])
        #expect(try await setup.top(.r).get().items.map(\.id) == ["kk0001", "kk0005", "kk0006"])
    }

    @Test("If a page contains only videos, the next page is requested")
    func videoPages() async throws {
        let videos = try Fixture.text("listing_videos.json")
        let last = try Fixture.text("listing_last_page.json")
        let setup = try RedditSetup(await StandInReddit { $0.pages = ["": videos, "t3_kk0002": last] })
        let page = try await setup.top().get()
        #expect(page.items.map(\.id) == ["kk0009"] && page.next == nil)
        let endless = try await StandInReddit { $0.pages = ["": videos, "t3_kk0002": videos] }
        #expect(try await RedditSetup(endless).top().get().items.isEmpty)
        // The second page names itself as its next page. The third read therefore gets this page from the cache and
        // sends no request.
        #expect(endless.paths.count { $0.contains("/top") } == 2)
    }

    @Test("A page is cached for five minutes")
    func cachedPage() async throws {
        let setup = try RedditSetup(await StandInReddit())
        let first = try await setup.top().get()
        #expect(try await setup.top().get() == first)
        #expect(setup.reddit.paths.count == 2)
        setup.clock.advance(.seconds(301))
        _ = await setup.top()
        #expect(setup.reddit.paths.count == 3)
    }

    @Test("After a token expires, a new token is requested")
    func expiredToken() async throws {
        let setup = try RedditSetup(await StandInReddit())
        _ = await setup.top()
        setup.clock.advance(.seconds(3_541))
        _ = try await setup.top().get()
        #expect(setup.reddit.paths.filter { $0 == "/api/v1/access_token" }.count == 2)
    }

    @Test("After a token is revoked, only one new token is requested")
    func revokedToken() async throws {
        let setup = try RedditSetup(await StandInReddit { $0.revoked = ["token-1"] })
        #expect(try await setup.top().get().items.count == 2)
        #expect(setup.reddit.paths.count == 4)
        let barred = try RedditSetup(await StandInReddit { $0.revoked = ["token-1", "token-2", "token-3"] })
        #expect(await barred.top() == .failure(.keyRefused(variable: "--reddit-client", message: nil)))
        #expect(barred.reddit.paths.count == 4)
    }

    @Test("A community offers neither search nor random posts")
    func unsupportedCalls() async throws {
        let setup = try RedditSetup(await StandInReddit())
        #expect(throws: CatalogError.notOffered) { try setup.repository.search(SearchQuery("x"), page: nil) }
        #expect(throws: CatalogError.notOffered) { try setup.repository.random(ListingPreferences()) }
        let foreign = PageToken(source: "giphy", parameters: [:])
        #expect(await setup.top(page: foreign) == .failure(.foreignPage(source: "giphy")))
        #expect(setup.reddit.paths.isEmpty)
    }

    @Test(
        "The name of a community is validated",
        arguments: [
            ("gifs", "r/gifs"), ("r/GIFs", "r/gifs"), ("/r/high_quality", "r/high_quality"), ("a", nil), ("", nil),
            ("gifs/../../x", nil), ("a b", nil), ("gîfs", nil), ("gifs+pics", nil), ("r/", nil),
            ("a123456789012345678901", nil), ("gifs?x", nil),
        ])
    func communityName(text: String, name: String?) async throws {
        let setup = try RedditSetup(await StandInReddit())
        #expect(RedditRepository(community: text, session: setup.session)?.name == name)
    }

    @Test("The user agent has the format that Reddit requires; invalid characters of the user name are removed")
    func userAgent() {
        #expect(RedditUserAgent.text(version: "1.0", username: nil) == "linux:gifplay:1.0")
        #expect(RedditUserAgent.text(version: "1.0", username: "a-b_C)\r\nX: y") == "linux:gifplay:1.0 (by /u/a-b_CXy)")
        #expect(RedditUserAgent.text(version: "1.0", username: "/u/name") == "linux:gifplay:1.0 (by /u/name)")
    }
}
