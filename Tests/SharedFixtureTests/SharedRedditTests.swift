import Testing

@testable import Catalog
@testable import Reddit

/// Like `SharedFixtureTests`, for Reddit's responses.
@Suite(.enabled(if: Shared.isAskedFor || Shared.isThere, "no folder of shared fixtures: set GIFPLAY_SHARED"))
struct SharedRedditTests {
    private func answer(_ name: String, _ status: Int = 200) throws -> Answer {
        Answer(
            response: HTTPResponse(status: status, body: try Shared.bytes("reddit", name)), redactor: Redactor())
    }

    @Test func everyFixtureOfRedditIsKnown() throws {
        #expect(
            try Shared.names("reddit") == [
                "error_403.html", "error_429.json", "listing.json", "listing_last_page.json", "token.json",
            ])
    }

    @Test func theListingsAreRead() throws {
        let listing = try ListingAnswer.posts(answer("listing.json"))
        #expect(listing.posts.map(\.id) == ["fix0001", "fix0003"])
        #expect(listing.after == "t3_fix0003")
        let cat = listing.posts[0]
        #expect(cat.title == "Dancing cat (fixture)" && cat.posted == 1_763_650_000 && cat.comments == 42)
        #expect(cat.renditions.map(\.width) == [108, 216, 480])
        #expect(cat.renditions.last?.url == "https://preview.redd.it/fixture.gif?s=0000&x=1")
        #expect(listing.posts[1].isAdult == true)
        #expect(try ListingAnswer.posts(answer("listing_last_page.json")) == Posts())
    }

    @Test func theErrorsAndTheTokenAreRead() throws {
        #expect(try answer("error_429.json", 429).message == "Too Many Requests")
        #expect(try answer("error_403.html", 403).message == nil)
        #expect(try answer("token.json").json(TokenAnswer.self).seconds == 86_400)
    }
}
