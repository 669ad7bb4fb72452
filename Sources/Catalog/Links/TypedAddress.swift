import Base
import FoundationEssentials

/// What a typed or pasted text addresses, in any form that browsers accept.
public enum TypedAddress: Equatable, Sendable {
    /// A percent-encoded http or https URL.
    case web(String)
    /// A file of this machine.
    case file(path: String)
    /// The content of a `data:` URL.
    case data([UInt8])
    /// An address that cannot be played, with the reason.
    case unusable(String)

    /// - Returns: nil if the text is no address but a path or a query. The caller checks first whether a file has this name.
    public init?(_ typed: String) {
        let text = Self.unwrapped(typed)
        let start = text.prefix(16).lowercased()
        if start.hasPrefix("data:"), let comma = text.firstIndex(of: ","), !start.dropFirst(5).hasPrefix(" ") {
            self = Self.data(head: text[..<comma].lowercased(), text[text.index(after: comma)...])
        } else if start.hasPrefix("file:/") {
            self = Self.file(text.dropFirst(5))
        } else if let scheme = ["https:", "http:"].first(where: start.hasPrefix) {
            let rest = text.dropFirst(scheme.count)
            let address = rest.drop { $0 == "/" || $0 == "\\" }
            guard address.startIndex > rest.startIndex || Self.beginsWithHost(address) else { return nil }
            self = Self.web(scheme, address)
        } else if let colon = text.firstRange(of: "://"), colon.lowerBound > text.startIndex,
            text[..<colon.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber })
        {
            self = .unusable("\(URLAuthority.displayText(String(text))): not an http:// or https:// URL")
        } else {
            let address = text.hasPrefix("//") ? text.dropFirst(2) : text[...]
            guard Self.beginsWithHost(address) else { return nil }
            // As in browsers, these hosts are expected to have no certificate.
            let host = address.prefix { !"/?#:".contains($0) }
            let isMachine = host.lowercased() == "localhost" || host.allSatisfy { $0.isNumber || ".[".contains($0) }
            self = Self.web(isMachine && !text.hasPrefix("//") ? "http:" : "https:", address)
        }
    }

    // MARK: - What surrounds an address

    private static let pairs: [Character: Character] = [
        "<": ">", "\"": "\"", "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`", "(": ")", "[": "]",
    ]

    /// Removes white space, line ends, brackets and quotes around an address, punctuation behind it, and the rest of a
    /// sentence or of a Markdown link.
    private static func unwrapped(_ typed: String) -> Substring {
        var text = typed[...]
        func isSpace(_ character: Character) -> Bool {
            character.isWhitespace || character.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
        }
        while true {
            text = text.drop(while: isSpace)
            while let last = text.last, isSpace(last) { text.removeLast() }
            guard text.count > 1, let first = text.first, let last = text.last, let closing = pairs[first] else {
                break
            }
            if first == "<", let tag = TagReader.first(in: text), ["a", "img"].contains(tag.name) {
                text = (tag.attributes["href"] ?? tag.attributes["src"] ?? "")[...]
            } else if closing == last {
                text = text.dropFirst().dropLast()
            } else if text.dropLast().last == closing, isTrailing(last, of: text) {
                text.removeLast()
            } else {
                break
            }
        }
        if text.hasSuffix(")"), let link = text.firstRange(of: "](") {
            text = text[link.upperBound...].dropLast().prefix { !$0.isWhitespace }
        }
        if text.prefix(4).lowercased() == "url:" { text = text.dropFirst(4).drop(while: isSpace) }
        if text.hasPrefix("view-source:") { text = text.dropFirst(12) }
        // A message with a link. A link that begins the text can contain spaces itself.
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.count > 1 {
            let start = words[0].contains("://") ? words[0] : "https://" + words[0]
            let isWhole = WebAddress.fileExtension(start) == "gif" || LinkRule.target(of: start) != nil
            let hasScheme = { (word: String) in word.contains("http://") || word.contains("https://") }
            let link = isWhole ? words[0] : hasScheme(words[0]) ? nil : words.first(where: hasScheme)
            if let link { return unwrapped(link) }
        }
        let isAddress = text.contains("/")
        while isAddress, let last = text.last, isTrailing(last, of: text) { text.removeLast() }
        return text
    }

    /// Whether the last character is punctuation of the sentence around the address.
    private static func isTrailing(_ last: Character, of text: Substring) -> Bool {
        switch last {
        case ".", ",", ";", ":", "!", "?", "…", "\"", "'", ">", "”", "’", "»": true
        case ")": text.count { $0 == ")" } > text.count { $0 == "(" }
        case "]": text.count { $0 == "]" } > text.count { $0 == "[" }
        default: false
        }
    }

    // MARK: - Web addresses

    /// The domains at the top that make a host of a name without a path, such as `giphy.com`.
    private static let topDomains: Set<String> = ["com", "org", "net", "io", "gg", "tv"]

    /// Whether the text begins with the name of a host, which a path, a query or a port can follow.
    private static func beginsWithHost(_ text: Substring) -> Bool {
        let authority = text.prefix { !"/?#\\".contains($0) }
        let name = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let port = authority[name.endIndex...].drop { $0 == "]" }
        guard port.isEmpty || port.count > 1 && port.dropFirst().allSatisfy(\.isNumber) else { return false }
        let hasMore = authority.endIndex < text.endIndex || !port.isEmpty
        if authority.hasPrefix("[") { return hasMore && name.dropFirst().allSatisfy { $0.isHexDigit || $0 == ":" } }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isValid = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        guard isValid, let last = labels.last?.lowercased() else { return false }
        if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) || last == "localhost" { return hasMore }
        guard labels.count > 1, last.count > 1, last.allSatisfy(\.isLetter) || last.hasPrefix("xn--") else {
            return false
        }
        return hasMore || labels[0].lowercased() == "www" || topDomains.contains(last)
    }

    private static func web(_ scheme: String, _ address: Substring) -> TypedAddress {
        let address = address.filter { !"\n\r\t".contains($0) && $0 != "\r\n" }
        let host = address.prefix { !"/?#\\".contains($0) }
        let rest = address[host.endIndex...]
        let path = rest.prefix { !"?#".contains($0) }
        let text = path.map { $0 == "\\" ? "/" : String($0) }.joined() + rest[path.endIndex...]
        return .web("\(scheme)//\(host)\(WebAddress.encoded(text))")
    }

    // MARK: - Addresses without a network

    private static func file(_ rest: Substring) -> TypedAddress {
        var path = rest
        if rest.hasPrefix("//") {
            let host = rest.dropFirst(2).prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else {
                return .unusable("file://\(host): not a file of this machine")
            }
            path = rest[host.endIndex...]
        }
        let whole = String(path: WebAddress.decodedBytes(path))
        if (try? FileSystem.status(whole)) ?? nil != nil { return .file(path: whole) }
        return .file(path: String(path: WebAddress.decodedBytes(path.prefix { !"?#".contains($0) })))
    }

    private static func data(head: String, _ content: Substring) -> TypedAddress {
        let bytes = WebAddress.decodedBytes(content)
        guard head.hasSuffix(";base64") else { return .data(bytes) }
        // As in browsers, without white space and with or without padding; also in the alphabet for URLs.
        let digits = bytes.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }.map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits + padding)).map { .data(Array($0)) }
            ?? .unusable("data: URL: not valid base64")
    }
}
