import Catalog

/// Decodes a listing of Reddit's API into the posts with a GIF.
enum RedditListingDecoder {
    static func posts(_ response: ServiceResponse) throws(CatalogError) -> PostPage {
        let body = try response.json(LenientObject.self)
        let data = body.object("data")
        guard body.text("kind") == "Listing", let children = data?.listing("children") else {
            throw response.unexpectedJSON
        }
        // Only items of kind `t3` are posts.
        let posts = children.filter { $0.text("kind") == "t3" }.compactMap { $0.object("data") }
        return PostPage(posts: posts.compactMap(post), after: data?.text("after"))
    }

    private static func post(_ data: LenientObject) -> Post? {
        // The variant `gif` is the only animated variant that gifplay can decode.
        let variants = data.object("preview")?.objects("images").first?.object("variants")
        let gif = variants?.object("gif")
        let renditions = ((gif?.objects("resolutions") ?? []) + (gif?.objects("source") ?? [])).compactMap(rendition)
        guard let id = data.text("id"), let community = data.text("subreddit"), !renditions.isEmpty else { return nil }
        let permalink = data.text("permalink", limit: 1_000).flatMap { $0.hasPrefix("/") ? $0 : nil }
        return Post(
            id: id, title: data.text("title") ?? "",
            author: data.text("author").flatMap { $0 == "[deleted]" ? nil : $0 }, community: "r/\(community)",
            page: permalink.flatMap { WebAddress.checked("https://www.reddit.com" + $0) },
            posted: data.integer("created_utc").flatMap { PostedTime.seconds(Double($0)) },
            comments: data.integer("num_comments").flatMap { $0 >= 0 ? $0 : nil },
            isAdult: data.flag("over_18") ?? false, renditions: renditions)
    }

    private static func rendition(_ file: LenientObject) -> Rendition? {
        // The signed URL must be exact, and one response had HTML escapes in spite of the parameter `raw_json=1`.
        let raw = file.text("url", limit: 2_000)?.replacing("&amp;", with: "&")
        return raw.flatMap(WebAddress.checked).map { url in
            Rendition(url: url, width: file.size("width"), height: file.size("height"))
        }
    }
}
