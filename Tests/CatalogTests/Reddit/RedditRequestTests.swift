import Base
import FoundationEssentials
import TestServer
import Testing

@testable import Catalog

/// Compares the requests that the fake server received with the file Tests/Fixtures/requests/reddit.txt. If
/// GIFPLAY_RECORD is set, the test first overwrites the file with these requests.
@Suite(.timeLimit(.minutes(15))) struct RedditRequestTests {
    @Test("The requests to Reddit equal the recorded requests")
    func recordedRequests() async throws {
        var text = ""
        let anonymous = try RedditSetup(await StandInReddit())
        _ = try await anonymous.top().get()
        text += "# The public feed\n\n" + recorded(anonymous)
        let own = try RedditSetup(await StandInReddit(), feedToken: "t0k/en")
        _ = try await own.top().get()
        text += "# With the token of the user's own feeds\n\n" + recorded(own)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appending(path: "Fixtures/requests/reddit.txt")
        if ProcessInfo.processInfo.environment["GIFPLAY_RECORD"] != nil { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    private func recorded(_ setup: RedditSetup) -> String {
        setup.reddit.server.requests.map { request in
            let parameters = request.query.sorted { $0.key < $1.key }.map { "    \($0.key)=\($0.value)" }
            let headers = request.headers.filter { $0.key != "host" }.sorted { $0.key < $1.key }.map { name, value in
                "\(name): \(name == "accept-encoding" ? "(all that libcurl knows)" : value)"
            }
            let body = request.body.isEmpty ? [] : [request.body]
            let lines = ["\(request.method) \(request.path)"] + parameters + headers + body
            return lines.joined(separator: "\n") + "\n\n"
        }.joined()
    }
}

@Suite(.timeLimit(.minutes(15))) struct NameTests {
    @Test(
        "The name of a community is validated",
        arguments: [
            ("gifs", "r/gifs"), ("r/GIFs", "r/gifs"), ("/r/high_quality", "r/high_quality"), ("a", nil), ("", nil),
            ("gifs/../../x", nil), ("a b", nil), ("gîfs", nil), ("gifs+pics", nil), ("r/", nil),
            ("a123456789012345678901", nil), ("gifs?x", nil),
        ])
    func communityName(text: String, name: String?) {
        #expect(Community(text).map { Reddit($0, CatalogSettings(), version: "1.0").profile.name } == name)
    }

    @Test("The user agent has the format that Reddit requires; invalid characters of the user name are removed")
    func userAgent() {
        #expect(Reddit.userAgent(version: "1.0", username: nil) == "linux:gifplay:1.0")
        #expect(Reddit.userAgent(version: "1.0", username: "a-b_C)\r\nX: y") == "linux:gifplay:1.0 (by /u/a-b_CXy)")
        #expect(Reddit.userAgent(version: "1.0", username: "/u/name") == "linux:gifplay:1.0 (by /u/name)")
    }
}

@Suite(.timeLimit(.minutes(15))) struct RefusalTests {
    @Test("A dump of the repository contains no token")
    func secrets() async throws {
        let setup = try RedditSetup(await StandInReddit(), feedToken: "t0k/en")
        _ = await setup.top()
        var dumped = ""
        dump(setup.repository, to: &dumped)
        #expect(dumped.contains("reddit") || dumped.contains("Reddit"))
        for form in ["t0k/en", "t0k%2Fen"] { #expect(!dumped.contains(form)) }
    }

    @Test("The error for an HTML page with status 403 contains no text of the page")
    func htmlRefusal() async throws {
        let html = try Fixture.text("reddit/error_403.html")
        let setup = try RedditSetup(await StandInReddit { $0.refusal = .init(403, text: html) })
        #expect(await setup.top() == .failure(.refused(status: 403, message: nil, retryAfterSeconds: nil)))
    }

    @Test("After a status 429, the request is not repeated, and a cool-down starts")
    func tooManyRequests() async throws {
        let body = try Fixture.text("reddit/error_429.json")
        for (headers, seconds) in [(["Retry-After": "90"], 90), (["x-ratelimit-reset": "120"], 120), ([:], nil)] {
            let setup = try RedditSetup(await StandInReddit { $0.refusal = .init(429, headers: headers, text: body) })
            #expect(
                await setup.top()
                    == .failure(.refused(status: 429, message: "Too Many Requests", retryAfterSeconds: seconds)))
            setup.clock.advance(.seconds(61))
            #expect(await setup.top() == .failure(.coolingDown(seconds: (seconds ?? 600) - 61)))
            #expect(setup.reddit.paths.count == 1)
            setup.reddit.change { $0.refusal = nil }
            setup.clock.advance(.seconds(600))
            #expect(try await setup.top().get().items.count == 2)
        }
    }

    @Test("An exhausted quota starts a cool-down that lasts until the quota is renewed")
    func exhaustedQuota() async throws {
        let headers = ["x-ratelimit-remaining": "0.0", "x-ratelimit-reset": "37"]
        let setup = try RedditSetup(await StandInReddit { $0.headers = headers })
        _ = try await setup.top().get()
        let other = setup.other
        await #expect(throws: Failure.coolingDown(seconds: 37)) {
            try await other.trending(ListingPreferences(budgetMilliseconds: 200_000), page: nil)
        }
        setup.clock.advance(.seconds(61))
        _ = try await other.trending(ListingPreferences(budgetMilliseconds: 200_000), page: nil)
    }
}
