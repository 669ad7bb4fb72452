/// The encodings in which links are copied.
extension PastedText {
    /// Decodes the escapes of HTML, JSON, Markdown and shells, and removes invisible characters.
    static func decoded(_ typed: String) -> String {
        // As in addresses that are disarmed.
        var text = typed.replacing("[.]", with: ".")
        // An address can be encoded twice.
        for code in ["%253a%252f", "%3a%2f%2f"] where !text.contains("://") && text.lowercased().contains(code) {
            text = WebAddress.decoded(text)
        }
        // The source of a page can be encoded twice.
        for _ in 0..<2 where text.contains("&") { text = HTMLText.plain(text, keepsTags: true) }
        var result = String.UnicodeScalarView()
        var rest = joiningLines(text).unicodeScalars[...]
        // If backslashes stand for slashes, `\n` is no line break.
        let hasBackslashes = text.contains(":\\\\")
        while let scalar = rest.popFirst() {
            // The escapes of Windows' command line.
            if scalar == "^", result.last == "%" || !(rest.first.map(isWord) ?? false) { continue }
            if scalar == "\\", let next = rest.first {
                let length = next == "u" ? 4 : next == "x" ? 2 : 0
                if let code = UInt32(String(rest.dropFirst().prefix(length)), radix: 16),
                    let decoded = Unicode.Scalar(code)
                {
                    result.append(decoded)
                    rest = rest.dropFirst(1 + length)
                    continue
                }
                let isBreak = !hasBackslashes && "nrt".unicodeScalars.contains(next)
                if isBreak || next.isASCII && !isWord(next) {
                    result.append(isBreak ? "\n" : next)
                    rest = rest.dropFirst()
                    continue
                }
            }
            // The joiners are letters of some scripts.
            let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
            if isJoiner || !scalar.properties.isDefaultIgnorableCodePoint { result.append(scalar) }
        }
        return String(result)
    }

    /// Joins the lines of a link that a mail or a terminal has wrapped, and decodes quoted-printable text.
    static func joiningLines(_ typed: String) -> String {
        guard typed.contains("://") else { return typed }
        let typed = withoutHyperlinks(typed)
        let values = typed.split(separator: "=", omittingEmptySubsequences: false).dropFirst()
        let isMail =
            values.contains {
                $0.hasPrefix("3D\"") || $0.first?.isNewline == true && $0.dropFirst().first?.isLetter == true
            }
            || values.count > 1 && values.allSatisfy { $0.hasPrefix("3D") && $0.count > 2 }
        var text = isMail ? typed.replacing("=3D", with: "=") : typed
        for end in ["\n", "\r\n"] where text.contains(end) {
            // A shell needs a space behind the link, but people omit it.
            for mark in ["\\", "^"] {
                text = text.replacing(".gif" + mark + end, with: ".gif ").replacing(mark + end, with: "")
            }
            if isMail { text = text.replacing("=" + end, with: "") }
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.count > 1 else { return text }
        var joined = String(lines[0])
        var last = lines[0].split(whereSeparator: \.isWhitespace).last ?? ""
        var isLink = last.contains("://")
        for line in lines.dropFirst() {
            let words = line.split(whereSeparator: \.isWhitespace)
            let word = words.first ?? ""
            let isPart = word.first.map { $0.isLetter || $0.isNumber || "/.?&=#%-_".contains($0) } ?? false
            let isBreak = last.last.map { "/-_.=&?%#".contains($0) } ?? false
            let isOpen = !last.lowercased().hasSuffix(".gif") && last.last.map { !")>]}\"'|”’,;".contains($0) } ?? false
            if isLink, isPart, isOpen, !word.contains("://"), words.count == 1 || word.lowercased().contains(".gif"),
                isBreak || word.dropLast().contains(where: { "/.-_=&?%".contains($0) })
            {
                joined += line.drop(while: \.isWhitespace)
            } else {
                joined += "\n" + line
                isLink = words.last?.contains("://") ?? false
            }
            last = words.last ?? ""
        }
        return joined
    }

    /// Replaces the links of OSC 8, such as those of `ls --hyperlink`, by their addresses.
    static func withoutHyperlinks(_ text: String) -> String {
        let parts = text.split(separator: "\u{1B}]8;", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let content = part.drop { $0 != ";" }.dropFirst()
            let address = content.prefix { $0 != "\u{1B}" && $0 != "\u{07}" }
            let rest = content[address.endIndex...]
            return text + (address.isEmpty ? rest.dropFirst(rest.first == "\u{07}" ? 1 : 2) : address)
        }
    }
}
