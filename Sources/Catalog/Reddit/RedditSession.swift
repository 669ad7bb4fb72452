import Base

/// Requests the public feeds of communities for one user, one request at a time.
///
/// The session requests the feed of a community at most once a minute, and obeys the limits that Reddit reports.
public actor RedditSession {
    /// The minimum time between two requests for the feed of one community.
    static let feedSpacing = Duration.seconds(60)
    static let pageCacheDuration = Duration.seconds(300)
    /// The cool-down in seconds after status 429 if the response does not report how long to wait.
    static let defaultCooldownSeconds = 600
    private static let timeoutMilliseconds = 10_000
    private static let maximumBytes = 2 << 20

    private let settings: CatalogSettings
    private let userAgent: String
    private let client: any HTTPClient
    private let gate = SerialGate()
    private var lastRequests: [Community: ContinuousClock.Instant] = [:]
    private var cachedPosts: [Community: (posts: [Post], until: ContinuousClock.Instant)] = [:]

    /// - Parameter version: of gifplay, for the user agent.
    public init(_ settings: CatalogSettings, version: String, client: any HTTPClient) {
        self.settings = settings
        userAgent = RedditUserAgent.text(version: version, username: settings.reddit.username)
        self.client = client
    }

    /// Returns the top posts of the day, after earlier calls have returned.
    /// - Parameters:
    ///   - milliseconds: the time limit, which includes this wait.
    ///   - refreshes: whether the posts are requested again as soon as ``feedSpacing`` allows it.
    func posts(
        of community: Community, milliseconds: Int, refreshes: Bool = false
    ) async throws(Failure) -> [Post] {
        let deadline = settings.now() + .milliseconds(milliseconds)
        await gate.enter()
        let outcome: Result<[Post], Failure>
        do throws(Failure) {
            outcome = .success(try await cachedOrRequestedPosts(community, deadline, refreshes: refreshes))
        } catch {
            outcome = .failure(error)
        }
        await gate.leave()
        return try outcome.get()
    }

    private func cachedOrRequestedPosts(
        _ community: Community, _ deadline: ContinuousClock.Instant, refreshes: Bool
    ) async throws(Failure) -> [Post] {
        let now = settings.now()
        cachedPosts = cachedPosts.filter { $0.value.until > now }
        let oldest = refreshes ? Self.pageCacheDuration - Self.feedSpacing : .zero
        if let cached = cachedPosts[community], cached.until - now > oldest { return cached.posts }
        if let last = lastRequests[community], last + Self.feedSpacing > now {
            throw .coolingDown(seconds: (last + Self.feedSpacing - now).wholeSeconds)
        }
        lastRequests[community] = now
        let posts = try await requestedPosts(community, deadline)
        cachedPosts[community] = (posts, settings.now() + Self.pageCacheDuration)
        return posts
    }

    private func requestedPosts(
        _ community: Community, _ deadline: ContinuousClock.Instant
    ) async throws(Failure) -> [Post] {
        let base = settings.endpoints[RedditSettings.source]?.base ?? "https://www.reddit.com"
        var url = base + "/r/\(community.name)/top/.rss?t=day"
        // Reddit refuses feed requests less often if they contain the token of the user's own feeds.
        let token = settings.reddit.feedUser == nil ? nil : settings.keys[RedditSettings.feedSource]
        if let token, let user = settings.reddit.feedUser {
            url += "&feed=\(WebAddress.component(token.reveal()))&user=\(WebAddress.component(user))"
        }
        let redactor = Redactor(token.map { [$0] } ?? [])
        let left = try await gate.remainingMilliseconds(until: deadline, at: settings.now())
        var request = HTTPRequest(
            url: url, maximumBytes: Self.maximumBytes, timeoutMilliseconds: min(left, Self.timeoutMilliseconds))
        request.headers["User-Agent"] = userAgent
        // A repetition would count against the limits, which matters most after status 429.
        request.mayRepeat = false
        let http: HTTPResponse
        do throws(Failure) { http = try await client.get(request) } catch { throw error.redacted(redactor) }
        let response = ServiceResponse(http: http, redactor: redactor)
        await checkLimits(response)
        guard (200..<300).contains(http.status) else {
            throw .refused(status: http.status, message: response.message, retryAfterSeconds: response.waitSeconds)
        }
        return try RedditFeedDecoder.posts(response, community: community)
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
