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
