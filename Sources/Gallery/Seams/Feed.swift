import Catalog

/// A listing that the gallery can show.
public enum Feed: Hashable, Sendable {
    /// The currently popular GIFs of one source; nil stands for the first source that has such a listing.
    case trending(source: String?)
    /// The results of a query; `query` is as typed, without white space at the ends.
    case search(query: String)
    case favourites
    case history
    /// The top posts of a community of Reddit, by its name without `r/`.
    case community(String)

    /// Whether the items come from the store only.
    public var isLocal: Bool { self == .favourites || self == .history }
}

/// Provides listings: one interface to all services.
public protocol ListingSource: Sendable {
    /// Returns the first page, or the page that `page` points to. Cancelling the task ends the request.
    func page(of feed: Feed, after page: PageToken?) async throws(CatalogError) -> ResultPage

    /// Ends the cool-downs of the services that failed, so that the next call queries them.
    func endCooldowns() async

    /// Returns a random GIF, a different one for each call.
    func randomItem() async throws(CatalogError) -> GIFReference
}
