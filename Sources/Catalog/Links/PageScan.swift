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

/// Reads the tags of a page one by one. Its cost grows with the length of the page alone.
struct TagReader {
    struct Tag {
        /// In lower case.
        var name: String
        /// Still with entities. The first value of each name.
        var attributes: [String: String] = [:]
        /// The content, for elements that contain only text.
        var text: String?
    }

    private static let wanted: Set<String> = ["meta", "link", "img", "base", "title", "script", "a"]
    private static let textElements: Set<String> = ["title", "script", "style", "textarea"]

    private let bytes: [UInt8]
    private let isUTF8: Bool
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // The limit of the page can cut a character.
        isUTF8 = (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    static func first(in text: Substring) -> Tag? {
        var reader = TagReader(Array(text.utf8))
        return reader.next()
    }

    /// Nil at the end of the page.
    mutating func next() -> Tag? {
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start + 1
            if bytes[index...].starts(with: "!--".utf8) {
                index = end(of: "-->", from: index + 1) ?? bytes.count
                continue
            }
            let name = take { $0.isLetter || (0x30...0x39).contains($0) }
            guard !name.isEmpty else { continue }
            var tag = Tag(name: name.lowercased())
            readAttributes(of: &tag)
            if Self.textElements.contains(tag.name) {
                let end = end(of: "</" + tag.name, from: index) ?? bytes.count
                tag.text = text(bytes[index..<max(index, end - tag.name.count - 2)])
                index = end
            }
            if Self.wanted.contains(tag.name) { return tag }
        }
        return nil
    }

    private mutating func readAttributes(of tag: inout Tag) {
        while index < bytes.count {
            skip { $0.isSpace || $0 == UInt8(ascii: "/") }
            guard index < bytes.count, bytes[index] != UInt8(ascii: ">") else { break }
            let start = index
            let name = take { !$0.isSpace && !"=>/".utf8.contains($0) }.lowercased()
            skip(\.isSpace)
            var value = ""
            if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
                index += 1
                skip(\.isSpace)
                value = takeValue()
            }
            if tag.attributes[name] == nil { tag.attributes[name] = value }
            if index == start { index += 1 }
        }
        index = min(bytes.count, index + 1)
    }

    private mutating func takeValue() -> String {
        guard index < bytes.count, "\"'".utf8.contains(bytes[index]) else {
            return take { !$0.isSpace && $0 != UInt8(ascii: ">") }
        }
        let quote = bytes[index]
        index += 1
        defer { index = min(bytes.count, index + 1) }
        return take { $0 != quote }
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
    }

    private mutating func take(_ isTaken: (UInt8) -> Bool) -> String {
        let start = index
        skip(isTaken)
        return text(bytes[start..<index])
    }

    /// A page in another encoding is read as Latin-1.
    private func text(_ slice: ArraySlice<UInt8>) -> String {
        if isUTF8 { return String(decoding: slice, as: UTF8.self) }
        return String(String.UnicodeScalarView(slice.map { UnicodeScalar($0) }))
    }

    /// Ignores the case of letters. Nil if the pattern, which is ASCII, does not follow.
    private func end(of pattern: String, from start: Int) -> Int? {
        let pattern = Array(pattern.utf8)
        guard start + pattern.count <= bytes.count else { return nil }
        return (start...bytes.count - pattern.count).first { position in
            pattern.indices.allSatisfy { offset in
                let byte = bytes[position + offset]
                return byte == pattern[offset] || byte.isLetter && byte | 0x20 == pattern[offset]
            }
        }.map { $0 + pattern.count }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    fileprivate var isSpace: Bool { self == 0x20 || (9...13).contains(self) }
}
