import Base
import TestServer
import Testing

@testable import Catalog

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
            let setup = try RedditSetup(
                await StandInReddit { $0.refusal = .init(429, headers: headers, text: body) })
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
