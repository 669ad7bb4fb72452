import Catalog

/// Everything that Reddit is asked with; nothing of it is asked before a community is.
public struct RedditSettings: Sendable {
    /// Those of the user's own approved app; without them the feeds are read, which say less.
    public var credentials: RedditCredentials?
    /// The user's own token for feeds, which Reddit refuses less often with it.
    public var feedToken: RedditFeedToken?
    /// ``RedditUserAgent/text(version:username:)``.
    public var userAgent: String
    /// Where tokens are given and feeds read, without a slash at the end.
    public var base = "https://www.reddit.com"
    /// Where a token is taken.
    public var tokenBase = "https://oauth.reddit.com"
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }

    public init(credentials: RedditCredentials? = nil, userAgent: String) {
        self.credentials = credentials
        self.userAgent = userAgent
    }
}

/// What Reddit gave for an app of the user's own, of the kind that may keep a secret.
public struct RedditCredentials: Sendable {
    /// The name of the configuration's key, for errors.
    public static let configurationKey = "reddit.client-id"

    public var identifier: String
    public var secret: Secret

    public init(identifier: String, secret: Secret) {
        self.identifier = identifier
        self.secret = secret
    }
}

/// What the addresses of a user's feeds at reddit.com/prefs/feeds carry as `feed` and `user`.
public struct RedditFeedToken: Sendable {
    public var secret: Secret
    public var user: String

    public init(secret: Secret, user: String) {
        self.secret = secret
        self.user = user
    }
}

/// The user agent as Reddit's rules for its API want it.
public enum RedditUserAgent {
    /// `linux:gifplay:1.0 (by /u/name)`; who is not named is answered with 429 sooner.
    public static func text(version: String, username: String?) -> String {
        let bare = (username ?? "").split(separator: "/").last ?? ""
        let name = bare.unicodeScalars.filter { Community.isAllowed($0) || $0 == "-" }
        let by = name.isEmpty ? "" : " (by /u/\(String(String.UnicodeScalarView(name))))"
        return "linux:gifplay:\(version)\(by)"
    }
}
