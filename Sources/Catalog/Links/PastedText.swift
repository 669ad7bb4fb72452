/// Finds the link in a text that was copied from a chat, a wiki, a page, a mail or a shell.
///
/// One pass over the text finds all links. A link ends at white space, at the quote or bracket that surrounds it, and at
/// characters that no address contains, so that no markup needs a rule of its own. Behind the name of a GIF, only what
/// continues an address belongs to it. The cost is linear.
struct PastedText {
    struct Link {
        /// `http:` or `https:`; as in browsers, only hosts that have no certificate are guessed to use HTTP.
        let scheme: String
        /// Host, path and query.
        let address: String

        var url: String { scheme + "//" + address }

        /// - Parameter scheme: nil if the text has none.
        init(scheme: String?, address: String) {
            self.scheme = scheme ?? (TypedAddress.isMachine(address) ? "http:" : "https:")
            self.address = address
        }

        /// Whether the address is that of a GIF, or known to lead to one.
        var isGIF: Bool {
            if WebAddress.fileExtension(url) == "gif" { return true }
            guard let target = LinkRule.target(of: url)?.target else { return false }
            if case .refusal = target { return false }
            return true
        }
    }

    private let text: [Unicode.Scalar]
    /// Only so many links are looked at.
    private static let maximumCount = 50

    init(_ text: Substring) { self.text = Array(Self.decoded(String(text)).unicodeScalars) }

    /// The first link to a GIF, or else the first link. The page from which a command asks is the last choice.
    var link: Link? {
        var (first, origin, index, count): (Link?, Link?, Int, Int) = (nil, nil, 0, 0)
        while index < text.count, count < Self.maximumCount {
            guard let start = start(at: index) else {
                index += 1
                continue
            }
            let (link, end) = link(from: index, start)
            let isOrigin = isOrigin(at: index)
            index = max(index + 1, end)
            guard let link else { continue }
            count += 1
            if isOrigin {
                origin = origin ?? link
            } else if link.isGIF {
                return link
            } else {
                first = first ?? link
            }
        }
        return first ?? origin
    }

    /// What names a referer or a proxy in front of its link.
    private static let origins: Set<Substring> = ["referer", "referrer", "-e", "--referer", "-x", "--proxy"]

    private func isOrigin(at index: Int) -> Bool {
        let before = String(String.UnicodeScalarView(text[max(0, index - 20)..<index])).lowercased()
        return Self.origins.contains(before.split { " \t\"'=:".contains($0) }.last ?? "")
    }

    // MARK: - The beginning of a link

    private struct Start {
        var scheme: String?
        /// The index of the host.
        var host: Int
        /// Whether there is no `://`, so that the text must look like a host.
        var isGuessed = false
    }

    private func start(at index: Int) -> Start? {
        if var start = scheme(at: index) {
            // Some people paste a link behind another `https://`.
            if let inner = scheme(at: start.host) { start = inner }
            let isHost = start.host < text.count && (Self.isWord(text[start.host]) || text[start.host] == "[")
            return isHost ? start : nil
        }
        let before = index > 0 ? text[index - 1] : " "
        let hasSlashes = matches("//", at: index)
        guard
            before.properties.isWhitespace || "\"'`“‘«„<>([{=|,;]".unicodeScalars.contains(before)
                || before == ":" && !hasSlashes
        else { return nil }
        let host = index + (hasSlashes ? 2 : 0)
        let name = text[host...].prefix { Self.isWord($0) || ".-_".unicodeScalars.contains($0) }
        let isHost = name.contains(".") && name.endIndex < text.count && text[name.endIndex] == "/"
        guard index == 0 || isHost else { return nil }
        return Start(scheme: hasSlashes ? "https:" : nil, host: host, isGuessed: index == 0 || !hasSlashes)
    }

    /// In the order in which they match: correct ones first, then those that are cut, mistyped or disarmed.
    private static let schemes = [
        "https:", "http:", "ttps:", "ttp:", "htps:", "htpps:", "hhttps:", "htttps:", "hxxps:", "hxxp:", "https;",
        "http;", "https", "http",
    ]

    private func scheme(at index: Int) -> Start? {
        guard let written = Self.schemes.first(where: { matches($0, at: index) }) else { return nil }
        let scheme = written.contains("s") ? "https:" : "http:"
        let host = index + written.count
        let slashes = text[host...].prefix { $0 == "/" || $0 == "\\" }.count
        if written != scheme, slashes < 2 || index > 0 && Self.isWord(text[index - 1]) { return nil }
        return slashes > 0 || index == 0 ? Start(scheme: scheme, host: host + slashes, isGuessed: slashes == 0) : nil
    }

