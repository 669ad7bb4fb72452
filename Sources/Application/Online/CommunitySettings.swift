import Catalog
import Configuration

/// The communities of Reddit that the user wants to see, and as whom. Nothing here asks for them.
public struct CommunitySettings: Equatable, Sendable {
    /// What Reddit is called in the configuration, and where `CatalogSettings` has its secret and its addresses.
    public static let source = "reddit"
    /// The name under which `CatalogSettings` has the token of the user's own feeds.
    public static let feedSource = "reddit.feed"

    /// Without `r/`, in lower case, each once; empty unless asked for.
    public var names: [String] = []
    /// Of the user's own app; worth nothing without the secret.
    public var clientIdentifier: String?
    /// For Reddit's operators.
    public var username: String?
    /// Whose feeds the token opens.
    public var feedUser: String?

    /// The names have been checked.
    init(_ table: Configuration.RedditTable) {
        var seen: Set<String> = []
        names = table.communities.compactMap { Community($0)?.name }.filter { seen.insert($0).inserted }
        clientIdentifier = table.clientIdentifier
        username = table.username
        feedUser = table.user
    }
}
