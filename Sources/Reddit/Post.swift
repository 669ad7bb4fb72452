import Catalog

/// A post that shows a GIF, from a listing or from a feed.
struct Post: Equatable, Sendable {
    /// Without the `t3_` before it.
    var id: String
    var title: String
    var author: String?
    /// `r/gifs`.
    var community: String
    var page: String?
    var posted: Int?
    var comments: Int?
    /// Nil where it is not said, as in feeds.
    var isAdult: Bool?
    var renditions: [Rendition]

    /// As the catalogue has it; nil for what the rating keeps away.
    func reference(provider: String, rating: Rating) -> GIFReference? {
        if rating != .r, isAdult ?? ExplicitWords.areIn(title) { return nil }
        let by = [author.map { "u/\($0)" }, "on \(community)"].compactMap(\.self).joined(separator: " ")
        return GIFReference(
            provider: provider, id: id, title: title, pageURL: page, author: author,
            attribution: [by, page].compactMap(\.self).joined(separator: " · "), renditions: renditions,
            // What its authors take back is to go everywhere: nothing of it stays on disk.
            cachePolicy: .sessionOnly, rating: isAdult == true ? "over 18" : nil, posted: posted,
            comments: comments, community: community)
    }
}

/// One page of posts.
struct Posts: Equatable, Sendable {
    var posts: [Post] = []
    /// The name behind which the next page begins; nil after the last.
    var after: String?
}
