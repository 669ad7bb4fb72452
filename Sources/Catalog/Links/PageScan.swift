import Base

/// Finds the addresses of the GIF that a page shows.
///
/// One linear scan for exactly the elements below. A parser such as libxml2's builds the tree of the whole page, and
/// would be another library for hostile bytes; its result for these elements is the same.
public struct PageScan {
    public struct Candidate: Equatable, Sendable {
        /// The element that names the file, such as `og:image`.
        public let element: String
        public let url: String
    }

    /// The elements, for messages.
    public static let elements = "og:image, twitter:image, link rel=image_src, og:video and img"

    /// One line; nil if the page has none.
    public private(set) var title: String?
    /// Those that are a GIF by their name or type are the first. Only http and https addresses.
    public private(set) var candidates: [Candidate] = []

    /// What a name or a type says about a file.
    private enum Kind: Int { case gif, unknown, other }

    /// Only so many addresses are resolved, because only the first few are tried.
    private static let maximumCount = 100

    private var found: [(element: String, url: String, type: String)] = []
    private var base: String?
    private var pageTitle: String?
    private var images = 0
    private static let maximumImages = 3
    private let address: String

    /// - Parameter address: the page's own address, to which its addresses are relative.
    public init(_ page: [UInt8], at address: String) {
        self.address = address
        var tags = TagReader(page)
        while let tag = tags.next() { add(tag) }
        title = (title ?? pageTitle).flatMap { text in
            let line = SafeText.shortened(SafeText.line(HTMLText.plain(text)), to: 200)
            return line.isEmpty ? nil : line
        }
        found += Self.feedLinks(page).map { ("link", $0, "") }
        candidates = sorted()
    }

    private mutating func add(_ tag: TagReader.Tag) {
        func attribute(_ name: String) -> String? { tag.attributes[name].map(HTMLText.plain) }
        switch tag.name {
        case "title": pageTitle = pageTitle ?? tag.text
        case "base": base = base ?? attribute("href")
        case "meta":
            guard let content = attribute("content"), !content.isEmpty else { return }
            addMeta((attribute("property") ?? attribute("name") ?? attribute("itemprop") ?? "").lowercased(), content)
        case "link":
            let relations = attribute("rel")?.lowercased().split(separator: " ") ?? []
            if relations.contains("image_src"), let url = attribute("href") { found.append(("image_src", url, "")) }
        case "img":
            let sources = ["src", "data-src", "data-original"].compactMap(attribute)
            // A picture of one pixel only counts visits.
            let isPixel = ["width", "height"].contains { ["0", "1"].contains(tag.attributes[$0]) }
            guard images < Self.maximumImages, !isPixel, let url = sources.first(where: { Self.kind($0) == .gif })
            else { return }
            images += 1
            found.append(("img", url, ""))
        case "script":
            guard ["store-cache", "gif-json"].contains(tag.attributes["id"]), let text = tag.text else { return }
            if let url = tenorGIF(text) { found.insert(("store-cache", url, "image/gif"), at: 0) }
        default: break
        }
    }

    /// The GIF in the data of a page of Tenor.
    private func tenorGIF(_ text: String) -> String? {
        let data = ServiceResponse(http: HTTPResponse(status: 200, body: Array(text.utf8)), redactor: Redactor())
        let entries = (try? data.json(LenientObject.self))?.object("gifs")?.object("byId")
        let name = entries?.names.first { address.hasSuffix($0) } ?? entries?.names.first
        let item = name.flatMap { entries?.object($0)?.objects("results").first }
        return item?.object("media_formats")?.object("gif")?.text("url", limit: 4_096)
    }

    private mutating func addMeta(_ name: String, _ content: String) {
        switch name {
        case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src":
            found.append((name, content, ""))
        case "og:image:type":
            if let last = found.indices.last, found[last].element.hasPrefix("og:image") { found[last].type = content }
        case "og:video", "og:video:url", "og:video:secure_url":
            // The name of a video can be that of the GIF with another ending, such as `.gif.mp4`.
            guard let end = content.lowercased().firstRange(of: ".gif")?.upperBound else { return }
            let length = content.lowercased().distance(from: content.lowercased().startIndex, to: end)
            found.append((name, String(content.prefix(length)), "image/gif"))
        case "og:title": title = title ?? content
        default: break
        }
    }

    /// The links in an Atom or RSS feed, whose entries are escaped HTML. Empty if the document is no feed.
    private static func feedLinks(_ document: [UInt8]) -> [String] {
        let start = String(decoding: document.prefix(512), as: UTF8.self)
        guard start.contains("<feed") || start.contains("<rss") else { return [] }
        var urls: [String] = []
        var tags = TagReader(Array(HTMLText.plain(String(decoding: document, as: UTF8.self)).utf8))
        while let tag = tags.next(), urls.count < 20 {
            guard tag.name == "a", let url = tag.attributes["href"].map(HTMLText.plain) else { continue }
            switch LinkRule.target(of: url)?.target {
            case .files?, .refusal?: urls.append(url)
            default: if kind(url) == .gif { urls.append(url) }
            }
        }
        return urls
    }

    private func sorted() -> [Candidate] {
        guard let page = ParsedURL(address) else { return [] }
        let root = base.flatMap { page.resolving($0.trimmed) } ?? page
        let resolved = found.prefix(Self.maximumCount).compactMap { item -> (kind: Kind, candidate: Candidate)? in
            guard let url = root.resolving(item.url.trimmed), url.isWeb else { return nil }
            // As in browsers, a picture of a secure page is loaded securely.
            let isDowngrade = page.scheme == "https" && url.scheme == "http"
            let text = isDowngrade ? "https" + url.text.dropFirst(4) : url.text
            let kind = item.type.lowercased() == "image/gif" ? .gif : Self.kind(url.text)
            return (kind, Candidate(element: item.element, url: text))
        }
        var seen: Set<String> = [address]
        return (0...2).flatMap { rank in resolved.filter { $0.kind.rawValue == rank } }.map(\.candidate)
            .filter { seen.insert($0.url).inserted }
    }

    private static let otherKinds: Set<String> = [
        "jpg", "jpeg", "png", "webp", "avif", "svg", "mp4", "webm", "mov", "ico", "heic",
    ]

    private static func kind(_ url: String) -> Kind {
        let ending = WebAddress.fileExtension(url) ?? ""
        return ending == "gif" ? .gif : otherKinds.contains(ending) ? .other : .unknown
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
