import Catalog
import TestServer
import Testing

@testable import Reddit

@Suite(.timeLimit(.minutes(15))) struct ListingTests {
    @Test func `a token is asked for once and the listing with it`() async throws {
        let visit = try Visit(await StandInReddit())
        let page = try await visit.top().get()
        #expect(page.items.map(\.id) == ["kk0001", "kk0006"])
        #expect(page.next == PageToken(source: "r/kettles", parameters: ["after": "t3_kk0001"]))
        _ = try await visit.top(page: page.next).get()
        let requests = visit.reddit.server.requests
        #expect(requests.map(\.path) == ["/api/v1/access_token", "/r/kettles/top", "/r/kettles/top"])
        #expect(requests[1].query == ["t": "day", "limit": "25", "raw_json": "1"])
        #expect(requests[2].query["after"] == "t3_kk0001")
        #expect(requests.allSatisfy { $0.headers["user-agent"] == "linux:gifplay:1.0 (by /u/kettle_keeper)" })
        #expect(requests[0].headers["content-type"] == "application/x-www-form-urlencoded")
    }

    @Test func `a post becomes a reference with its age, author and comments`() async throws {
        let page = try await Visit(await StandInReddit()).top().get()
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

    @Test func `what is over 18 comes with the rating r alone`() async throws {
        let visit = try Visit(await StandInReddit())
        #expect(try await visit.top(.pg13).get().items.map(\.id) == ["kk0001", "kk0006"])
        #expect(try await visit.top(.r).get().items.map(\.id) == ["kk0001", "kk0005", "kk0006"])
    }

    @Test func `a page of films is followed to the first GIF`() async throws {
        let videos = try Fixture.text("listing_videos.json")
        let last = try Fixture.text("listing_last_page.json")
        let visit = try Visit(await StandInReddit { $0.pages = ["": videos, "t3_kk0002": last] })
        let page = try await visit.top().get()
        #expect(page.items.map(\.id) == ["kk0009"] && page.next == nil)
        let endless = try await StandInReddit { $0.pages = ["": videos, "t3_kk0002": videos] }
        #expect(try await Visit(endless).top().get().items.isEmpty)
        // The third page has the same page token as the second, so it comes from the cache.
        #expect(endless.paths.count { $0.contains("/top") } == 2)
    }

    @Test func `a page is given again without asking, for a while`() async throws {
        let visit = try Visit(await StandInReddit())
        let first = try await visit.top().get()
        #expect(try await visit.top().get() == first)
        #expect(visit.reddit.paths.count == 2)
        visit.clock.advance(.seconds(301))
        _ = await visit.top()
        #expect(visit.reddit.paths.count == 3)
    }

    @Test func `a token that has run out is replaced`() async throws {
        let visit = try Visit(await StandInReddit())
        _ = await visit.top()
        visit.clock.advance(.seconds(3_541))
        _ = try await visit.top().get()
        #expect(visit.reddit.paths.filter { $0 == "/api/v1/access_token" }.count == 2)
    }

    @Test func `a token taken back is replaced once, and not for ever`() async throws {
        let visit = try Visit(await StandInReddit { $0.revoked = ["token-1"] })
        #expect(try await visit.top().get().items.count == 2)
        #expect(visit.reddit.paths.count == 4)
        let barred = try Visit(await StandInReddit { $0.revoked = ["token-1", "token-2", "token-3"] })
        #expect(await barred.top() == .failure(.keyRefused(variable: "reddit.client-id", message: nil)))
        #expect(barred.reddit.paths.count == 4)
    }

    @Test func `a community's posts are neither searched nor random`() async throws {
        let visit = try Visit(await StandInReddit())
        #expect(throws: CatalogError.notOffered) { try visit.repository.search(SearchQuery("x"), page: nil) }
        #expect(throws: CatalogError.notOffered) { try visit.repository.random(Preferences()) }
        let foreign = PageToken(source: "giphy", parameters: [:])
        #expect(await visit.top(page: foreign) == .failure(.foreignPage(source: "giphy")))
        #expect(visit.reddit.paths.isEmpty)
    }

    @Test(arguments: [
        ("gifs", "r/gifs"), ("r/GIFs", "r/gifs"), ("/r/high_quality", "r/high_quality"), ("a", nil), ("", nil),
        ("gifs/../../x", nil), ("a b", nil), ("gîfs", nil), ("gifs+pics", nil), ("r/", nil),
        ("a123456789012345678901", nil), ("gifs?x", nil),
    ])
    func `a community's name is checked`(text: String, name: String?) async throws {
        let visit = try Visit(await StandInReddit())
        #expect(RedditRepository(community: text, session: visit.session)?.name == name)
    }

    @Test func `the user agent is in Reddit's form and holds nothing else`() {
        #expect(RedditUserAgent.text(version: "1.0", username: nil) == "linux:gifplay:1.0")
        #expect(RedditUserAgent.text(version: "1.0", username: "a-b_C)\r\nX: y") == "linux:gifplay:1.0 (by /u/a-b_CXy)")
        #expect(RedditUserAgent.text(version: "1.0", username: "/u/name") == "linux:gifplay:1.0 (by /u/name)")
    }
}
