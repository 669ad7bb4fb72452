import Catalog
import TestServer
import Testing

@testable import Reddit

@Suite(.timeLimit(.minutes(15))) struct RefusalTests {
    @Test func `credentials that are not taken are said, without them`() async throws {
        let echo = "{\"message\":\"no \(StandInReddit.secret) \(StandInReddit.basic)\",\"error\":401}"
        let visit = try Visit(await StandInReddit { $0.tokenRefusal = .init(401, text: echo) })
        #expect(
            await visit.top() == .failure(.keyRefused(variable: "reddit.client-id", message: "no (key) (key)")))
        let wrong = try Visit(await StandInReddit(), secret: "another")
        #expect(
            await wrong.top() == .failure(.keyRefused(variable: "reddit.client-id", message: "Unauthorized")))
    }

    @Test func `no form of a secret is printed`() async throws {
        let visit = try Visit(await StandInReddit())
        _ = await visit.top()
        var dumped = ""
        dump(visit.session, to: &dumped)
        dump(visit.repository, to: &dumped)
        #expect(dumped.contains("reddit") || dumped.contains("Reddit"))
        for form in [StandInReddit.secret, StandInReddit.basic, "token-1"] { #expect(!dumped.contains(form)) }
    }

    @Test func `an error under a status of success is an error`() async throws {
        let visit = try Visit(
            await StandInReddit { $0.tokenRefusal = .init(text: "{\"error\":\"unsupported_grant_type\"}") })
        #expect(
            await visit.top()
                == .failure(.api(code: "unsupported_grant_type", message: "", retryAfterSeconds: nil)))
    }

    @Test(arguments: ["{\"access_token\":\"a b\"}", "{\"access_token\":\"ä\"}", "{\"access_token\":\"\"}", "[]", "{}"])
    func `what cannot stand in a header is no token`(body: String) async throws {
        let visit = try Visit(await StandInReddit { $0.tokenRefusal = .init(text: body) })
        #expect(await visit.top() == .failure(.notJSON(status: 200, received: .unexpectedJSON)))
        #expect(visit.reddit.paths.count == 1)
    }

    @Test func `a form that is sent elsewhere is not sent there`() async throws {
        let elsewhere = try await LoopbackServer { _, _ in .init() }
        let visit = try Visit(
            await StandInReddit { $0.tokenRefusal = .init(307, headers: ["Location": elsewhere.base + "/x"]) })
        #expect(
            await visit.top()
                == .failure(.transport(.redirectRefused(host: "127.0.0.1", reason: "a redirect of a form"))))
        #expect(elsewhere.requests.isEmpty)
    }

    @Test(arguments: [true, false]) func `a page of HTML under 403 is a refusal without words`(isKnown: Bool)
        async throws
    {
        let html = try Fixture.text("error_403.html")
        let visit = try Visit(await StandInReddit { $0.refusal = .init(403, text: html) }, isKnown: isKnown)
        #expect(await visit.top() == .failure(.refused(status: 403, message: nil, retryAfterSeconds: nil)))
    }

    @Test(arguments: [true, false]) func `a 429 is asked once and rested after`(isKnown: Bool) async throws {
        let body = try Fixture.text("error_429.json")
        for (headers, seconds) in [(["Retry-After": "90"], 90), (["x-ratelimit-reset": "120"], 120), ([:], nil)] {
            let visit = try Visit(
                await StandInReddit { $0.refusal = .init(429, headers: headers, text: body) }, isKnown: isKnown)
            #expect(
                await visit.top()
                    == .failure(.refused(status: 429, message: "Too Many Requests", retryAfterSeconds: seconds)))
            let asked = visit.reddit.paths.count
            #expect(asked == (isKnown ? 2 : 1))
            visit.clock.advance(.seconds(61))
            #expect(await visit.top() == .failure(.coolingDown(seconds: (seconds ?? 600) - 61)))
            #expect(visit.reddit.paths.count == asked)
            visit.reddit.change { $0.refusal = nil }
            visit.clock.advance(.seconds(600))
            #expect(try await visit.top().get().items.count == 2)
        }
    }

    @Test func `with nothing left of the minute nothing is asked before the next`() async throws {
        let headers = ["x-ratelimit-remaining": "0.0", "x-ratelimit-reset": "37"]
        let visit = try Visit(await StandInReddit { $0.headers = headers })
        let first = try await visit.top().get()
        #expect(await visit.top(page: first.next) == .failure(.coolingDown(seconds: 37)))
        visit.clock.advance(.seconds(38))
        #expect(try await visit.top(page: first.next).get().items.map(\.id) == ["kk0009"])
    }

    @Test(arguments: [
        ("<!doctype html><p>x", ReceivedBody.html), ("", .nothing), ("{\"kind\":\"Listing\"", .brokenJSON),
        ("{\"kind\":\"Listing\",\"data\":{}}", .unexpectedJSON),
        ("{\"kind\":\"t5\",\"data\":{\"children\":[]}}", .unexpectedJSON),
    ])
    func `what is no listing is said to be none`(body: String, received: ReceivedBody) async throws {
        let visit = try Visit(await StandInReddit { $0.pages = ["": body] })
        #expect(await visit.top() == .failure(.notJSON(status: 200, received: received)))
    }

    @Test func `a listing cut or damaged anywhere traps nowhere`() throws {
        let whole = Array(try Fixture.text("listing.json").utf8)
        for length in stride(from: 0, to: whole.count - 2, by: 97) {
            let answer = Answer(response: .init(status: 200, body: Array(whole.prefix(length))), redactor: Redactor())
            #expect(throws: CatalogError.self) { try ListingAnswer.posts(answer) }
        }
        for number in ["1e308", "-1", "9223372036854775807", "18446744073709551616", "0.5"] {
            let text = String(decoding: whole, as: UTF8.self).replacing(/: \d+(\.0)?/, with: ": \(number)")
            let answer = Answer(response: .init(status: 200, body: Array(text.utf8)), redactor: Redactor())
            for post in try ListingAnswer.posts(answer).posts {
                #expect(post.comments ?? 0 >= 0 && post.posted ?? 86_400 >= 86_400)
            }
        }
    }
}
