import Base
import CExpat
import Catalog

/// Decodes a community's Atom feed into the posts that link to a GIF.
///
/// A feed has no ratings. Media occur only as links in the HTML of each entry.
enum RedditFeedDecoder {
    /// Reddit's feeds have fewer entries.
    private static let maximumEntries = 200
    private static let atom = "http://www.w3.org/2005/Atom "

    static func posts(_ response: ServiceResponse, community: Community) throws(CatalogError) -> [Post] {
        guard let feed = XMLTree.root(of: response.http.body), feed.name == atom + "feed" else {
            throw .notJSON(status: response.http.status, received: received(response))
        }
        let entries = feed.children.filter { $0.name == atom + "entry" }.prefix(maximumEntries)
        return entries.compactMap { post($0, community, response.redactor) }
    }

    private static func received(_ response: ServiceResponse) -> ReceivedBody {
        let beginning = String(decoding: response.http.body.prefix(200), as: UTF8.self).lowercased()
        let isXML = beginning.contains("<?xml") || beginning.contains("<feed")
        return isXML ? .brokenXML : response.received
    }

    private static func post(_ entry: XMLTree, _ community: Community, _ redactor: Redactor) -> Post? {
        func text(_ name: String) -> String? {
            let line = entry.first(atom + name).map { redactor(SafeText.line($0.text)) } ?? ""
            return line.isEmpty ? nil : SafeText.shortened(line, to: LenientObject.textLimit)
        }
        guard let name = text("id"), let picture = entry.first(atom + "content").flatMap({ gif(in: $0.text) })
        else { return nil }
        let author = entry.first(atom + "author")?.first(atom + "name").map { SafeText.line($0.text) }
        let term = entry.first(atom + "category")?.attributes["term"].flatMap { Community($0)?.name }
        return Post(
            id: name.hasPrefix("t3_") ? String(name.dropFirst(3)) : name, title: text("title") ?? "",
            author: author.map { $0.hasPrefix("/u/") ? String($0.dropFirst(3)) : $0 }.flatMap { $0.isEmpty ? nil : $0 },
            community: "r/\(term ?? community.name)",
            page: entry.first(atom + "link")?.attributes["href"].flatMap(WebAddress.checked),
            posted: PostedTime.seconds(text("published") ?? text("updated")), url: picture)
    }

    /// Returns the first direct link to a GIF on one of the two hosts that serve Reddit's GIFs; nil if there is none.
    private static func gif(in html: String) -> String? {
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

/// An XML element with its contents.
///
/// A name consists of the namespace, a space and the local name.
struct XMLTree: Equatable {
    var name: String
    var attributes: [String: String]
    /// The text directly in the element, without the text in its children.
    var text = ""
    var children: [XMLTree] = []

    func first(_ name: String) -> XMLTree? { children.first { $0.name == name } }

    /// Nil if the document is not well formed or exceeds the limits.
    ///
    /// A document type declaration stops the parser, so that it never declares, expands or fetches entities.
    static func root(of bytes: [UInt8]) -> XMLTree? {
        guard let parser = XML_ParserCreateNS(nil, CChar(bitPattern: UInt8(ascii: " "))) else { return nil }
        defer { XML_ParserFree(parser) }
        let builder = XMLBuilder(parser)
        return withExtendedLifetime(builder) {
            builder.registerHandlers()
            let status = bytes.withUnsafeBytes { bytes in
                XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
            }
            return status == XML_STATUS_OK ? builder.root : nil
        }
    }
}

/// Builds the tree from the callbacks of expat, within limits.
private final class XMLBuilder {
    /// A feed has five levels.
    private static let maximumDepth = 16
    private static let maximumElements = 20_000

    private let parser: XML_Parser
    private var open: [XMLTree] = []
    private var texts: [[UInt8]] = []
    private var count = 0
    private(set) var root: XMLTree?

    init(_ parser: XML_Parser) { self.parser = parser }

    /// The handlers do not retain this object, so the caller must keep it alive during the parsing.
    func registerHandlers() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in XMLBuilder.at(context)?.stop() }
        XML_SetElementHandler(
            parser, { context, name, attributes in XMLBuilder.at(context)?.begin(name, attributes) },
            { context, _ in XMLBuilder.at(context)?.end() })
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let text else { return }
            XMLBuilder.at(context)?.append(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> XMLBuilder? {
        context.map { Unmanaged<XMLBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop() { _ = XML_StopParser(parser, 0) }

    private func begin(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        count += 1
        guard let name, open.count < Self.maximumDepth, count <= Self.maximumElements else { return stop() }
        var element = XMLTree(name: String(cString: name), attributes: [:])
        var next = attributes
        while let pair = next, let name = pair[0], let value = pair[1] {
            element.attributes[String(cString: name)] = String(cString: value)
            next = pair + 2
        }
        open.append(element)
        texts.append([])
    }

    private func append(_ text: UnsafeRawBufferPointer) {
        guard !texts.isEmpty else { return }
        texts[texts.count - 1] += text
    }

    private func end() {
        // After `stop()`, expat might still report the end of an element.
        guard var element = open.popLast(), let text = texts.popLast() else { return }
        element.text = String(decoding: text, as: UTF8.self)
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
}
