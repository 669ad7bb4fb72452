import Catalog
import Fetching
import FoundationEssentials
import Synchronization
import TestServer

@testable import Reddit

/// The files in Tests/Fixtures/reddit.
enum Fixture {
    static func text(_ name: String, file: String = #filePath) throws -> String {
        let tests = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: "Fixtures/reddit").appending(path: name), encoding: .utf8)
    }
}

/// A clock that changes only when `advance` is called.
final class ManualClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(_ duration: Duration) { instant.withLock { $0 += duration } }
}

/// A fake Reddit server on the loopback interface. As in Reddit's documentation, it issues access tokens with a limited
/// lifetime. Its listings require a token; its feed requires no token.
final class StandInReddit: Sendable {
    /// The behaviour of the server. Tests can change it while the server runs.
    struct Behaviour: Sendable {
        /// The access tokens that the server refuses in requests for listings.
        var revoked: Set<String> = []
        /// If not nil, replaces the responses to all requests except token requests.
        var refusal: LoopbackServer.Response?
        /// If not nil, replaces the responses to token requests.
        var tokenRefusal: LoopbackServer.Response?
        /// Additional headers of listing responses.
        var headers: [String: String] = [:]
        /// The listing pages. The key is the `after` parameter of the request, or "" for the first page.
        var pages: [String: String] = [:]
        var feed = ""
        /// The number of access tokens issued so far.
        var issuedTokens = 0
    }

    static let secret = "ke77le-SECRET+/="
    static let basic = Data("app-id:\(secret)".utf8).base64EncodedString()

    let server: LoopbackServer
    private let state: State

    init(_ change: (inout Behaviour) -> Void = { _ in }) async throws {
        var initial = Behaviour()
        initial.pages = [
            "": try Fixture.text("listing.json"), "t3_kk0001": try Fixture.text("listing_last_page.json"),
        ]
        initial.feed = try Fixture.text("top.rss")
        change(&initial)
        let state = State(initial)
        let token = try Fixture.text("token.json")
        server = try await LoopbackServer { request, _ in state.answer(request, token: token) }
        self.state = state
    }

    func change(_ change: (inout Behaviour) -> Void) { state.behaviour.withLock { change(&$0) } }

    var paths: [String] { server.requests.map(\.path) }

    private final class State: Sendable {
        let behaviour: Mutex<Behaviour>
        init(_ behaviour: Behaviour) { self.behaviour = Mutex(behaviour) }

        func answer(_ request: LoopbackServer.Request, token: String) -> LoopbackServer.Response {
            behaviour.withLock { behaviour in
                if request.path == "/api/v1/access_token" { return behaviour.token(request, token) }
                if let refusal = behaviour.refusal { return refusal }
                if request.path.hasSuffix("/.rss") {
                    return .init(headers: ["Content-Type": "application/atom+xml"], text: behaviour.feed)
                }
                let bearer = request.headers["authorization"] ?? ""
                guard bearer.hasPrefix("Bearer token-"), !behaviour.revoked.contains(String(bearer.dropFirst(7)))
                else { return .init(401, text: "{\"message\":\"Unauthorized\",\"error\":401}") }
                let page = behaviour.pages[request.query["after"] ?? ""]
                return page.map { .init(headers: behaviour.headers, text: $0) } ?? .init(404, text: "{}")
            }
        }
    }
}

extension StandInReddit.Behaviour {
    fileprivate mutating func token(_ request: LoopbackServer.Request, _ text: String) -> LoopbackServer.Response {
        if let tokenRefusal { return tokenRefusal }
        guard request.method == "POST", request.body == "grant_type=client_credentials",
            request.headers["authorization"] == "Basic " + StandInReddit.basic
        else { return .init(401, text: "{\"message\":\"Unauthorized\",\"error\":401}") }
        issuedTokens += 1
        return .init(text: text.replacing("@TOKEN@", with: "token-\(issuedTokens)"))
    }
}

/// A fake server, and a session and a repository that query the community r/Kettles of this server.
struct RedditSetup {
    let reddit: StandInReddit
    let clock = ManualClock()
    let repository: RedditRepository
    let session: RedditSession

    init(
        _ reddit: StandInReddit, isKnown: Bool = true, secret: String = StandInReddit.secret, feedToken: String? = nil
    ) throws {
        self.reddit = reddit
        var settings = CatalogSettings()
        settings.reddit.username = "kettle_keeper"
        if isKnown { settings.reddit.clientIdentifier = "app-id" }
        settings.keys[RedditSettings.source] = Secret(secret)
        if feedToken != nil { settings.reddit.feedUser = "kettle_keeper" }
        settings.keys[RedditSettings.feedSource] = feedToken.flatMap(Secret.init)
        settings.endpoints[RedditSettings.source] = ServiceEndpoint(
            base: reddit.server.base, others: [reddit.server.base])
        settings.now = { [clock] in clock.now }
        var options = FetchOptions(userAgent: "gifplay-tests/1")
        options.proxy = .none
        session = RedditSession(settings, version: "1.0", client: CurlHTTPClient(options))
        guard let repository = RedditRepository(community: "Kettles", session: session) else { throw NoCommunity() }
        self.repository = repository
    }

    struct NoCommunity: Error {}

    /// Requests the community's top posts with a time budget of 200 s, which is enough even on a busy machine.
    func top(_ rating: Rating = .g, page: PageToken? = nil) async -> Result<ResultPage, CatalogError> {
        do throws(CatalogError) {
            return .success(
                try await repository.trending(
                    ListingPreferences(rating: rating, budgetMilliseconds: 200_000), page: page))
        } catch {
            return .failure(error)
        }
    }
}
