import Catalog

/// The key of a stored listing.
struct ListingKey: Equatable {
    var kind: String
    /// The source, the query or the community, depending on `kind`; empty for ``Feed/trending(source:)`` without a
    /// source.
    var word: String

    /// Returns nil for favourites and history, because they are not listings of a service.
    ///
    /// Services ignore the case of letters in a query or a community name. For this reason, both are stored in lower
    /// case, and spellings that differ only in case share one listing.
    init?(_ feed: Feed) {
        switch feed {
        case .trending(let source): (kind, word) = ("trending", source ?? "")
        case .search(let query): (kind, word) = ("search", query.lowercased())
        case .community(let name): (kind, word) = ("community", name.lowercased())
        case .favourites, .history: return nil
        }
    }
}
