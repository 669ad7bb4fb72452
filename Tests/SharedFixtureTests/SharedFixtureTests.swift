import Base
import FoundationEssentials
import Testing

@testable import Catalog

/// The shared folder of recorded service responses. If a fixture of this package decodes but the recorded response does
/// not, the fixture misrepresents the service.
///
/// If GIFPLAY_SHARED is set, the folder that it names must exist. Otherwise the tests use the folder `shared` next to
/// the package. If that folder does not exist, the suites are skipped.
enum SharedFolder {
    static let services = ["commons", "gifcities", "giphy", "klipy", "openverse"]

    static var isRequested: Bool { ProcessInfo.processInfo.environment["GIFPLAY_SHARED"] != nil }

    static var folder: URL {
        if let path = ProcessInfo.processInfo.environment["GIFPLAY_SHARED"] { return URL(filePath: path) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appending(path: "shared")
    }

    static var fixtures: URL { folder.appending(path: "apis/fixtures") }

    static var exists: Bool { FileManager.default.fileExists(atPath: fixtures.path) }

    static func names(_ service: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: service).path).sorted()
    }

    static func bytes(_ service: String, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: fixtures.appending(path: service).appending(path: name)))
    }
}

@Test(
    "If GIFPLAY_SHARED is set, its value is an existing folder",
    .enabled(if: SharedFolder.isRequested, "GIFPLAY_SHARED is not set"))
func sharedFolderExists() {
    #expect(SharedFolder.exists)
}

@Suite(
    .enabled(if: SharedFolder.isRequested || SharedFolder.exists, "no folder of shared fixtures: set GIFPLAY_SHARED"))
struct SharedFixtureTests {
    /// The expected result of decoding a response: a number of references, an error, or nothing. `status` is the HTTP
    /// status of the response.
    private enum Expected {
        case references(Int, rating: Rating = .r)
        case error(status: Int, Failure)
        /// A response to an API call that the player never makes. Decoding this response must neither return references
        /// nor crash.
        case nothing
    }

    private func read(_ service: String, _ name: String, _ status: Int, _ rating: Rating) throws -> Result<
        DecodedListing, Failure
    > {
        let declared = try #require(GIFSources.services.first { $0.profile.name == service })
        let response = ServiceResponse(
            http: HTTPResponse(status: status, body: try SharedFolder.bytes(service, name)), redactor: Redactor())
        var request = ListingRequest(
            listing: .search(query: "dancing cat"), preferences: ListingPreferences(rating: rating))
        if name.hasSuffix(".html") { request.page = [GifCities.site: "1"] }
        do throws(Failure) {
            guard status == 200 else { throw declared.refusal(response) }
            return .success(try declared.decode(response, to: request))
        } catch {
            return .failure(error)
        }
    }

    @Test("Every shared fixture decodes to its expected result", arguments: SharedFolder.services)
    func fixtures(service: String) throws {
        let names = try SharedFolder.names(service)
        #expect(!names.isEmpty)
        for name in names {
            let expected = try #require(Self.expected["\(service)/\(name)"], "no expectation for \(service)/\(name)")
            switch expected {
            case .references(let count, let rating):
                let listed = try read(service, name, 200, rating).get()
                #expect(listed.items.count == count, "\(service)/\(name)")
            case .error(let status, let error):
                guard case .failure(error) = try read(service, name, status, .g) else {
                    Issue.record("\(service)/\(name): \(try read(service, name, status, .g))")
                    continue
                }
            case .nothing:
                let listed = try? read(service, name, 200, .r).get()
                #expect(listed?.items.isEmpty ?? true, "\(service)/\(name)")
            }
        }
    }

    private static let giphyKey = "GIPHY_API_KEY"
    private static func refused(_ status: Int, _ message: String, _ seconds: Int? = nil) -> Expected {
        .error(status: status, .refused(status: status, message: message, retryAfterSeconds: seconds))
    }

