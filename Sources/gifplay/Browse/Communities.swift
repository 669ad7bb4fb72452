import Application
import Catalog
import Reddit

/// Creates the repositories for the configured Reddit communities. If gifplay is offline, creates none.
enum Communities {
    static func repositories(_ session: ServiceSession) -> [String: any GIFRepository] {
        let names = session.settings.communities.names
        guard !names.isEmpty, !session.settings.isOffline else { return [:] }
        // All communities share one session, because Reddit limits the number of requests per user and not per
        // community.
        let reddit = RedditSession(settings: RedditSettings(session.settings), client: session.client)
        var repositories: [String: any GIFRepository] = [:]
        for name in names { repositories[name] = RedditRepository(community: name, session: reddit) }
        return repositories
    }
}

extension RedditSettings {
    /// Takes the values from the configuration and the environment.
    fileprivate init(_ settings: LoaderSettings) {
        let (communities, name) = (settings.communities, CommunitySettings.source)
        var credentials: RedditCredentials?
        if let identifier = communities.clientIdentifier, let secret = settings.catalog.keys[name] {
            credentials = RedditCredentials(identifier: identifier, secret: secret)
        }
        self.init(
            credentials: credentials,
            userAgent: RedditUserAgent.text(version: Product.version, username: communities.username))
        if let token = settings.catalog.keys[CommunitySettings.feedSource], let user = communities.feedUser {
            feedToken = RedditFeedToken(secret: token, user: user)
        }
        guard let endpoint = settings.catalog.endpoints[name] else { return }
        base = endpoint.base
        tokenBase = endpoint.others?.first ?? tokenBase
    }
}
