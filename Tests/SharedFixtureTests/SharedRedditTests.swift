import Testing

@testable import Catalog

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

    @Test("The Reddit errors are decoded")
    func errors() throws {
        #expect(try response("error_429.json", 429).message == "Too Many Requests")
        #expect(try response("error_403.html", 403).message == nil)
    }
}
