import Catalog

/// Decodes a listing of Reddit's API from JSON into the posts with a GIF.
struct RedditListingResponse: Decodable {
    var posts: PostPage
    var isListing: Bool

    static func posts(_ response: ServiceResponse) throws(CatalogError) -> PostPage {
        let listing = try response.json(RedditListingResponse.self)
        guard listing.isListing else {
            throw .notJSON(status: response.http.status, received: .unexpectedJSON)
        }
        return listing.posts
    }

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        let data = body.value(NamedMembers.self, "data")?.object
        let children = data?.value(OneOrMany<ListingItem>.self, "children")
        isListing = body.text("kind") == "Listing" && children?.isPresent ?? false
        let items = children?.items ?? []
        posts = PostPage(posts: items.compactMap(\.post), after: data?.text("after"))
    }

    /// Only items of kind `t3` are posts.
    private struct ListingItem: Decodable {
        var post: Post?

        init(from decoder: any Decoder) throws {
            let child = try LenientObject(decoder)
            guard child.text("kind") == "t3", let data = child.value(NamedMembers.self, "data")?.object else { return }
            let preview = data.value(NamedMembers.self, "preview")?.object
            let renditions = preview?.list(PreviewImage.self, "images").first?.renditions ?? []
            guard let id = data.text("id"), let community = data.text("subreddit"), !renditions.isEmpty else { return }
            let permalink = data.text("permalink", limit: 1_000).flatMap { $0.hasPrefix("/") ? $0 : nil }
            post = Post(
                id: id, title: data.text("title") ?? "",
                author: data.text("author").flatMap { $0 == "[deleted]" ? nil : $0 }, community: "r/\(community)",
                page: permalink.flatMap { WebAddress.checked("https://www.reddit.com" + $0) },
                posted: data.integer("created_utc").flatMap { PostedTime.seconds(Double($0)) },
                comments: data.integer("num_comments").flatMap { $0 >= 0 ? $0 : nil },
                isAdult: data.flag("over_18") ?? false, renditions: renditions)
        }
    }

    /// An element of `preview.images`. Its variant `gif` is the only animated variant that gifplay can decode.
    private struct PreviewImage: Decodable {
        var renditions: [Rendition] = []

        init(from decoder: any Decoder) throws {
            let variants = try LenientObject(decoder).value(NamedMembers.self, "variants")?.object
            guard let gif = variants?.value(NamedMembers.self, "gif")?.object else { return }
            let all = gif.list(PreviewFile.self, "resolutions") + gif.list(PreviewFile.self, "source")
            renditions = all.compactMap(\.rendition)
        }
    }

    private struct PreviewFile: Decodable {
        var rendition: Rendition?

        init(from decoder: any Decoder) throws {
            let file = try LenientObject(decoder)
            // The signed URL must be exact, and one response had HTML escapes in spite of the parameter `raw_json=1`.
            guard let raw = file.text("url", limit: 2_000)?.replacing("&amp;", with: "&") else { return }
            rendition = WebAddress.checked(raw).map { url in
                Rendition(url: url, width: file.size("width"), height: file.size("height"))
            }
        }
    }
}
