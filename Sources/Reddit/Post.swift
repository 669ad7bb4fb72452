import Catalog

/// A post that contains a GIF, decoded from a listing or from a feed.
struct Post: Equatable, Sendable {
    /// The identifier without its `t3_` prefix.
    var id: String
    var title: String
    var author: String?
    /// The name of the community, for example `r/gifs`.
    var community: String
    var page: String?
    var posted: Int?
    var comments: Int?
    /// Whether Reddit marks the post as adult content; nil if unknown, as in feeds.
    var isAdult: Bool?
    var renditions: [Rendition]

    /// Returns the post as a reference; nil if the post is not allowed by `rating`, the rating limit of the user.
    func reference(provider: String, rating: Rating) -> GIFReference? {
        if rating != .r, isAdult ?? ExplicitTextFilter.matches(title) { return nil }
        let by = [author.map { "u/\($0)" }, "on \(community)"].compactMap(\.self).joined(separator: " ")
        return GIFReference(
            provider: provider, id: id, title: title, pageURL: page, author: author,
            attribution: [by, page].compactMap(\.self).joined(separator: " · "), renditions: renditions,
            // Do not store the GIF on disk, because no copy may remain after the author has deleted the post.
            cachePolicy: .sessionOnly, rating: isAdult == true ? "over 18" : nil, posted: posted,
            comments: comments, community: community)
    }
}

/// One page of posts.
struct PostPage: Equatable, Sendable {
    var posts: [Post] = []
    /// The name of the post after which the next page begins; nil on the last page.
    var after: String?
}
