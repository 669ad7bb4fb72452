import Catalog

/// A post that shows a GIF, from a listing or from a feed.
struct Post: Equatable, Sendable {
    /// The identifier without its `t3_` prefix.
    var id: String
    var title: String
    var author: String?
    /// For example `r/gifs`.
    var community: String
    var page: String?
    var posted: Int?
    var comments: Int?
    /// Nil if unknown, as in feeds.
    var isAdult: Bool?
    var renditions: [Rendition]

    /// The post as a reference of the catalogue; nil if the rating does not allow it.
    func reference(provider: String, rating: Rating) -> GIFReference? {
        if rating != .r, isAdult ?? ExplicitTextFilter.matches(title) { return nil }
        let by = [author.map { "u/\($0)" }, "on \(community)"].compactMap(\.self).joined(separator: " ")
        return GIFReference(
            provider: provider, id: id, title: title, pageURL: page, author: author,
            attribution: [by, page].compactMap(\.self).joined(separator: " · "), renditions: renditions,
            // Posts that their authors delete must disappear everywhere, so no bytes of them stay on disk.
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
