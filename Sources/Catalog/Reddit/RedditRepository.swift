import Base

/// The top posts of one community. Posts without a GIF are omitted.
///
/// gifplay queries this source only if the user names the community, because Reddit often refuses requests for its feeds.
public struct RedditRepository: GIFRepository {
    /// The name of the source in lower case, for example `r/gifs`.
    public let name: String
    private let community: Community
    private let session: RedditSession

    /// Accepts `gifs` and `r/gifs`. Returns nil if the text is not a valid name of a community.
    public init?(community: String, session: RedditSession) {
        guard let community = Community(community) else { return nil }
        self.community = community
        self.session = session
        name = "r/" + community.name
    }

    public func search(_ query: SearchQuery, page: PageToken?) throws(Failure) -> ResultPage { throw .notOffered }

    public func random(_ preferences: ListingPreferences) throws(Failure) -> ResultPage { throw .notOffered }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(Failure) -> ResultPage {
        if let page, page.source != name { throw .foreignPage(source: page.source) }
        // A feed has one page.
        guard page == nil else { throw .notOffered }
        let posts = try await session.posts(
            of: community, milliseconds: preferences.budgetMilliseconds, refreshes: preferences.bypassesCache)
        var seen: Set<String> = []
        let items = posts.compactMap { $0.reference(provider: name, rating: preferences.rating) }
            .filter { seen.insert($0.id).inserted }
        return ResultPage(items: items)
    }
}

/// A post of a feed that links to a GIF.
struct Post: Equatable, Sendable {
    /// Without the prefix `t3_`.
    var id: String
    var title: String
    var author: String?
    /// For example `r/gifs`.
    var community: String
    var page: String?
    var posted: Int?
    var url: String

    /// Nil if the rating limit of the user does not allow the post.
    func reference(provider: String, rating: Rating) -> GIFReference? {
        if rating != .r, ExplicitTextFilter.matches(title) { return nil }
        let by = [author.map { "u/\($0)" }, "on \(community)"].compactMap(\.self).joined(separator: " ")
        return GIFReference(
            provider: provider, id: id, title: title, pageURL: page, author: author,
            attribution: [by, page].compactMap(\.self).joined(separator: " · "), renditions: [Rendition(url: url)],
            // Do not store the GIF on disk, because no copy may remain after the author has deleted the post.
            cachePolicy: .sessionOnly, posted: posted, community: community)
    }
}
