import Base
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct FeedTests {
    @Test("The public feed of a community is requested")
    func anonymousFeed() async throws {
        let setup = try RedditSetup(await StandInReddit())
        let page = try await setup.top().get()
        let request = try #require(setup.reddit.server.requests.first)
        #expect(request.path == "/r/kettles/top/.rss" && request.query == ["t": "day"])
        #expect(request.headers["authorization"] == nil)
        #expect(request.headers["user-agent"] == "linux:gifplay:1.0 (by /u/kettle_keeper)")
        #expect(page.items.map(\.id) == ["kk0011", "kk0013"] && page.next == nil)
        let kettle = page.items[0]
        #expect(kettle.title == "Kettle & cup" && kettle.author == "kettle_keeper" && kettle.comments == nil)
        #expect(kettle.posted == 1_795_219_200 && kettle.community == "r/kettles")
        #expect(
            kettle.attribution == "u/kettle_keeper on r/kettles · https://www.reddit.com/r/Kettles/comments/kk0011/x/")
        #expect(kettle.cachePolicy == .sessionOnly && kettle.provider == "r/kettles")
        #expect(kettle.pageURL == "https://www.reddit.com/r/Kettles/comments/kk0011/x/")
        #expect(kettle.renditions == [Rendition(url: "https://i.redd.it/boil.gif")])
        #expect(page.items[1].renditions[0].url == "https://i.imgur.com/kettle.gif?a=1&b=2")
        #expect(setup.reddit.paths.count == 1)
        setup.clock.advance(.seconds(60))
        #expect(try await setup.top(.r).get().items.map(\.id) == ["kk0011", "kk0013", "kk0017"])
    }

    @Test("The user's feed token is sent with the request and does not occur in errors")
    func feedToken() async throws {
        let reddit = try await StandInReddit { $0.refusal = .init(403, text: "no entry for t0k/en") }
        let setup = try RedditSetup(reddit, feedToken: "t0k/en")
        let page = await setup.top()
        #expect(page == .failure(.refused(status: 403, message: "no entry for (key)", retryAfterSeconds: nil)))
        let request = try #require(reddit.server.requests.first)
        #expect(request.query == ["t": "day", "feed": "t0k/en", "user": "kettle_keeper"])
    }

    @Test("A feed is requested at most once a minute, even after a failure")
    func rateLimit() async throws {
        let setup = try RedditSetup(await StandInReddit { $0.refusal = .init(500) })
        #expect(await setup.top() == .failure(.refused(status: 500, message: nil, retryAfterSeconds: nil)))
        setup.clock.advance(.seconds(20))
        #expect(await setup.top() == .failure(.coolingDown(seconds: 40)))
        #expect(setup.reddit.paths.count == 1)
        // Each community has its own limit of one request per minute.
        _ = try? await setup.other.trending(ListingPreferences(), page: nil)
        #expect(setup.reddit.paths.count == 2)
        setup.clock.advance(.seconds(41))
        setup.reddit.change { $0.refusal = nil }
        #expect(try await setup.top().get().items.count == 2)
    }

    @Test("Concurrent callers share one request")
    func sharedRequest() async throws {
        let setup = try RedditSetup(await StandInReddit())
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 { group.addTask { try? await setup.top().get().items.count } }
            for await count in group { #expect(count == 2) }
        }
        #expect(setup.reddit.paths.count == 1)
    }

    @Test("The feed of a community has no second page")
    func secondPage() async throws {
        let setup = try RedditSetup(await StandInReddit())
        let page = PageToken(source: "r/kettles", parameters: ["after": "t3_kk0001"])
        #expect(await setup.top(page: page) == .failure(.notOffered))
        #expect(setup.reddit.paths.isEmpty)
    }

    @Test("The posts are cached for five minutes")
    func cachedPosts() async throws {
        let setup = try RedditSetup(await StandInReddit())
        let first = try await setup.top().get()
        setup.clock.advance(.seconds(299))
        #expect(try await setup.top().get() == first)
        #expect(setup.reddit.paths.count == 1)
        setup.clock.advance(.seconds(2))
        _ = await setup.top()
        #expect(setup.reddit.paths.count == 2)
    }

    @Test("A community offers neither search nor random posts")
    func unsupportedCalls() async throws {
        let setup = try RedditSetup(await StandInReddit())
        await #expect(throws: Failure.notOffered) {
            try await setup.repository.search(SearchQuery("x"), page: nil)
        }
        await #expect(throws: Failure.notOffered) { try await setup.repository.random(ListingPreferences()) }
        let foreign = PageToken(source: "giphy", parameters: [:])
        #expect(await setup.top(page: foreign) == .failure(.foreignPage(source: "giphy")))
        #expect(setup.reddit.paths.isEmpty)
    }

    // MARK: - Hostile XML

    private static let bomb = """
        <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">
        \(zip("bcdefghij", "abcdefghi").map { name, inner in
            "<!ENTITY \(name) \"" + String(repeating: "&\(inner);", count: 10) + "\">"
        }.joined(separator: "\n"))]>
        <feed xmlns="http://www.w3.org/2005/Atom"><title>&j;</title></feed>
        """
    private static let external = """
        <?xml version="1.0"?><!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/hostname">]>
        <feed xmlns="http://www.w3.org/2005/Atom"><title>&x;</title></feed>
        """
    private static let outside = """
        <?xml version="1.0"?><!DOCTYPE feed SYSTEM "http://127.0.0.1:1/x.dtd"><feed xmlns="http://www.w3.org/2005/Atom"/>
        """
    private static let deep = String(repeating: "<a>", count: 200_000) + String(repeating: "</a>", count: 200_000)

    private func posts(_ body: [UInt8]) throws -> [GIFReference] {
        let response = ServiceResponse(http: .init(status: 200, body: body), redactor: Redactor())
        let service = Reddit(try #require(Community("kettles")), CatalogSettings(), version: "1.0")
        let request = ListingRequest(listing: .trending, preferences: ListingPreferences())
        return try service.decode(response, to: request).items
    }

    @Test(
        "A document with a document type, with another root or without its end is refused",
        arguments: [
            bomb, external, outside, deep, "", "<", "<feed", "\u{0}", "<a></b>", "<a/><b/>", "<feed><entry>", "</feed>",
        ])
    func refusedXML(text: String) {
        #expect(throws: Failure.self) { try posts(Array(text.utf8)) }
    }

    @Test("At most 200 entries are read, and only elements of entries")
    func manyEntries() throws {
        let link = "&lt;a href=&quot;https://i.redd.it/a.gif&quot;&gt;"
        let entries = (0..<300).map { "<entry><id>t3_\($0)</id><content>\(link)</content></entry>" }.joined()
        let feed = "<feed><id>t3_x</id><content>\(link)</content>\(entries)</feed>"
        #expect(try posts(Array(feed.utf8)).map(\.id) == (0..<200).map(String.init))
        let wide = "<feed>" + String(repeating: "<a/>", count: 100_000) + "</feed>"
        #expect(try posts(Array(wide.utf8)).isEmpty)
    }

    @Test("If a response is not a valid feed, the error reports the type of the content")
    func notAFeed() async throws {
        for (body, received) in [
            (Self.bomb, ReceivedBody.brokenXML), (String(try Fixture.text("reddit/top.rss").dropLast(30)), .brokenXML),
            ("<?xml version=\"1.0\"?><rss/>", .brokenXML), ("<!doctype html><p>", .html), ("busy", .text),
            ("", .nothing),
        ] {
            let setup = try RedditSetup(await StandInReddit { $0.feed = body })
            #expect(await setup.top() == .failure(.notJSON(status: 200, received: received)))
        }
    }

    @Test("A feed that is truncated or damaged at any byte causes no crash")
    func damagedFeed() throws {
        let whole = Array(try Fixture.text("reddit/top.rss").utf8)
        for length in stride(from: 0, to: whole.count - 8, by: 61) {
            #expect(throws: Failure.self) { try posts(Array(whole.prefix(length))) }
        }
        var state: UInt64 = 9
        for _ in 0..<300 {
            var body = whole
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                body[Int(state >> 33) % body.count] = UInt8(truncatingIfNeeded: state >> 25)
            }
            for post in (try? posts(body)) ?? [] {
                #expect(post.renditions[0].url.hasPrefix("http"))
            }
        }
    }

    @Test(
        "A link counts only if libcurl would connect to one of Reddit's media hosts",
        arguments: [
            ("https://i.redd.it/a.gif", true), ("https://I.Imgur.com:443/a.gif", true),
            ("https://i.redd.it@evil.example/a.gif", false), ("https://i.redd.it:x@evil.example/a.gif", false),
            ("https://i.redd.it\\@evil.example/a.gif", false), ("https://i.redd.it%2eevil.example/a.gif", false),
            ("https://evil.example/?https://i.redd.it/a.gif", false), ("https://i.redd.it.evil.example/a.gif", false),
            ("https://evil.example#i.redd.it/a.gif", false), ("https:i.redd.it/a.gif", false),
        ])
    func mediaHosts(link: String, isAccepted: Bool) throws {
        let entry = "<entry><id>t3_a</id><content>&lt;a href=&quot;\(link)&quot;></content></entry>"
        let body = Array("<feed xmlns=\"http://www.w3.org/2005/Atom\">\(entry)</feed>".utf8)
        #expect(try posts(body).map(\.renditions[0].url) == (isAccepted ? [link] : []))
    }

    @Test("Entities in texts and attributes are resolved once, and unknown ones stay")
    func entities() throws {
        let link = "&lt;a href=&quot;https://i.redd.it/a.gif?a=1&amp;amp;b=2&quot;&gt;"
        let feed = """
            <feed><entry><id>t3_a</id><title>1 &lt; 2 &#38; &amp;lt; &x;</title><author><name>/u/me</name></author>
            <link href='https://a.example/?a&amp;b&#33;'/><content>\(link)</content></entry></feed>
            """
        let post = try #require(try posts(Array(feed.utf8)).first)
        #expect(post.title == "1 < 2 & &lt; &x;" && post.author == "me")
        #expect(post.pageURL == "https://a.example/?a&b!")
        #expect(post.renditions[0].url == "https://i.redd.it/a.gif?a=1&b=2")
    }
}
