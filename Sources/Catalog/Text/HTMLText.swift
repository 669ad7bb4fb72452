/// Extracts the text of an HTML fragment: removes tags and decodes entities.
///
/// This type is made for the values of Wikimedia Commons' `extmetadata`, which are usually HTML. It is not a full
/// parser, so unknown syntax stays unchanged, and the caller must still sanitize the result with `SafeText`.
package enum HTMLText {
    /// Tags that begin a new line or a new table cell become spaces.
    package static func plain(_ html: String) -> String { plain(html, keepsTags: false) }

    /// - Parameter keepsTags: whether to decode only the entities.
    package static func plain(_ html: String, keepsTags: Bool) -> String {
        let html = Array(html.unicodeScalars)
        // The last ends of a tag and of a comment. Without them, each later "<" would cause a search up to the end.
        let ends = (
            tag: html.lastIndex(of: ">") ?? -1,
            comment: html.indices.last { html[$0...].starts(with: commentEnd) } ?? -1
        )
        var text = String.UnicodeScalarView()
        var rest = html[...]
        while let scalar = rest.popFirst() {
            if scalar == "<", !keepsTags, let tag = tag(rest, ends) {
                rest = tag.rest
                if breaking.contains(tag.name) { text.append(" ") }
                if hidden.contains(tag.name) { rest = afterElement(tag.name, in: rest) }
            } else if scalar == "&", let entity = entity(rest) {
                text.append(entity.scalar)
                rest = entity.rest
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    private static let commentEnd: [Unicode.Scalar] = ["-", "-", ">"]
    private static let breaking: Set<String> = ["br", "p", "/p", "div", "/div", "li", "tr", "td", "/td", "hr"]
    private static let hidden: Set<String> = ["style", "script"]

    /// - Parameter inside: the text after `<`.
    private static func tag(
        _ inside: ArraySlice<Unicode.Scalar>, _ ends: (tag: Int, comment: Int)
    ) -> (name: String, rest: ArraySlice<Unicode.Scalar>)? {
        if inside.starts(with: ["!", "-", "-"] as [Unicode.Scalar]) {
            guard inside.startIndex <= ends.comment,
                let end = inside.indices.first(where: { inside[$0...].starts(with: commentEnd) })
            else { return nil }
            return ("!--", inside[(end + commentEnd.count)...])
        }
        guard let first = inside.first, first.properties.isAlphabetic || first == "/" || first == "!",
            inside.startIndex <= ends.tag, let end = inside.firstIndex(of: ">")
        else { return nil }
        let name = inside[..<end].prefix { !$0.properties.isWhitespace && ($0 != "/" || $0 == first) }
        return (String(String.UnicodeScalarView(name)).lowercased(), inside[(end + 1)...])
    }

    /// Returns the text after the closing tag of a hidden element, whose name is ASCII.
    private static func afterElement(
        _ name: String, in text: ArraySlice<Unicode.Scalar>
    ) -> ArraySlice<Unicode.Scalar> {
        let closing = Array("</\(name)".unicodeScalars)
        let start = text.indices.first { index in
            text[index] == "<" && text.count - (index - text.startIndex) > closing.count
                && zip(text[index...], closing).allSatisfy { $0 == $1 || $0.properties.lowercaseMapping == String($1) }
                && !text[index + closing.count].properties.isAlphabetic
        }
        guard let start, let end = text[start...].firstIndex(of: ">") else { return [] }
        return text[(end + 1)...]
    }

    /// - Parameter inside: the text after `&`.
    private static func entity(
        _ inside: ArraySlice<Unicode.Scalar>
    ) -> (scalar: Unicode.Scalar, rest: ArraySlice<Unicode.Scalar>)? {
        guard let end = inside.prefix(10).firstIndex(of: ";"),
            let scalar = scalar(named: String(String.UnicodeScalarView(inside[..<end])))
        else { return nil }
        return (scalar, inside[(end + 1)...])
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let code = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap { Unicode.Scalar($0) }
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "–",
        "mdash": "—", "hellip": "…", "copy": "©", "reg": "®", "trade": "™", "laquo": "«", "raquo": "»",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bull": "•", "middot": "·", "times": "×",
        "deg": "°", "szlig": "ß", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö",
        "Uuml": "Ü", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ", "oslash": "ø",
    ]
}

/// Reads the tags of a page or a feed one by one. Its cost grows with the length of the document alone.
package struct TagReader {
    package struct Tag {
        /// In lower case.
        package var name: String
        /// Still with entities. The first value of each name.
        package var attributes: [String: String] = [:]
        /// The content, for elements that contain only text. In a feed it still has entities.
        package var text: String?
    }

    /// Which elements are read, and which contain only text.
    package struct Elements: Sendable {
        var wanted: Set<String>
        var texts: Set<String>

        package init(wanted: Set<String>, texts: Set<String>) { (self.wanted, self.texts) = (wanted, texts) }

        package static let page = Elements(
            wanted: ["meta", "link", "img", "base", "title", "script", "a"],
            texts: ["title", "script", "style", "textarea"])
    }

    private let elements: Elements

    private let bytes: [UInt8]
    private let isUTF8: Bool
    private var index = 0

    package init(_ bytes: [UInt8], _ elements: Elements = .page) {
        self.elements = elements
        self.bytes = bytes
        // The limit of the page can cut a character.
        isUTF8 = (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    static func first(in text: Substring) -> Tag? {
        var reader = TagReader(Array(text.utf8))
        return reader.next()
    }

    /// Nil at the end of the page.
    package mutating func next() -> Tag? {
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
            if elements.texts.contains(tag.name) {
                let end = end(of: "</" + tag.name, from: index) ?? bytes.count
                tag.text = text(bytes[index..<max(index, end - tag.name.count - 2)])
                index = end
            }
            if elements.wanted.contains(tag.name) { return tag }
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
