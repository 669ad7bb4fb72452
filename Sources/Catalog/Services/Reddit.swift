import Base

/// A community of Reddit: the posts among the top posts of the day that link to a GIF, from the public Atom feed.
///
/// It is only queried if the user names the community, because Reddit often refuses requests for its feeds. A feed has
/// one page and no ratings. Media occur only as links in the HTML of each entry. No entity of a document type is
/// declared, expanded or fetched.
struct Reddit: Service {
    let profile: ServiceProfile
    private let community: Community
    /// Reddit refuses feed requests less often if they contain the token of the user's own feeds.
    private let ownFeed: (token: Secret, user: String)?

    /// - Parameter version: of gifplay, for the user agent.
    init(_ community: Community, _ settings: CatalogSettings, version: String) {
        self.community = community
        let token = settings.keys[RedditSettings.feedSource]
        ownFeed = token.flatMap { token in settings.reddit.feedUser.map { (token, $0) } }
        profile = ServiceProfile(
            name: "r/" + community.name, title: "Reddit",
            terms: "No key; nothing is stored on disk; a feed is requested at most once a minute.",
            // No copy of a GIF may remain after the author has deleted the post.
            base: "https://www.reddit.com", cachePolicy: .sessionOnly, responseCacheSeconds: 300,
            timeoutMilliseconds: 10_000, maximumBytes: 2 << 20,
            headers: ["User-Agent": Self.userAgent(version: version, username: settings.reddit.username)],
            // A repetition would count against the limits, which matters most after status 429.
            mayRepeat: false, spacingSeconds: 60, isOptional: true, filtersByRating: false, hasTrending: true,
            quotaHeaders: ["x-ratelimit-remaining": 60], resetHeader: "x-ratelimit-reset", refusalCooldownSeconds: 600)
    }

    /// The user agent in the format that the rules of Reddit's API require, such as `linux:gifplay:1.0 (by /u/name)`.
    /// Without a user name, Reddit responds with status 429 sooner.
    static func userAgent(version: String, username: String?) -> String {
        let bare = (username ?? "").split(separator: "/").last ?? ""
        let name = bare.unicodeScalars.filter { Community.isAllowed($0) || $0 == "-" }
        let by = name.isEmpty ? "" : " (by /u/\(String(String.UnicodeScalarView(name))))"
        return "linux:gifplay:\(version)\(by)"
    }

    func target(for request: ListingRequest) -> RequestTarget? {
        guard case .trending = request.listing, request.page.isEmpty else { return nil }
        return RequestTarget(
            "/r/\(community.name)/top/.rss",
            ["t": "day", "feed": ownFeed?.token.reveal(), "user": ownFeed?.user])
    }

    private typealias Entry = [String: TagReader.Tag]

    /// Reddit's feeds have fewer entries.
    private static let maximumEntries = 200
    private static let texts: Set<String> = ["id", "title", "name", "content", "published", "updated"]
    private static let elements = TagReader.Elements(
        wanted: texts.union(["entry", "category", "link"]), texts: texts)

    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(Failure) -> DecodedListing {
        let body = response.http.body
        guard Self.isFeed(body) else {
            let beginning = String(decoding: body.prefix(200), as: UTF8.self).lowercased()
            let isXML = beginning.contains("<?xml") || beginning.contains("<feed")
            throw .notJSON(status: response.http.status, received: isXML ? .brokenXML : response.received)
        }
        var entries: [Entry] = []
        var tags = TagReader(body, Self.elements)
        while let tag = tags.next(), tag.name != "entry" || entries.count < Self.maximumEntries {
            if tag.name == "entry" {
                entries.append([:])
            } else if let last = entries.indices.last, entries[last][tag.name] == nil {
                entries[last][tag.name] = tag
            }
        }
        return DecodedListing(items: entries.compactMap { reference($0, response.redactor) })
    }

    /// Whether the document is one whole element `feed`.
    private static func isFeed(_ body: [UInt8]) -> Bool {
        guard let text = String(validating: body, as: UTF8.self) else { return false }
        var rest = text.drop(while: \.isWhitespace)
        if rest.hasPrefix("<?xml") { rest = rest.drop { $0 != ">" }.dropFirst().drop(while: \.isWhitespace) }
        let end = text.reversed().drop(while: \.isWhitespace).prefix(7)
        return rest.hasPrefix("<feed") && String(end.reversed()) == "</feed>"
    }

    /// Nil for a post without a GIF.
    private func reference(_ entry: Entry, _ redactor: Redactor) -> GIFReference? {
        func text(_ name: String) -> String? {
            let text = entry[name]?.text.map { HTMLText.plain($0, keepsTags: true) } ?? ""
            let line = redactor(SafeText.line(text))
            return line.isEmpty ? nil : SafeText.shortened(line, to: LenientObject.textLimit)
        }
        func attribute(_ name: String, of element: String) -> String? {
            entry[element]?.attributes[name].map { HTMLText.plain($0, keepsTags: true) }
        }
        let content = entry["content"]?.text.map { HTMLText.plain($0, keepsTags: true) }
        guard let name = text("id"), let url = content.flatMap(Self.gif) else { return nil }
        let author = text("name").map { $0.hasPrefix("/u/") ? String($0.dropFirst(3)) : $0 }
        let term = attribute("term", of: "category").flatMap { Community($0)?.name } ?? community.name
        let page = attribute("href", of: "link").flatMap(WebAddress.checked)
        let by = [author.map { "u/\($0)" }, "on r/\(term)"].compactMap(\.self).joined(separator: " ")
        return GIFReference(
            provider: profile.name, id: name.hasPrefix("t3_") ? String(name.dropFirst(3)) : name,
            title: text("title") ?? "", pageURL: page, author: author,
            attribution: [by, page].compactMap(\.self).joined(separator: " · "), renditions: [Rendition(url: url)],
            cachePolicy: profile.cachePolicy, posted: PostedTime.seconds(text("published") ?? text("updated")),
            community: "r/\(term)")
    }

    /// Returns the first direct link to a GIF on one of the two hosts that serve Reddit's GIFs; nil if there is none.
    private static func gif(_ html: String) -> String? {
        // The views of the bytes, because finding characters in a long row of flags takes quadratic time.
        for part in html.utf8.split(separator: "href=\"".utf8).dropFirst() {
            let link = HTMLText.plain(String(Substring(part.prefix { $0 != UInt8(ascii: "\"") })))
            guard let url = WebAddress.checked(link), WebAddress.fileExtension(url) == "gif" else { continue }
            if ["i.redd.it", "i.imgur.com"].contains(WebAddress.host(url)) { return url }
        }
        return nil
    }
}
