import Catalog
import TestServer
import Testing

@testable import Reddit

@Suite(.timeLimit(.minutes(15))) struct RefusalTests {
    @Test("The error for refused credentials does not contain the credentials")
    func refusedCredentials() async throws {
        let echo = "{\"message\":\"no \(StandInReddit.secret) \(StandInReddit.basic)\",\"error\":401}"
        let setup = try RedditSetup(await StandInReddit { $0.tokenRefusal = .init(401, text: echo) })
        #expect(
            await setup.top() == .failure(.keyRefused(variable: "--reddit-client", message: "no (key) (key)")))
        let wrong = try RedditSetup(await StandInReddit(), secret: "another")
        #expect(
            await wrong.top() == .failure(.keyRefused(variable: "--reddit-client", message: "Unauthorized")))
    }

    @Test("A dump of the session and the repository contains no secret")
    func secrets() async throws {
        let setup = try RedditSetup(await StandInReddit())
        _ = await setup.top()
        var dumped = ""
        dump(setup.session, to: &dumped)
        dump(setup.repository, to: &dumped)
        #expect(dumped.contains("reddit") || dumped.contains("Reddit"))
        for form in [StandInReddit.secret, StandInReddit.basic, "token-1"] { #expect(!dumped.contains(form)) }
    }

    @Test("A response with an error code is an error even if its HTTP status indicates success")
    func errorWithSuccessStatus() async throws {
        let setup = try RedditSetup(
            await StandInReddit { $0.tokenRefusal = .init(text: "{\"error\":\"unsupported_grant_type\"}") })
        #expect(
            await setup.top()
                == .failure(.api(code: "unsupported_grant_type", message: "", retryAfterSeconds: nil)))
    }

    @Test(
        "A token response is refused if the token is missing or not a valid header value",
        arguments: ["{\"access_token\":\"a b\"}", "{\"access_token\":\"ä\"}", "{\"access_token\":\"\"}", "[]", "{}"])
    func invalidToken(body: String) async throws {
        let setup = try RedditSetup(await StandInReddit { $0.tokenRefusal = .init(text: body) })
        #expect(await setup.top() == .failure(.notJSON(status: 200, received: .unexpectedJSON)))
        #expect(setup.reddit.paths.count == 1)
    }

    @Test("A redirect of the token request is not followed")
    func redirectedForm() async throws {
        let elsewhere = try await LoopbackServer { _, _ in .init() }
        let setup = try RedditSetup(
            await StandInReddit { $0.tokenRefusal = .init(307, headers: ["Location": elsewhere.base + "/x"]) })
        #expect(
            await setup.top()
                == .failure(.transport(.responseRefused(host: "127.0.0.1", reason: "a redirect of a POST"))))
        #expect(elsewhere.requests.isEmpty)
    }

    @Test("The error for an HTML page with status 403 contains no text of the page", arguments: [true, false])
    func htmlRefusal(isKnown: Bool)
        async throws
    {
        let html = try Fixture.text("error_403.html")
        let setup = try RedditSetup(await StandInReddit { $0.refusal = .init(403, text: html) }, isKnown: isKnown)
        #expect(await setup.top() == .failure(.refused(status: 403, message: nil, retryAfterSeconds: nil)))
    }

    @Test("After a status 429, the request is not repeated, and a cool-down starts", arguments: [true, false])
    func tooManyRequests(isKnown: Bool) async throws {
        let body = try Fixture.text("error_429.json")
        for (headers, seconds) in [(["Retry-After": "90"], 90), (["x-ratelimit-reset": "120"], 120), ([:], nil)] {
            let setup = try RedditSetup(
                await StandInReddit { $0.refusal = .init(429, headers: headers, text: body) }, isKnown: isKnown)
            #expect(
                await setup.top()
                    == .failure(.refused(status: 429, message: "Too Many Requests", retryAfterSeconds: seconds)))
            let requests = setup.reddit.paths.count
            #expect(requests == (isKnown ? 2 : 1))
            setup.clock.advance(.seconds(61))
            #expect(await setup.top() == .failure(.coolingDown(seconds: (seconds ?? 600) - 61)))
            #expect(setup.reddit.paths.count == requests)
            setup.reddit.change { $0.refusal = nil }
            setup.clock.advance(.seconds(600))
            #expect(try await setup.top().get().items.count == 2)
        }
    }

    @Test("An exhausted quota starts a cool-down that lasts until the quota is renewed")
    func exhaustedQuota() async throws {
        let headers = ["x-ratelimit-remaining": "0.0", "x-ratelimit-reset": "37"]
        let setup = try RedditSetup(await StandInReddit { $0.headers = headers })
        let first = try await setup.top().get()
        #expect(await setup.top(page: first.next) == .failure(.coolingDown(seconds: 37)))
        setup.clock.advance(.seconds(38))
        #expect(try await setup.top(page: first.next).get().items.map(\.id) == ["kk0009"])
    }

    @Test(
        "If a response is not a listing, the error reports the type of the content",
        arguments: [
            ("<!doctype html><p>x", ReceivedBody.html), ("", .nothing), ("{\"kind\":\"Listing\"", .brokenJSON),
            ("{\"kind\":\"Listing\",\"data\":{}}", .unexpectedJSON),
            ("{\"kind\":\"t5\",\"data\":{\"children\":[]}}", .unexpectedJSON),
        ])
    func notAListing(body: String, received: ReceivedBody) async throws {
        let setup = try RedditSetup(await StandInReddit { $0.pages = ["": body] })
        #expect(await setup.top() == .failure(.notJSON(status: 200, received: received)))
    }

    @Test("A truncated listing is an error, and extreme numbers cause no crash")
    func damagedListing() throws {
        let whole = Array(try Fixture.text("listing.json").utf8)
        for length in stride(from: 0, to: whole.count - 2, by: 97) {
            let response = ServiceResponse(
                http: .init(status: 200, body: Array(whole.prefix(length))), redactor: Redactor())
            #expect(throws: CatalogError.self) { try RedditListingDecoder.posts(response) }
        }
        for number in ["1e308", "-1", "9223372036854775807", "18446744073709551616", "0.5"] {
            let text = String(decoding: whole, as: UTF8.self).replacing(/: \d+(\.0)?/, with: ": \(number)")
            let response = ServiceResponse(http: .init(status: 200, body: Array(text.utf8)), redactor: Redactor())
            for post in try RedditListingDecoder.posts(response).posts {
                #expect(post.comments ?? 0 >= 0 && post.posted ?? 86_400 >= 86_400)
            }
        }
    }
}
