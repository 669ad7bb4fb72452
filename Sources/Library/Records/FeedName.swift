import Gallery

/// What a listing is found by again.
struct FeedName: Equatable {
    var kind: String
    /// The source, the words, the community; empty where there is none.
    var word: String

    /// Nil for what is no listing of a service.
    ///
    /// Services find the same whether words are large or small, so that both are one listing here.
    init?(_ feed: Feed) {
        switch feed {
        case .trending(let source): (kind, word) = ("trending", source ?? "")
        case .search(let words): (kind, word) = ("search", words.lowercased())
        case .community(let name): (kind, word) = ("community", name.lowercased())
        case .favourites, .history: return nil
        }
    }
}
