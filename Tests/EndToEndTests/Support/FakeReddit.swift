import Foundation
import Synchronization

/// A fake Reddit on loopback that follows Reddit's API documentation. It serves an access token to clients with
/// credentials, a listing of two pages, and an RSS feed.
final class FakeReddit: Sendable {
    static let secret = "hu5h-Hu5h+/="
    /// The lines that set the credentials in the configuration file.
    static let credentials = "--reddit-client app-id\n--key reddit=\(secret)\n--reddit-username kettle_keeper\n"
    private static let basic = Data("app-id:\(secret)".utf8).base64EncodedString()

    /// How the fake Reddit treats requests. Tests change this with ``setAccess(_:)``.
    enum Access {
        case granted
        /// Responds with status 403 and an HTML page, as Reddit can do for any client without credentials.
        case refused
    }

    let site: FakeSite
    private let access: AccessState

    private final class AccessState: Sendable {
        let current = Mutex(Access.granted)
    }

    init() throws {
        let access = AccessState()
        self.access = access
        site = try FakeSite { request, base in
            if request.path.hasPrefix("/preview/") { return try .gif("campfire") }
            guard request.path.hasPrefix("/reddit/") || request.path.hasPrefix("/oauth/") else {
                return .text("", status: 503)
            }
            guard access.current.withLock({ $0 == .granted }) else {
                return try Self.fixture("error_403.html", base, status: 403)
            }
            return try Self.answer(request, base)
        }
    }

    func setAccess(_ access: Access) { self.access.current.withLock { $0 = access } }

    /// The request lines of the requests for the API and the RSS feed.
    var requestLines: [String] { site.requestLines.filter { $0.contains("/reddit/") || $0.contains("/oauth/") } }

    /// Returns the number of GIF requests whose URL contains `part`.
    func mediaRequests(containing part: String) -> Int {
        site.requestLines.count { $0.contains("/preview/") && $0.contains(part) }
    }

    private static func answer(_ request: FakeSite.Request, _ base: String) throws -> FakeSite.Reply {
        guard request.header("User-Agent")?.hasPrefix("linux:gifplay:") == true else { return .text("", status: 429) }
        switch request.path {
        case "/reddit/api/v1/access_token":
            guard request.head.hasPrefix("POST "), request.body == "grant_type=client_credentials",
                request.header("Authorization") == "Basic " + basic
            else { return try fixture("error_401.json", base, status: 401) }
            return try fixture("token.json", base)
        case "/oauth/r/kettles/top":
            guard request.header("Authorization") == "Bearer token-1" else {
                return try fixture("error_401.json", base, status: 401)
            }
            return try fixture(
                request.query.contains("after=t3_kk0001") ? "listing_last_page.json" : "listing.json", base)
        case "/oauth/r/cups/top": return try fixture("listing_videos.json", base)
        case "/reddit/r/kettles/top/.rss": return try fixture("top.rss", base)
        default: return .text("", status: 404)
        }
    }

    /// Returns a fixture, changed so that its posts are two hours old and its GIF URLs point to this server.
    private static func fixture(_ name: String, _ base: String, status: Int = 200) throws -> FakeSite.Reply {
        let file = Binary.package.appendingPathComponent("Tests/Fixtures/reddit/\(name)")
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacingOccurrences(of: "https://preview.redd.it/", with: base + "/preview/")
            .replacingOccurrences(of: "1795219200.0", with: "\(Int(Date().timeIntervalSince1970) - 7_300).0")
            .replacingOccurrences(of: "@TOKEN@", with: "token-1")
        return .text(text, status: status)
    }
}