    /// - Parameter pattern: in lower case.
    private func matches(_ pattern: String, at index: Int) -> Bool {
        index + pattern.utf8.count <= text.count
            && zip(text[index...], pattern.unicodeScalars).allSatisfy {
                $0 == $1 || $0.isASCII && $0.value | 0x20 == $1.value
            }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    // MARK: - The end of a link

    private static let closing: [Unicode.Scalar: Unicode.Scalar] = [
        "<": ">", "\"": "\"", "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "„": "“",
    ]
    private static let stops = Set("<>\"`|“”‘«»„，。、！；」』》】".unicodeScalars)

    /// Returns the link, or nil if there is none, and the index behind it.
    private func link(from index: Int, _ start: Start) -> (link: Link?, end: Int) {
        let (word, whole) = ends(from: index, host: start.host)
        func link(to end: Int) -> Link {
            let text = String(String.UnicodeScalarView(text[start.host..<end]))
            // A space between the host and the path.
            let host = text.prefix { $0 != "/" }
            return Link(scheme: start.scheme, address: String(ShellText.trimmed(host)) + text[host.endIndex...])
        }
        var (end, isOnly) = (trimmed(index, start.host..<word), word == text.count)
        var found = link(to: end)
        // A file name with spaces.
        if let whole, !found.isGIF {
            let wholeEnd = trimmed(index, start.host..<whole)
            let candidate = link(to: wholeEnd)
            if WebAddress.fileExtension(candidate.url) == "gif" {
                (found, end, isOnly) = (candidate, wholeEnd, true)
            }
        }
        guard start.isGuessed else { return (end > start.host ? found : nil, end) }
        let isHost = TypedAddress.beginsWithHost(found.address[...])
        let isLikely = index == 0 && (isOnly || found.isGIF) || TypedAddress.hasTopDomain(found.address)
        return isHost && isLikely ? (found, end) : (nil, index == 0 ? 1 : end)
    }

    /// The end of the first word of the link, and that of the link if it can contain spaces.
    private func ends(from first: Int, host: Int) -> (word: Int, whole: Int?) {
        let closing = first > 0 ? Self.closing[text[first - 1]] : nil
        var (round, square, hasQuery): (Int, Int, Bool) = (0, 0, false)
        var word: Int?
        var index = host
        scan: while index < text.count, text[index] != closing {
            let next = index + 1 < text.count ? text[index + 1] : " "
            if !hasQuery, isBehindGIF(index, host), !continuesGIF(at: index, next, round, square) { break }
            switch text[index] {
            case "(": round += 1
            case ")": round -= 1
            case "[":
                if index > host, !hasQuery || next == "/" { break scan }
                square += 1
            case "]": square -= 1
            // Behind the scheme of a link inside, an address can contain anything.
            case "?", "#": hasQuery = true
            case ":" where next == "/": hasQuery = true
            case "{", "}": if first > 0 { break scan }
            case "'": if !Self.isWord(next) { break scan }
            case "’": if !Self.isWord(next) || next == "s" && Self.isSpace(end(ofName: index + 1)) { break scan }
            case ";" where Self.isSpace(end(ofName: index + 1)): break scan
            case ",", ";": if Self.isSpace(next) || scheme(at: index + 1) != nil { break scan }
            case "&": if next == "&", end(ofName: index + 2) != "=" { break scan }
            case let scalar where Self.isSpace(scalar):
                if word == nil, first < host, continuesHost(at: index, host) { break }
                word = word ?? index
                let isPath = ["/", "~/", "./"].contains { matches($0, at: index + 1) }
                let isEnd = scalar == "\n" || isPath || first > 0 && closing == nil || scheme(at: index + 1) != nil
                if isEnd { break scan }
            case _ where isStop(at: index, host): break scan
            default: break
            }
            // No bracket in front of a link that begins the text can close inside it.
            if first > 0, round < 0 || square < 0 { break }
            index += 1
        }
        let isClosed = index < text.count && text[index] == closing
        return (word ?? index, word != nil && (isClosed || first == 0) ? index : nil)
    }

    /// Whether the space stands between the host and the path.
    private func continuesHost(at index: Int, _ host: Int) -> Bool {
        guard matches("/", at: index + 1), text[index] != "\n", !text[host..<index].contains("/") else { return false }
        return index + 2 < text.count && Self.isWord(text[index + 2])
    }

    private func isStop(at index: Int, _ host: Int) -> Bool {
        let scalar = text[index]
        return Self.stops.contains(scalar) || scalar.properties.generalCategory == .control
            || !scalar.isASCII && isBehindGIF(index, host)
    }

    private func isBehindGIF(_ index: Int, _ host: Int) -> Bool { index - host > 4 && matches(".gif", at: index - 4) }
    /// Whether a character behind the name of a GIF belongs to the address.
    private func continuesGIF(at index: Int, _ next: Unicode.Scalar, _ round: Int, _ square: Int) -> Bool {
        switch text[index] {
        case "?", "#", "/", ".", "-", "_", "%": true
        case "&", ";": end(ofName: index + 1) == "="
        case ")": round > 0
        case "]": square > 0
        case "@", "+", "~", ":", "!": Self.isWord(next)
        case let scalar: scalar.isASCII && Self.isWord(scalar)
        }
    }

    /// The character behind the name that begins at the index; nil if there is no name.
    private func end(ofName index: Int) -> Unicode.Scalar? {
        let name = text[min(index, text.count)...].prefix { Self.isWord($0) || $0 == "_" }
        return name.isEmpty ? nil : name.endIndex < text.count ? text[name.endIndex] : " "
    }

    private static func isSpace(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isWhitespace ?? false }

    /// The end without the punctuation of the sentence around the link.
    private func trimmed(_ first: Int, _ range: Range<Int>) -> Int {
        guard text[range].contains("/") || first < range.lowerBound else { return range.upperBound }
        let mark = first > 0 ? text[first - 1] : " "
        func surplus(_ closing: Unicode.Scalar, _ opening: Unicode.Scalar) -> Int {
            text[range].count { $0 == closing } - text[range].count { $0 == opening }
        }
        var (round, square, curly) = (surplus(")", "("), surplus("]", "["), surplus("}", "{"))
        var end = (text[range].lastIndex { !"*_~".unicodeScalars.contains($0) } ?? range.lowerBound) + 1
        if !isBehindGIF(end, range.lowerBound) { end = range.upperBound }
        while end > range.lowerBound {
            switch text[end - 1] {
            case ".", ",", ";", ":", "!", "?", "…", "'", "’", "\\", "*", "&": break
            case ")" where round > 0: round -= 1
            case "]" where square > 0: square -= 1
            case "}" where curly > 0: curly -= 1
            case let scalar where scalar == mark && "_~".unicodeScalars.contains(scalar): break
            default: return end
            }
            end -= 1
        }
        return end
    }
}
