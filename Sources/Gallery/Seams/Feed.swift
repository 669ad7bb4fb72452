import Catalog

/// A listing that the gallery can show.
public enum Feed: Hashable, Sendable {
    /// The currently popular GIFs of one source. If `source` is nil, the first source that has such a listing provides
    /// them.
    case trending(source: String?)
    /// The results of a query. `query` is the text that the user typed, without white space at its ends.
    case search(query: String)
    case favourites
    case history
    /// The top posts of a Reddit community. The value is the name of the community without `r/`.
    case community(String)

    /// Whether the items come only from the store and not from a service.
    public var isLocal: Bool { self == .favourites || self == .history }
}

/// Provides the listings of all services.
public protocol ListingSource: Sendable {
    /// Returns the page that `page` points to, or the first page if `page` is nil. Cancelling the task cancels the
    /// request.
    func page(of feed: Feed, after page: PageToken?) async throws(CatalogError) -> ResultPage

    /// Ends the cool-downs of the services that failed, so that the next request queries them again.
    func endCooldowns() async

    /// Returns a different random GIF for each call.
    func randomItem() async throws(CatalogError) -> GIFReference
}
