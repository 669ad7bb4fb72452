import Gallery

/// The key of a stored listing.
struct ListingKey: Equatable {
    var kind: String
    /// The source, the query or the community; empty if there is none.
    var word: String

    /// Nil for favourites and history, which are not listings of a service.
    ///
    /// Services ignore case in a query or a community name, so both spellings share one listing.
    init?(_ feed: Feed) {
        switch feed {
        case .trending(let source): (kind, word) = ("trending", source ?? "")
        case .search(let query): (kind, word) = ("search", query.lowercased())
        case .community(let name): (kind, word) = ("community", name.lowercased())
        case .favourites, .history: return nil
        }
    }
}
