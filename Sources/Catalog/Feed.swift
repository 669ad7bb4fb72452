/// A listing that the services or the library provide.
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
