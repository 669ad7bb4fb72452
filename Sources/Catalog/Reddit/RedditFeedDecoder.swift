import Base

/// Decodes a community's Atom feed into the posts that link to a GIF.
///
/// A feed has no ratings. Media occur only as links in the HTML of each entry. No entity of a document type is declared,
/// expanded or fetched.
enum RedditFeedDecoder {
    /// Reddit's feeds have fewer entries.
    private static let maximumEntries = 200
    private static let texts: Set<String> = ["id", "title", "name", "content", "published", "updated"]
    private static let elements = TagReader.Elements(
        wanted: texts.union(["entry", "category", "link"]), texts: texts)

    static func posts(_ response: ServiceResponse, community: Community) throws(Failure) -> [Post] {
        let body = response.http.body
        guard isFeed(body) else { throw .notJSON(status: response.http.status, received: received(response)) }
        var entries: [[String: TagReader.Tag]] = []
        var tags = TagReader(body, elements)
        while let tag = tags.next(), tag.name != "entry" || entries.count < maximumEntries {
            if tag.name == "entry" {
                entries.append([:])
            } else if let last = entries.indices.last, entries[last][tag.name] == nil {
                entries[last][tag.name] = tag
            }
        }
        return entries.compactMap { post($0, community, response.redactor) }
    }

    /// Whether the document is one whole element `feed`.
    private static func isFeed(_ body: [UInt8]) -> Bool {
        guard let text = String(validating: body, as: UTF8.self) else { return false }
        var rest = text.drop(while: \.isWhitespace)
        if rest.hasPrefix("<?xml") { rest = rest.drop { $0 != ">" }.dropFirst().drop(while: \.isWhitespace) }
        let end = text.reversed().drop(while: \.isWhitespace).prefix(7)
        return rest.hasPrefix("<feed") && String(end.reversed()) == "</feed>"
    }

    private static func received(_ response: ServiceResponse) -> ReceivedBody {
        let beginning = String(decoding: response.http.body.prefix(200), as: UTF8.self).lowercased()
        let isXML = beginning.contains("<?xml") || beginning.contains("<feed")
        return isXML ? .brokenXML : response.received
    }

    private static func post(
        _ entry: [String: TagReader.Tag], _ community: Community, _ redactor: Redactor
    ) -> Post? {
        func text(_ name: String) -> String? {
            let text = entry[name]?.text.map { HTMLText.plain($0, keepsTags: true) } ?? ""
            let line = redactor(SafeText.line(text))
            return line.isEmpty ? nil : SafeText.shortened(line, to: LenientObject.textLimit)
        }
        func attribute(_ name: String, of element: String) -> String? {
            entry[element]?.attributes[name].map { HTMLText.plain($0, keepsTags: true) }
        }
        let content = entry["content"]?.text.map { HTMLText.plain($0, keepsTags: true) }
        guard let name = text("id"), let picture = content.flatMap(gif) else { return nil }
        let term = attribute("term", of: "category").flatMap { Community($0)?.name }
        return Post(
            id: name.hasPrefix("t3_") ? String(name.dropFirst(3)) : name, title: text("title") ?? "",
            author: text("name").map { $0.hasPrefix("/u/") ? String($0.dropFirst(3)) : $0 },
            community: "r/\(term ?? community.name)",
            page: attribute("href", of: "link").flatMap(WebAddress.checked),
            posted: PostedTime.seconds(text("published") ?? text("updated")), url: picture)
    }

    /// Returns the first direct link to a GIF on one of the two hosts that serve Reddit's GIFs; nil if there is none.
    private static func gif(_ html: String) -> String? {
        // The views of the bytes, because finding characters in a long row of flags takes quadratic time.
        for part in html.utf8.split(separator: "href=\"".utf8).dropFirst() {
            let link = HTMLText.plain(String(Substring(part.prefix { $0 != UInt8(ascii: "\"") })))
            guard let url = WebAddress.checked(link), WebAddress.fileExtension(url) == "gif" else { continue }
            if hosts.contains(URLAuthority.host(url)) { return url }
        }
        return nil
    }

    private static let hosts: Set<String> = ["i.redd.it", "i.imgur.com"]
}
