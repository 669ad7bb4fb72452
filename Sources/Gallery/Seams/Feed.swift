import Catalog

/// A listing that the gallery can show.
public enum Feed: Hashable, Sendable {
    /// What is watched now: of one source, or with nil of the first that has such a listing.
    case trending(source: String?)
    /// As the words were typed, without white space at the ends.
    case search(words: String)
    case favourites
    case history
    /// The top posts of a community of Reddit, by its name without `r/`.
    case community(String)

    /// Whether the store alone answers it.
    public var isLocal: Bool { self == .favourites || self == .history }
}

/// Where listings come from: the services behind one door.
public protocol ListingSource: Sendable {
    /// The first page, or the one that `page` leads to. Cancelling the task ends the request.
    func page(of feed: Feed, after page: PageToken?) async throws(CatalogError) -> ResultPage

    /// Ends the cool-downs of the services that failed, so that the next call queries them.
    func liftCooldowns() async

    /// One GIF at random, another with each call.
    func atRandom() async throws(CatalogError) -> GIFReference
}
