import Catalog

/// The settings for requests to Reddit. gifplay sends no request to Reddit until the user queries a community.
public struct RedditSettings: Sendable {
    /// Without credentials, gifplay reads Reddit's feeds, which contain less information.
    public var credentials: RedditCredentials?
    /// Reddit refuses feed requests less often if they contain this token.
    public var feedToken: RedditFeedToken?
    /// The result of ``RedditUserAgent/text(version:username:)``.
    public var userAgent: String
    /// The base URL of token requests and of feeds, without a slash at the end.
    public var base = "https://www.reddit.com"
    /// The base URL of requests with a token, without a slash at the end.
    public var tokenBase = "https://oauth.reddit.com"
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }

    public init(credentials: RedditCredentials? = nil, userAgent: String) {
        self.credentials = credentials
        self.userAgent = userAgent
    }
}

/// The credentials that Reddit issued for the user's own app. The app must be of a type that has a secret.
public struct RedditCredentials: Sendable {
    /// The name of the configuration key, for error messages.
    public static let configurationKey = "reddit.client-id"

    public var identifier: String
    public var secret: Secret

    public init(identifier: String, secret: Secret) {
        self.identifier = identifier
        self.secret = secret
    }
}

/// The parameters `feed` and `user` from the addresses that reddit.com/prefs/feeds lists for a user.
public struct RedditFeedToken: Sendable {
    public var secret: Secret
    public var user: String

    public init(secret: Secret, user: String) {
        self.secret = secret
        self.user = user
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
