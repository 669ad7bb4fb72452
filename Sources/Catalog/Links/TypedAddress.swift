import Base
import FoundationEssentials
import Glibc

/// What a typed, pasted or dropped text addresses: the only recogniser, for the command line and for the gallery.
public enum TypedAddress: Equatable, Sendable {
    /// A percent-encoded http or https URL.
    case web(String)
    /// Paths on this machine, which need not exist.
    case files([String])
    /// The content of a `data:` URL.
    case data([UInt8])
    /// An address that cannot be played, with the reason.
    case unusable(String)

    /// - Returns: nil if the text is a query.
    public init?(_ typed: String) {
        let (text, inner) = Self.unwrapped(ShellText.withoutPrompt(PastedText.withoutHyperlinks(typed)).rest)
        let start = inner.prefix(16).lowercased()
        if start.hasPrefix("data:"), let comma = inner.firstIndex(of: ","), !start.dropFirst(5).hasPrefix(" ") {
            self = Self.data(head: inner[..<comma].lowercased(), inner[inner.index(after: comma)...])
        } else if Self.beginsPath(inner) || Self.beginsWithFolder(inner)
            || text.hasPrefix("$'") && Self.beginsPath(text.dropFirst(2))
        {
            self = Self.paths(String(text), String(inner))
        } else if let link = PastedText(text).link {
            self = Self.web(link.scheme, link.address)
        } else if let file = Self.fileURL(in: inner) {
            self = Self.paths(file, file)
        } else if let colon = inner.firstRange(of: "://"), colon.lowerBound > inner.startIndex,
            inner[..<colon.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber })
        {
            let hasHost = !inner[colon.upperBound...].hasPrefix("/")
            let text = hasHost ? WebAddress.displayText(String(inner)) : SafeText.line(String(inner))
            self = .unusable("\(text): not an http:// or https:// URL")
        } else if let path = Self.markedPath(in: text), let address = TypedAddress(path) {
            self = address
        } else if Self.hasMediaEnding(Self.withoutPunctuation(inner))
            || inner.contains("/") && inner.count > 1 && inner.allSatisfy(Self.isPathLetter)
                && (inner.hasSuffix("/") || inner.contains { "._".contains($0) })
        {
            self = Self.paths(String(text), String(inner))
        } else if text.contains(where: { "\\\"'“‘«„`".contains($0) }), let name = Self.quotedFile(text) {
            self = .files([name])
        } else if let word = PathLikeText.word(in: text) {
            let command = ShellText.searchCommand(SafeText.line(ShellText.quoted(String(inner))))
            self = .unusable("\(SafeText.line(String(word))): looks like a path; to search for it: \(command)")
        } else {
            return nil
        }
    }

    /// Joins the lines of a link that a mail or a terminal has wrapped.
    public static func joiningLines(_ text: String) -> String { PastedText.joiningLines(text) }

    private static let pairs: [Character: Character] = [
        "<": ">", "\"": "\"", "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`", "(": ")", "[": "]",
    ]

    /// Returns the text without white space around it, and without the quotes and brackets around that.
    private static func unwrapped(_ typed: Substring) -> (text: Substring, inner: Substring) {
        let text = ShellText.trimmed(typed)
        var inner = text
        // Brackets of markup, which `markedPath` reads.
        if text.contains("][") || tagPath(in: text) != nil { return (text, text) }
        while let first = inner.first, let closing = pairs[first] {
            // The emoticon `</3` is no path behind a bracket.
            if first == "<", inner.last != closing, !hasMediaEnding(inner) { break }
            inner.removeFirst()
            if inner.last == closing { inner.removeLast() }
            inner = ShellText.trimmed(inner)
        }
        return (text, inner)
    }

    // MARK: - Paths

    /// The endings of files that people expect to play, even if gifplay does not play them.
    private static let mediaEndings = [
        ".gif", ".webp", ".png", ".apng", ".jpg", ".jpeg", ".mp4", ".webm", ".avif", ".heic", ".mov", ".gifv",
    ]

    public static func hasMediaEnding(_ text: some StringProtocol) -> Bool {
        let end = text.suffix(6).lowercased()
        return mediaEndings.contains { end.hasSuffix($0) && text.utf8.count > $0.utf8.count }
    }

    /// The file that a quoted text or one with backslashes names, if it exists.
    private static func quotedFile(_ text: Substring) -> String? {
        let words = ShellText.words(text)
        return words.count == 1 && isFile(words[0]) ? words[0] : nil
    }

    /// Returns the text without the punctuation that follows a name in a sentence.
    private static func withoutPunctuation(_ text: Substring) -> Substring {
        text.lastIndex { !".,;:!?)]}>\"'”’»`".contains($0) }.map { text[...$0] } ?? ""
    }

    /// Whether a word of several parts, such as `and/or`, is a path: its first folder is here or in the home directory.
    private static func beginsWithFolder(_ word: Substring) -> Bool {
        let folder = String(word.prefix { $0 != "/" })
        let isURL = folder.hasSuffix(":") && word.hasPrefix(folder + "//")
        return !isURL && word != folder && !folder.isEmpty && (isFile(folder) || isFile(expanded("~/" + folder)))
    }

    private static let chatCommands = ShellText.searchCommands.union(["/shrug", "/tableflip"])

    /// Whether the text begins with a command of chats, which is no path.
    static func isChatCommand(_ word: some StringProtocol) -> Bool {
        let name = word.prefix { !$0.isWhitespace }.lowercased()
        return chatCommands.contains(name) && !isFile(name)
    }

    private static func beginsPath(_ word: Substring) -> Bool {
        let start = word.prefix(8)
        if [".", "..", "~"].contains(word) || isWindowsPath(word) { return true }
        if isChatCommand(word) { return false }
        if start.hasPrefix("//") { return !beginsWithHost(word.dropFirst(2)) }
        let starts = ["/", "~/", "./", "../", "$HOME/", "${HOME}/"]
        return starts.contains(where: start.hasPrefix) || start.lowercased().hasPrefix("file:/")
            || start.lowercased().hasPrefix("file:") && hasMediaEnding(word)
    }

    private static func isWindowsPath(_ path: Substring) -> Bool {
        let colon = path.dropFirst()
        let isDrive = path.first?.isLetter == true && (colon.hasPrefix(":\\") || colon.hasPrefix(":/"))
        // No shell escapes a letter or a digit. The escapes of JSON can stand around a link.
        let hasSeparator = zip(colon, colon.dropFirst()).contains { $0 == "\\" && ($1.isLetter || $1.isNumber) }
        return path.hasPrefix("\\\\") || isDrive && !colon.hasPrefix("://")
            || hasSeparator && !path.contains { "/:".contains($0) }
    }

    /// The `file:` URLs behind other words, such as those of the clipboard of a file manager.
    private static func fileURL(in text: Substring) -> String? {
        guard let start = text.firstRange(of: "file:/")?.lowerBound, start > text.startIndex,
            text[text.index(before: start)].isWhitespace
        else { return nil }
        return String(text[start...])
    }

    /// The path of a picture in the markup of a page, a wiki or a program, such as `![x](./cat.gif)`; of several, the
    /// last GIF.
    private static func markedPath(in text: Substring) -> String? {
        guard let last = text.last, ")]>}\"'`;”’»".contains(last) else { return nil }
        if let path = tagPath(in: text) { return hasMediaEnding(path) ? path : nil }
        let paths = text.split { "\"'`()[]<>{}=|“”‘’«»".contains($0) }
            .filter { $0.startIndex > text.startIndex && $0.endIndex < text.endIndex }
            .map { ShellText.trimmed($0) }.filter(hasMediaEnding)
        return (paths.last { $0.lowercased().hasSuffix(".gif") } ?? paths.last).map { String($0) }
    }

    private static func tagPath(in text: Substring) -> String? {
        let attributes = TagReader.first(in: text)?.attributes
        return attributes?["src"] ?? attributes?["href"]
    }

    private static func isPathLetter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "._-/".contains(character)
    }

    static func isWeb(_ text: String) -> Bool {
        let scheme = text.prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
    }

    private static func isFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// - Parameters:
    ///   - text: can contain several names, as dropped files do.
    ///   - inner: the text without the quotes around it.
    private static func paths(_ text: String, _ inner: String) -> TypedAddress {
        if isFile(inner) { return .files([inner]) }
        if isWindowsPath(inner[...]) { return foreignPath(inner) }
        // A word that does not begin a path continues a name with spaces. A URL behind a path does not play.
        let isQuoted = pairs[text.first ?? " "] != nil && !"'\"".contains(text.prefix(1))
        let named = ShellText.words(isQuoted ? inner : text).prefix { !isWeb($0) }
        // Words in front of a path, such as `Saved to:`, belong to none.
        let hasProse = named.first.map { !beginsPath($0[...]) } ?? false
        var words = named.reduce(into: [String]()) { paths, word in
            let isBehindLabel = hasProse && paths.count == 1 && paths[0].last == ":"
            if paths.isEmpty || isBehindLabel || beginsPath(word[...]) {
                paths.append(word)
            } else {
                paths[paths.count - 1] += " " + word
            }
        }
        if hasProse, words.count > 1, !hasMediaEnding(words[0]), !isFile(words[0]) { words.removeFirst() }
        var paths: [String] = []
        for word in words {
            if isWindowsPath(word[...]) { return foreignPath(word) }
            switch word.prefix(5).lowercased() == "file:" ? file(word.dropFirst(5)) : .files([existing(word)]) {
            case .files(let path):
                let bare = withoutPunctuation(path[0][...])
                paths.append(hasMediaEnding(bare) && !isFile(path[0]) ? String(bare) : path[0])
            case let other: return other
            }
        }
        return .files(paths)
    }

    private static func foreignPath(_ path: String) -> TypedAddress {
        .unusable("\(SafeText.line(path)): not a path of this machine")
    }

    /// The path, percent-decoded if only the file with this name exists.
    private static func existing(_ path: String) -> String {
        let decoded = expanded(String(path: WebAddress.decodedBytes(path)))
        let path = expanded(path)
        return isFile(path) || !isFile(decoded) ? path : decoded
    }

    private static func expanded(_ path: String) -> String {
        guard let home = getenv("HOME").map({ String(cString: $0) }),
            let start = ["~", "$HOME", "${HOME}"].first(where: { path == $0 || path.hasPrefix($0 + "/") })
        else { return path }
        return home + path.dropFirst(start.count)
    }

    // MARK: - Web addresses

    /// The domains at the top that make a host of a name without a path, such as `giphy.com`.
    private static let topDomains: Set<String> = ["com", "org", "net", "io", "gg", "tv"]

    /// More domains at the top, which make a host only before a path, a query or a port, as those of countries do.
    private static let otherDomains: Set<String> = [
        "app", "art", "biz", "blog", "cloud", "dev", "edu", "example", "fun", "gallery", "gov", "info", "internal",
        "lan",
        "local", "lol", "media", "online", "page", "pics", "site", "social", "space", "store", "test", "wiki", "xyz",
    ]

    /// Whether the address has a path, on a host with one of these domains.
    static func hasTopDomain(_ address: String) -> Bool {
        let host = address.prefix { $0 != "/" }
        return host.endIndex < address.endIndex
            && topDomains.contains(host.split(separator: ".").last?.lowercased() ?? "")
    }

    static func isMachine(_ address: String) -> Bool {
        let host = address.prefix { !"/?#:".contains($0) }
        return host.lowercased() == "localhost" || host.allSatisfy { $0.isNumber || ".[".contains($0) }
    }

    /// Whether the text begins with the name of a host, which a path, a query or a port can follow.
    static func beginsWithHost(_ text: Substring) -> Bool {
        let authority = text.prefix { !"/?#\\".contains($0) }
        let name = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let port = authority[name.endIndex...].drop { $0 == "]" }
        guard port.isEmpty || port.count > 1 && port.dropFirst().allSatisfy(\.isNumber) else { return false }
        let hasPath = authority.endIndex < text.endIndex
        let hasMore = hasPath || !port.isEmpty
        if authority.hasPrefix("[") { return hasMore && name.dropFirst().allSatisfy { $0.isHexDigit || $0 == ":" } }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isValid = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        guard isValid, let last = labels.last?.lowercased() else { return false }
        if labels.count == 4 && labels.allSatisfy({ UInt8($0) != nil }) || last == "localhost" { return hasMore }
        guard labels.count > 1, last.count > 1, last.allSatisfy(\.isLetter) || last.hasPrefix("xn--") else {
            return false
        }
        // Without a scheme, `photos.old/cat` and `main.py:10` are files.
        let isDomain = last.count == 2 && hasPath && !PathLikeText.fileEndings.contains(last) || last.hasPrefix("xn--")
        return hasMore && (isDomain || otherDomains.contains(last)) || labels[0].lowercased() == "www"
            || topDomains.contains(last)
    }

    private static func web(_ scheme: String, _ address: String) -> TypedAddress {
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
            var machine = [CChar](repeating: 0, count: 256)
            gethostname(&machine, machine.count - 1)
            guard ["", "localhost", String(path: machine).lowercased()].contains(host.lowercased()) else {
                return .unusable("file://\(host): not a file of this machine")
            }
            path = rest[host.endIndex...]
        }
        let whole = expanded(String(path: WebAddress.decodedBytes(path)))
        if isFile(whole) { return .files([whole]) }
        if isWindowsPath(whole.dropFirst()) { return foreignPath("file:\(rest)") }
        return .files([expanded(String(path: WebAddress.decodedBytes(path.prefix { !"?#".contains($0) })))])
    }

    private static func data(head: String, _ content: Substring) -> TypedAddress {
        let bytes = WebAddress.decodedBytes(content)
        guard head.hasSuffix(";base64") else { return .data(bytes) }
        return base64(bytes).map { .data($0) } ?? .unusable("data: URL: not valid base64")
    }
}
