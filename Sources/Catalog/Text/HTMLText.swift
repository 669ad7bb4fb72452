/// Extracts the text of an HTML fragment: removes tags and decodes entities.
///
/// This type is made for the values of Wikimedia Commons' `extmetadata`, which are usually HTML. It is not a full
/// parser, so unknown syntax stays unchanged, and the caller must still sanitize the result with `SafeText`.
package enum HTMLText {
    /// Tags that begin a new line or a new table cell become spaces.
    package static func plain(_ html: String) -> String {
        var text = ""
        var rest = html[...]
        while let character = rest.first {
            if character == "<", let tag = tag(at: rest) {
                rest = tag.rest
                if breaking.contains(tag.name) { text += " " }
                if hidden.contains(tag.name) { rest = afterElement(tag.name, in: rest) }
            } else if character == "&", let entity = entity(at: rest) {
                text.unicodeScalars.append(entity.scalar)
                rest = entity.rest
            } else {
                text.append(character)
                rest = rest.dropFirst()
            }
        }
        return text
    }

    private static let breaking: Set<String> = ["br", "p", "/p", "div", "/div", "li", "tr", "td", "/td", "hr"]
    private static let hidden: Set<String> = ["style", "script"]

    private static func tag(at rest: Substring) -> (name: String, rest: Substring)? {
        let inside = rest.dropFirst()
        if inside.hasPrefix("!--") {
            guard let end = inside.firstRange(of: "-->") else { return nil }
            return ("!--", inside[end.upperBound...])
        }
        guard let first = inside.first, first.isLetter || first == "/" || first == "!",
            let end = inside.firstIndex(of: ">")
        else { return nil }
        let name = inside[..<end].prefix { !$0.isWhitespace && ($0 != "/" || $0 == first) }
        return (name.lowercased(), inside[inside.index(after: end)...])
    }

    private static func afterElement(_ name: String, in rest: Substring) -> Substring {
        var rest = rest
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...]
            if let closing = tag(at: rest), closing.name == "/" + name { return closing.rest }
            rest = rest.dropFirst()
        }
        return rest[rest.endIndex...]
    }

    private static func entity(at rest: Substring) -> (scalar: Unicode.Scalar, rest: Substring)? {
        let inside = rest.dropFirst()
        guard let end = inside.prefix(10).firstIndex(of: ";") else { return nil }
        guard let scalar = scalar(named: inside[..<end]) else { return nil }
        return (scalar, inside[inside.index(after: end)...])
    }

    private static func scalar(named name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[String(name)] }
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
