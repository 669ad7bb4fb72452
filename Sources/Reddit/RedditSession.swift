import Catalog
import FoundationEssentials

/// One user's access to Reddit: the token, the turns, and when nothing may be asked.
///
/// The token is in memory alone. One request is on its way at a time, a feed is asked at most once a
/// minute, and what Reddit says of its limits (100 calls a minute with a token) is kept.
public actor RedditSession {
    /// Between two requests for the feed of one community.
    static let feedSpacing = Duration.seconds(60)
    /// How long a page is given again without asking.
    static let pageLife = Duration.seconds(300)
    /// Where a 429 says nothing of how long.
    static let usualRest = 600
    private static let timeoutMilliseconds = 10_000
    private static let maximumBytes = 2 << 20

    private let settings: RedditSettings
    private let client: any HTTPClient & HTTPFormClient
    private let gate = SerialGate()
    private var token: (secret: Secret, until: ContinuousClock.Instant)?
    private var feedAsked: [Community: ContinuousClock.Instant] = [:]
    private var kept: [Place: (posts: Posts, until: ContinuousClock.Instant)] = [:]

    /// Asks nothing yet.
    public init(settings: RedditSettings, client: any HTTPClient & HTTPFormClient) {
        self.settings = settings
        self.client = client
    }

    /// A page of a community.
    struct Place: Hashable, Sendable {
        var community: Community
        /// Nil for the first page.
        var after: String?
    }

    /// The top posts of the day, after those before them have had their turn.
    func posts(_ place: Place, milliseconds: Int) async throws(CatalogError) -> Posts {
        let deadline = settings.now() + .milliseconds(milliseconds)
        await gate.enter()
        let outcome: Result<Posts, CatalogError>
        do throws(CatalogError) {
            outcome = .success(try await freshOrKept(place, deadline))
        } catch {
            outcome = .failure(error)
        }
        await gate.leave()
        return try outcome.get()
    }

    private func freshOrKept(
        _ place: Place, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> Posts {
        let now = settings.now()
        kept = kept.filter { $0.value.until > now }
        if let kept = kept[place] { return kept.posts }
        let posts: Posts
        if let credentials = settings.credentials {
            posts = try await listing(place, credentials, deadline)
        } else {
            posts = try await feed(place, deadline)
        }
        kept[place] = (posts, settings.now() + Self.pageLife)
        return posts
    }

    // MARK: - With a token

    private func listing(
        _ place: Place, _ credentials: RedditCredentials, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> Posts {
        let after = place.after.map { "&after=" + WebAddress.component($0) } ?? ""
        let path = "/r/\(place.community.name)/top?t=day&limit=25&raw_json=1" + after
        for _ in 0..<2 {
            let token = try await token(credentials, deadline)
            let answer = try await get(
                settings.tokenBase + path, ["Authorization": "Bearer " + token.reveal()],
                redactor: Redactor([token] + credentials.secrets), deadline)
            // It was taken back before its time: once more with a new one.
            if answer.response.status == 401 { self.token = nil } else { return try await posts(answer) }
        }
        throw .keyRefused(variable: RedditCredentials.configurationKey, message: nil)
    }

    private func posts(_ answer: Answer) async throws(CatalogError) -> Posts {
        try check(answer)
        return try ListingAnswer.posts(answer)
    }

    private func token(
        _ credentials: RedditCredentials, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> Secret {
        if let token, token.until > settings.now() { return token.secret }
        let request = try await request(
            settings.base + "/api/v1/access_token", ["Authorization": "Basic " + credentials.basic], deadline)
        let form = HTTPForm(["grant_type": "client_credentials"])
        let redactor = Redactor(credentials.secrets)
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await client.post(form, to: request)
        } catch {
            throw error == .cancelled ? .cancelled : .transport(error.redacted(redactor))
        }
        let answer = Answer(response: response, redactor: redactor)
        await noteLimits(answer)
        if response.status == 401 {
            throw .keyRefused(variable: RedditCredentials.configurationKey, message: answer.message)
        }
        try check(answer)
        let given = try answer.json(TokenAnswer.self)
        if let error = given.error { throw .api(code: error, message: "", retryAfterSeconds: nil) }
        guard let secret = given.secret else { throw .notJSON(status: response.status, received: .unexpectedJSON) }
        // A minute less than promised: it must still be good when the request arrives.
        token = (secret, settings.now() + .seconds(max(0, min(given.seconds, 86_400) - 60)))
        return secret
    }

    // MARK: - Without one

    private func feed(_ place: Place, _ deadline: ContinuousClock.Instant) async throws(CatalogError) -> Posts {
        guard place.after == nil else { throw .notOffered }
        let now = settings.now()
        if let asked = feedAsked[place.community], asked + Self.feedSpacing > now {
            throw .coolingDown(seconds: (asked + Self.feedSpacing - now).wholeSeconds)
        }
        feedAsked[place.community] = now
        var url = settings.base + "/r/\(place.community.name)/top/.rss?t=day"
        if let token = settings.feedToken {
            url += "&feed=\(WebAddress.component(token.secret.reveal()))&user=\(WebAddress.component(token.user))"
        }
        let redactor = Redactor(settings.feedToken.map { [$0.secret] } ?? [])
        let answer = try await get(url, [:], redactor: redactor, deadline)
        try check(answer)
        return try FeedAnswer.posts(answer, community: place.community)
    }

    // MARK: - Requests

    private func get(
        _ url: String, _ headers: [String: String], redactor: Redactor, _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> Answer {
        let request = try await request(url, headers, deadline)
        do throws(HTTPError) {
            let answer = Answer(response: try await client.get(request), redactor: redactor)
            await noteLimits(answer)
            return answer
        } catch {
            throw error == .cancelled ? .cancelled : .transport(error.redacted(redactor))
        }
    }

    private func request(
        _ url: String, _ headers: [String: String], _ deadline: ContinuousClock.Instant
    ) async throws(CatalogError) -> HTTPRequest {
        guard !Task.isCancelled else { throw .cancelled }
        if let seconds = await gate.restingSeconds(at: settings.now()) { throw .coolingDown(seconds: seconds) }
        let left = (deadline - settings.now()).wholeMilliseconds
        guard left > 0 else { throw .outOfTime }
        var request = HTTPRequest(
            url: url, headers: headers, maximumBytes: Self.maximumBytes,
            timeoutMilliseconds: min(left, Self.timeoutMilliseconds))
        request.headers["User-Agent"] = settings.userAgent
        // Each counts against the limits; a 429 above all is not answered with another request.
        request.mayRepeat = false
        return request
    }

    private func check(_ answer: Answer) throws(CatalogError) {
        let status = answer.response.status
        guard !(200..<300).contains(status) else { return }
        throw .refused(status: status, message: answer.message, retryAfterSeconds: answer.waitSeconds)
    }

    /// Rests after a 429, and once the headers say that nothing is left of the present span.
    private func noteLimits(_ answer: Answer) async {
        let left = answer.response.headers["x-ratelimit-remaining"].flatMap(FlexInt.parsed)
        guard answer.response.status == 429 || left.map({ $0 <= 0 }) == true else { return }
        let seconds = answer.waitSeconds ?? (answer.response.status == 429 ? Self.usualRest : 60)
        await gate.rest(until: settings.now() + .seconds(seconds))
    }
}

extension Answer {
    /// What Reddit asks to wait, in whichever of its two headers.
    fileprivate var waitSeconds: Int? {
        let reset = response.headers["x-ratelimit-reset"].flatMap(FlexInt.parsed)
        return retryAfterSeconds ?? reset.flatMap { $0 > 0 ? min($0, 86_400) : nil }
    }
}

extension RedditCredentials {
    /// As the header of HTTP's basic scheme carries it.
    fileprivate var basic: String { Data("\(identifier):\(secret.reveal())".utf8).base64EncodedString() }

    /// In every form in which an answer could echo them.
    fileprivate var secrets: [Secret] { [secret] + (Secret(basic).map { [$0] } ?? []) }
}

/// What is given for the credentials.
struct TokenAnswer: Decodable {
    var secret: Secret?
    /// For how long it is good.
    var seconds: Int
    /// What stands in its place under a status of success.
    var error: String?

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        let text = body.text("access_token", limit: 8_000) ?? ""
        // It becomes part of a header: nothing but what may stand there.
        let isSound = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        secret = isSound ? Secret(text) : nil
        seconds = body.integer("expires_in") ?? 3_600
        error = body.text("error", limit: 60)
    }
}
