import Testing

@testable import Catalog
@testable import Reddit

/// Decodes Reddit's responses from the shared folder, as ``SharedFixtureTests`` does for the other services.
@Suite(
    .enabled(if: SharedFolder.isRequested || SharedFolder.exists, "no folder of shared fixtures: set GIFPLAY_SHARED"))
struct SharedRedditTests {
    private func response(_ name: String, _ status: Int = 200) throws -> ServiceResponse {
        ServiceResponse(
            http: HTTPResponse(status: status, body: try SharedFolder.bytes("reddit", name)), redactor: Redactor())
    }

    @Test("The shared folder contains exactly the expected Reddit fixtures")
    func fixtures() throws {
        #expect(
            try SharedFolder.names("reddit") == [
                "error_403.html", "error_429.json", "listing.json", "listing_last_page.json", "token.json",
            ])
    }

    @Test("The Reddit listings are decoded")
    func listings() throws {
        let listing = try RedditListingDecoder.posts(response("listing.json"))
        #expect(listing.posts.map(\.id) == ["fix0001", "fix0003"])
        #expect(listing.after == "t3_fix0003")
        let cat = listing.posts[0]
        #expect(cat.title == "Dancing cat (fixture)" && cat.posted == 1_763_650_000 && cat.comments == 42)
        #expect(cat.renditions.map(\.width) == [108, 216, 480])
        #expect(cat.renditions.last?.url == "https://preview.redd.it/fixture.gif?s=0000&x=1")
        #expect(listing.posts[1].isAdult == true)
        #expect(try RedditListingDecoder.posts(response("listing_last_page.json")) == PostPage())
    }

    @Test("The Reddit errors and the token are decoded")
    func errorsAndToken() throws {
        #expect(try response("error_429.json", 429).message == "Too Many Requests")
        #expect(try response("error_403.html", 403).message == nil)
        #expect(try response("token.json").json(LenientObject.self).integer("expires_in") == 86_400)
    }
}
