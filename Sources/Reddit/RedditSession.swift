import Catalog
import FoundationEssentials

/// Requests posts for one user, one request at a time, and manages the token and the cool-down.
///
/// The token is stored only in memory. The session requests the feed of a community at most once a minute, and obeys
/// the limits that Reddit reports (100 calls a minute with a token).
public actor RedditSession {
    /// The minimum time between two requests for the feed of one community.
    static let feedSpacing = Duration.seconds(60)
    static let pageCacheDuration = Duration.seconds(300)
    /// The cool-down in seconds after status 429 if the response does not report how long to wait.
    static let defaultCooldownSeconds = 600
    /// The name of the option with the credentials, for error messages.
    private static let configurationKey = "--reddit-client"
    private static let timeoutMilliseconds = 10_000
    private static let maximumBytes = 2 << 20

    private let settings: CatalogSettings
    private let userAgent: String
    private let client: any HTTPClient & HTTPFormClient
    private let gate = SerialGate()
    private var token: (secret: Secret, until: ContinuousClock.Instant)?
    private var lastFeedRequests: [Community: ContinuousClock.Instant] = [:]
    private var cachedPages: [CommunityPage: (posts: PostPage, until: ContinuousClock.Instant)] = [:]

    /// - Parameter version: of gifplay, for the user agent.
    public init(_ settings: CatalogSettings, version: String, client: any HTTPClient & HTTPFormClient) {
        self.settings = settings
        userAgent = RedditUserAgent.text(version: version, username: settings.reddit.username)
        self.client = client
    }

    /// Without credentials, gifplay reads Reddit's feeds, which contain less information.
    private var credentials: RedditCredentials? {
        guard let identifier = settings.reddit.clientIdentifier, let secret = settings.keys[RedditSettings.source]
        else { return nil }
        return RedditCredentials(identifier: identifier, secret: secret)
    }

    /// The base URL of token requests and of feeds, without a slash at the end.
    private var base: String { settings.endpoints[RedditSettings.source]?.base ?? "https://www.reddit.com" }
    /// The base URL of requests with a token, without a slash at the end.
    private var tokenBase: String {
        settings.endpoints[RedditSettings.source]?.others?.first ?? "https://oauth.reddit.com"
    }

    struct CommunityPage: Hashable, Sendable {
        var community: Community
        /// The name of the post after which the page begins; nil for the first page.
        var after: String?
    }

    /// Returns the top posts of the day, after earlier calls have returned.
    /// - Parameters:
    ///   - milliseconds: the time limit, which includes this wait.
    ///   - refreshes: whether a page is requested again as soon as ``feedSpacing`` allows it.
    func posts(_ page: CommunityPage, milliseconds: Int, refreshes: Bool = false) async throws(CatalogError) -> PostPage
    {
        let deadline = settings.now() + .milliseconds(milliseconds)
        await gate.enter()
        let outcome: Result<PostPage, CatalogError>
        do throws(CatalogError) {
            outcome = .success(try await cachedOrRequestedPosts(page, deadline, refreshes: refreshes))
        } catch {
            outcome = .failure(error)
        }
        await gate.leave()
        return try outcome.get()
    }

    private func cachedOrRequestedPosts(
        _ page: CommunityPage, _ deadline: ContinuousClock.Instant, refreshes: Bool
    ) async throws(CatalogError) -> PostPage {
        let now = settings.now()
        cachedPages = cachedPages.filter { $0.value.until > now }
        let oldest = refreshes ? Self.pageCacheDuration - Self.feedSpacing : .zero
        if let cached = cachedPages[page], cached.until - now > oldest { return cached.posts }
        let posts: PostPage
        if let credentials {
            posts = try await listing(page, credentials, deadline)
        } else {
            posts = try await feed(page, deadline)
        }
        cachedPages[page] = (posts, settings.now() + Self.pageCacheDuration)
        return posts
    }

    // MARK: - With a token

    private func listing(
        _ page: CommunityPage, _ credentials: RedditCredentials, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> PostPage {
        let after = page.after.map { "&after=" + WebAddress.component($0) } ?? ""
        let path = "/r/\(page.community.name)/top?t=day&limit=25&raw_json=1" + after
        for _ in 0..<2 {
            let token = try await token(credentials, deadline)
            let response = try await send(
                tokenBase + path, ["Authorization": "Bearer " + token.reveal()],
                redactor: Redactor([token] + credentials.secrets), deadline)
            // After status 401, the token was probably revoked before it expired. Try once more with a new token.
            guard response.http.status == 401 else {
                try check(response)
                return try RedditListingDecoder.posts(response)
            }
            self.token = nil
        }
        throw .keyRefused(variable: Self.configurationKey, message: nil)
    }

    private func token(
        _ credentials: RedditCredentials, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> Secret {
        if let token, token.until > settings.now() { return token.secret }
        let response = try await send(
            base + "/api/v1/access_token", ["Authorization": "Basic " + credentials.basic],
            form: HTTPForm(["grant_type": "client_credentials"]), redactor: Redactor(credentials.secrets), deadline)
        if response.http.status == 401 {
            throw .keyRefused(variable: Self.configurationKey, message: response.message)
        }
        try check(response)
        let given = try response.json(LenientObject.self)
        // A response with a success status can contain an error instead of a token.
        if let error = given.text("error", limit: 60) { throw .api(code: error, message: "", retryAfterSeconds: nil) }
        let text = given.text("access_token", limit: 8_000) ?? ""
        // The token becomes part of a header, so it must contain only characters that are allowed in a header.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let secret = Secret(text) else {
            throw response.unexpectedJSON
        }
        // A token is used for one minute less than Reddit allows, because it must still be valid on arrival.
        let seconds = min(given.integer("expires_in") ?? 3_600, 86_400) - 60
        token = (secret, settings.now() + .seconds(max(0, seconds)))
        return secret
    }

    // MARK: - Without a token

    private func feed(
        _ page: CommunityPage, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> PostPage {
        guard page.after == nil else { throw .notOffered }
        let now = settings.now()
        if let last = lastFeedRequests[page.community], last + Self.feedSpacing > now {
            throw .coolingDown(seconds: (last + Self.feedSpacing - now).wholeSeconds)
        }
        lastFeedRequests[page.community] = now
        var url = base + "/r/\(page.community.name)/top/.rss?t=day"
        // Reddit refuses feed requests less often if they contain the token of the user's own feeds.
        let token = settings.reddit.feedUser == nil ? nil : settings.keys[RedditSettings.feedSource]
        if let token, let user = settings.reddit.feedUser {
            url += "&feed=\(WebAddress.component(token.reveal()))&user=\(WebAddress.component(user))"
        }
        let response = try await send(url, redactor: Redactor(token.map { [$0] } ?? []), deadline)
        try check(response)
        return try RedditFeedDecoder.posts(response, community: page.community)
    }

    // MARK: - Requests

    private func send(
        _ url: String, _ headers: [String: String] = [:], form: HTTPForm? = nil, redactor: Redactor,
        _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> ServiceResponse {
        let left = try await gate.remainingMilliseconds(until: deadline, at: settings.now())
        var request = HTTPRequest(
            url: url, headers: headers, maximumBytes: Self.maximumBytes,
            timeoutMilliseconds: min(left, Self.timeoutMilliseconds))
        request.headers["User-Agent"] = userAgent
        // A repetition would count against the limits, which matters most after status 429.
        request.mayRepeat = false
        let http: HTTPResponse
        do throws(HTTPError) {
            http =
                if let form { try await client.post(form, to: request) } else { try await client.get(request) }
        } catch {
            throw CatalogError(error, redactor)
        }
        let response = ServiceResponse(http: http, redactor: redactor)
        await checkLimits(response)
        return response
    }

    private func check(_ response: ServiceResponse) throws(CatalogError) {
        let status = response.http.status
        guard !(200..<300).contains(status) else { return }
        throw .refused(status: status, message: response.message, retryAfterSeconds: response.waitSeconds)
    }

    /// Starts a cool-down after status 429, or if the headers report that no call is left in the current period.
    private func checkLimits(_ response: ServiceResponse) async {
        let left = response.http.headers["x-ratelimit-remaining"].flatMap(FlexInt.parsed)
        guard response.http.status == 429 || left.map({ $0 <= 0 }) == true else { return }
        let seconds = response.waitSeconds ?? (response.http.status == 429 ? Self.defaultCooldownSeconds : 60)
        await gate.startCooldown(until: settings.now() + .seconds(seconds))
    }
}

extension ServiceResponse {
    /// The header Retry-After has priority over x-ratelimit-reset.
    fileprivate var waitSeconds: Int? {
        let reset = http.headers["x-ratelimit-reset"].flatMap(FlexInt.parsed)
        return http.retryAfterSeconds ?? reset.flatMap { $0 > 0 ? min($0, 86_400) : nil }
    }
}

/// The credentials that Reddit issued for the user's own app. The app must be of a type that has a secret.
private struct RedditCredentials {
    var identifier: String
    var secret: Secret

    /// The form for HTTP basic authentication.
    var basic: String { Data("\(identifier):\(secret.reveal())".utf8).base64EncodedString() }

    /// A response could repeat the secret or the Base64 credentials that contain it.
    var secrets: [Secret] { [secret] + (Secret(basic).map { [$0] } ?? []) }
}

/// The user agent in the format that the rules of Reddit's API require.
public enum RedditUserAgent {
    /// Returns a text such as `linux:gifplay:1.0 (by /u/name)`. Without a user name, Reddit responds with status 429
    /// sooner.
    public static func text(version: String, username: String?) -> String {
        let bare = (username ?? "").split(separator: "/").last ?? ""
        let name = bare.unicodeScalars.filter { Community.isAllowed($0) || $0 == "-" }
        let by = name.isEmpty ? "" : " (by /u/\(String(String.UnicodeScalarView(name))))"
        return "linux:gifplay:\(version)\(by)"
    }
}
