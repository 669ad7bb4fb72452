import Catalog

/// The top posts of one community. Posts without a GIF are omitted.
///
/// gifplay queries this source only if the user names the community, because Reddit's API requires the user's own
/// approved app, and Reddit often refuses requests for its feeds.
public struct RedditRepository: GIFRepository {
    /// The name of the source in lower case, for example `r/gifs`.
    public let name: String
    private let community: Community
    private let session: RedditSession
    /// Most posts are videos, so one page may contain no GIF.
    private static let pagesPerCall = 3

    /// Accepts `gifs` and `r/gifs`. Returns nil if the text is not a valid name of a community.
    public init?(community: String, session: RedditSession) {
        guard let community = Community(community) else { return nil }
        self.community = community
        self.session = session
        name = "r/" + community.name
    }

    public func search(_ query: SearchQuery, page: PageToken?) throws(CatalogError) -> ResultPage { throw .notOffered }

    public func random(_ preferences: ListingPreferences) throws(CatalogError) -> ResultPage { throw .notOffered }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(CatalogError) -> ResultPage {
        if let page, page.source != name { throw .foreignPage(source: page.source) }
        var found = ResultPage(items: [])
        var after = page?.parameters["after"]
        for number in 0..<Self.pagesPerCall {
            let posts: PostPage
            do throws(CatalogError) {
                posts = try await session.posts(
                    .init(community: community, after: after), milliseconds: preferences.budgetMilliseconds,
                    refreshes: preferences.bypassesCache)
            } catch {
                // This page cannot be read, and the pages before it contained no usable GIF. Return an empty page with
                // a token for this page, so that the next call tries it again.
                guard number > 0, error != .cancelled else { throw error }
                break
            }
            var seen: Set<String> = []
            found.items = posts.posts.compactMap { $0.reference(provider: name, rating: preferences.rating) }
                .filter { seen.insert($0.id).inserted && !$0.isTiny }
            found.next = posts.after.map { PageToken(source: name, parameters: ["after": $0]) }
            after = posts.after
            guard found.items.isEmpty, after != nil else { break }
        }
        return found
    }
}

/// A post that contains a GIF, decoded from a listing or from a feed.
struct Post: Equatable, Sendable {
    /// Without the prefix `t3_`.
    var id: String
    var title: String
    var author: String?
    /// For example `r/gifs`.
    var community: String
    var page: String?
    var posted: Int?
    var comments: Int?
    /// Whether Reddit marks the post as adult content; nil if unknown, as in feeds.
    var isAdult: Bool?
    var renditions: [Rendition]

    /// Nil if the rating limit of the user does not allow the post.
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

struct PostPage: Equatable, Sendable {
    var posts: [Post] = []
    /// The name of the post after which the next page begins; nil on the last page.
    var after: String?
}
