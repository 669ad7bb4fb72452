import Catalog
import Configuration

/// The Reddit communities, the identifier of the user's app and the user names from the configuration file.
public struct CommunitySettings: Equatable, Sendable {
    /// The name of Reddit in the configuration. `CatalogSettings` stores Reddit's client secret and endpoint under this
    /// name.
    public static let source = "reddit"
    /// The name under which `CatalogSettings` stores the token for the user's own feeds.
    public static let feedSource = "reddit.feed"

    /// Names without `r/`, in lower case and without duplicates; empty unless configured.
    public var names: [String] = []
    /// The client identifier of the user's own Reddit app. It is usable only with the client secret.
    public var clientIdentifier: String?
    /// The user name that identifies the user to Reddit's operators.
    public var username: String?
    /// The user whose feeds can be read with the token.
    public var feedUser: String?

    /// Ignores invalid community names. `ConfigurationFile` reports them as errors.
    init(_ table: Configuration.RedditTable) {
        var seen: Set<String> = []
        names = table.communities.compactMap { Community($0)?.name }.filter { seen.insert($0).inserted }
        clientIdentifier = table.clientIdentifier
        username = table.username
        feedUser = table.feedUser
    }
}