    private static let expected: [String: Expected] = [
        "commons/error_403_useragent.txt": refused(
            403, "Please set a user-agent and respect our robot policy (fixture text, not JSON)"),
        "commons/error_429.json": refused(
            429, "There was a problem during the HTTP request: 429 Too Many Requests"),
        "commons/error_bc.json": .error(
            status: 200,
            .api(
                code: "badvalue", message: "Unrecognized value for parameter \"gsrsort\": bogus.",
                retryAfterSeconds: nil)),
        "commons/error_maxlag.json": .error(
            status: 200,
            .api(code: "maxlag", message: "Waiting for 10.0.0.1: 7.2 seconds lagged.", retryAfterSeconds: nil)),
        "commons/error_plaintext.json": .error(
            status: 200,
            .api(
                code: "badvalue", message: "Unrecognized value for parameter \"gsrsort\": bogus.",
                retryAfterSeconds: nil)),
        "commons/list_search.json": .nothing,
        "commons/page_missing_imageinfo.json": .references(0),
        "commons/random.json": .references(2),
        "commons/random_offset_ignored.json": .references(1),
        "commons/search.json": .references(3),
        "commons/search_empty.json": .references(0),
        "commons/search_last_page.json": .references(1),
        "gifcities/search.json": .references(4),
        "gifcities/search_empty.json": .references(0),
        "gifcities/search_page.html": .references(1),
        "giphy/autocomplete.json": .nothing,
        "giphy/categories.json": .nothing,
        "giphy/error_401.json": .error(status: 401, .keyRefused(variable: giphyKey, message: "Unauthorized")),
        "giphy/error_401_gateway.json": .error(
            status: 401, .keyRefused(variable: giphyKey, message: "Invalid authentication credentials")),
        "giphy/error_403.json": .error(status: 403, .keyRefused(variable: giphyKey, message: "BANNED")),
        "giphy/error_404.json": refused(404, "Not Found"),
        "giphy/error_414.json": refused(414, "URI Too Long"),
        "giphy/error_429.json": refused(429, "API rate limit exceeded"),
        "giphy/error_429_gateway.json": refused(429, "API rate limit exceeded"),
        "giphy/gif_by_id.json": .references(1),
        "giphy/gifs_by_ids.json": .references(2),
        "giphy/random.json": .references(1),
        "giphy/random_miss.json": .references(0),
        "giphy/randomid.json": .nothing,
        "giphy/related_tags.json": .nothing,
        "giphy/search.json": .references(3),
        "giphy/search_empty.json": .references(0),
        "giphy/search_fields.json": .references(1),
        "giphy/search_synthetic.json": .error(status: 200, .outage),
        "giphy/translate.json": .references(1),
        "giphy/trending.json": .references(1),
        "giphy/trending_searches.json": .nothing,
        "klipy/categories.json": .nothing,
        "klipy/error_404_bad_key.json": .error(
            status: 404,
            .keyRefused(variable: "KLIPY_API_KEY", message: "The provided API key is invalid: [REDACTED]")),
        "klipy/error_404_bad_slug.json": refused(404, "404 Not Found"),
        "klipy/item.json": .nothing,
        "klipy/search.json": .references(2),
        "klipy/search_empty.json": .references(0),
        "klipy/search_with_ad.json": .references(2),
        "klipy/trending.json": .references(1),
        "klipy/v2_search.json": .nothing,
        "klipy/v2_search_last_page.json": .nothing,
        "openverse/error_400.json": refused(
            400, "Invalid input given for fields. 'license' -> License 'bogus' does not exist."),
        "openverse/error_401_page_size.json": refused(401, "Ensure this value is less than or equal to 20."),
        "openverse/error_429.json": refused(429, "Request was throttled. Expected available in 41 seconds.", 41),
        "openverse/search.json": .references(2),
        "openverse/search_empty.json": .references(0),
    ]
}
