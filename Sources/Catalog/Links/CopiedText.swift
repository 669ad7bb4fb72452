import FoundationEssentials

/// Texts as people copy them from a shell, and as terminals and file managers paste the names of files.
public enum ShellText {
    /// Returns the text in quotes, for a message with a command.
    public static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    /// Returns the command that searches for a query, which may be in quotes, for a message with a command.
    public static func searchCommand(_ query: String) -> String {
        "gifplay --search" + (query.drop { $0 == "'" }.hasPrefix("-") ? "=" : " ") + query
    }

    /// Splits a text at white space, and removes quotes and backslashes as a shell does. A quote without an end is kept.
    public static func words(_ text: some StringProtocol) -> [String] {
        let text = Array(text)
        let ends: [Character: Int] = ["'": text.lastIndex(of: "'") ?? 0, "\"": text.lastIndex(of: "\"") ?? 0]
        var (words, word, isInWord): ([String], String, Bool) = ([], "", false)
        var quote: Character?
        var index = 0
        while index < text.count {
            let (character, next) = (text[index], index + 1 < text.count ? text[index + 1] : nil)
            index += 1
            if character == quote {
                quote = nil
            } else if quote == nil, character == "$", next == "'", let (decoded, end) = decoded(text[(index + 1)...]) {
                word += decoded
                (index, isInWord) = (end, true)
            } else if quote == nil, character.isWhitespace {
                if isInWord { words.append(word) }
                (word, isInWord) = ("", false)
            } else if quote == nil, let end = ends[character], end >= index {
                (quote, isInWord) = (character, true)
            } else if character == "\\", let next,
                quote == nil ? !(next.isLetter || next.isNumber) : quote == "\"" && "\"\\$`".contains(next)
            {
                word.append(next)
                (index, isInWord) = (index + 1, true)
            } else {
                word.append(character)
                isInWord = true
            }
        }
        return isInWord ? words + [word] : words
    }

    /// Decodes Bash's `$'…'`, in which shells and `ls` print names with unusual characters.
    /// - Parameter text: the text after the first quote.
    private static func decoded(_ text: ArraySlice<Character>) -> (text: String, end: Int)? {
        var (bytes, index): ([UInt8], Int) = ([], text.startIndex)
        while index < text.endIndex, text[index] != "'" {
            let next = index + 1 < text.endIndex ? text[index + 1] : nil
            let digits = text[(index + 1)...].prefix(3).prefix { "01234567".contains($0) }
            if text[index] == "\\", let code = UInt16(String(digits), radix: 8) {
                bytes.append(UInt8(truncatingIfNeeded: code))
                index += 1 + digits.count
            } else if text[index] == "\\", let next {
                bytes += String(["n": "\n", "t": "\t", "r": "\r"][next] ?? next).utf8
                index += 2
            } else {
                bytes += String(text[index]).pathBytes
                index += 1
            }
        }
        return index < text.endIndex ? (String(path: bytes), index + 1) : nil
    }

    /// Removes white space and invisible characters around the text.
    static func trimmed(_ text: Substring) -> Substring {
        func isSpace(_ character: Character) -> Bool {
            character.isWhitespace || character.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
        }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    /// Removes the prompt and the name of the program from the arguments of a command that was pasted with them, and the
    /// hyphens of a list, a log or an option in front of a link.
    public static func command(_ arguments: [String]) -> [String] {
        var arguments = Array(arguments.dropFirst(promptLength(arguments).count))
        if arguments.count == 1 {
            let (rest, hasName) = withoutPrompt(arguments[0])
            arguments = hasName ? words(rest) : [String(rest)]
        }
        return arguments.map { text in
            let word = text.prefix { !$0.isWhitespace }
            // A search in a text costs each start 0.3 million instructions, so an option must not reach it.
            guard word.first == "-", word.endIndex < text.endIndex || word == "-" else { return text }
            let isText = word == "-" || !word.contains("=") && text.contains(" http")
            return isText && TypedAddress(text) != nil ? String(text.drop { "- ".contains($0) }) : text
        }
    }

    /// Returns a query without the prompt and the name of the program, and then also without the shell's quotes.
    static func query(_ text: String) -> String {
        let (rest, hasName) = withoutPrompt(text)
        return hasName ? words(rest).joined(separator: " ") : String(rest)
    }

    /// Returns the text without a prompt and without the name of the program, and whether this name was there.
    static func withoutPrompt(_ text: String) -> (rest: Substring, hasName: Bool) {
        let words = text.split(maxSplits: maximumLength + 1, whereSeparator: \.isWhitespace)
        let length = promptLength(words.map(String.init))
        return (length.count == 0 ? text[...] : text[words[length.count].startIndex...], length.hasName)
    }

    /// In words, such as `user@host ~ % gifplay`.
    private static let maximumLength = 5

    /// The number of words before the arguments; 0 if no argument would be left.
    private static func promptLength(_ words: [String]) -> (count: Int, hasName: Bool) {
        guard words.count > 1 else { return (0, false) }
        if let name = words.prefix(maximumLength).firstIndex(of: "gifplay"), name + 1 < words.count,
            name == 0 || isPrompt(words[0]) || isPrompt(words[name - 1])
        {
            return (name + 1, true)
        }
        return (isPrompt(words[0]) ? 1 : 0, false)
    }

    /// The commands of chats that precede a query.
    static let searchCommands: Set = ["/giphy", "/gif", "/tenor", "/me"]

    private static func isPrompt(_ word: String) -> Bool {
        if searchCommands.contains(word) { return TypedAddress.isChatCommand(word) }
        guard let last = word.last, "$%#>❯➜›»".contains(last) else { return false }
        return word.count == 1 || word.allSatisfy { $0 == ">" } || word.contains { "@~".contains($0) }
    }
}

/// Finds what looks like a path in a text that is otherwise a query.
enum PathLikeText {
    /// The endings of other files, which nobody means for a search. Endings that are words, such as `js` and `go`, are
    /// missing.
    static let fileEndings = QueryWords.set(
        """
        7z apk avi bak bash bat bmp bz2 cfg cmd conf cpp crt css csv db deb dll dmg doc docx eml env exe flac gz hpp
        htm html ico ics ini ipynb iso java json jsx kdbx key kt lock log mkv mp3 msg odp ods odt ogg old p12 part pdf
        pem php ppt pptx ps1 psd pub py rar rb rpm rst rtf sh sql sqlite svg swift tar tex tgz tif tiff tmp toml ts
        tsv tsx txt vcf wav xls xlsx xml xz yaml yml zip zsh zst md rs age asc crdownload dat
        diff dump enc epub gpg img jar orig ovpn patch pfx pyc rej srt swp torrent
        """)

    /// Folders with names as short as the parts of `and/or`.
    private static let shortFolders: Set = [
        "bin", "dev", "etc", "lib", "mnt", "opt", "src", "sys", "tmp", "usr", "var",
    ]

    /// Returns the first word that looks like the path or the name of a file, such as `/home/me/x` or `main.py:10` in
    /// a message that was pasted. No service must get it. Parts of up to three characters, as in `and/or`, are no path.
    static func word(in text: Substring) -> Substring? {
        let words = text.split { $0.isWhitespace || "\"'“”‘’«»„`()[]{}<>=|,;".contains($0) }
        return words.first { word in
            if TypedAddress.isChatCommand(word) { return false }
            if word.contains(where: { "/\\".contains($0) }) {
                let parts = word.split { "/\\".contains($0) }
                let isLong = { (part: Substring) in part.count > 3 && part.contains { $0.isLetter } }
                return word.contains("~/") || parts.contains { isLong($0) || shortFolders.contains(String($0)) }
            }
            // Compilers write `main.c:10`.
            let place = word.split(separator: ":").prefix(2)
            if place.count == 2, place[0].contains("."), place[0].last?.isLetter == true,
                place[1].allSatisfy(\.isNumber)
            {
                return true
            }
            // In `**main.py**`, `host:report.pdf` and `report.pdf.gpg`, each part behind a dot is compared.
            return word.split { "?#:~&*".contains($0) }.contains { name in
                let parts = name.split(separator: ".", omittingEmptySubsequences: false)
                return parts.dropFirst().contains { part in
                    let ending = part.prefix { $0.isLetter || $0.isNumber }.lowercased()
                    return fileEndings.contains(ending)
                        || parts[0].contains(where: \.isLetter) && TypedAddress.hasMediaEnding("x." + ending)
                }
            }
        }
    }
}

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

extension TypedAddress {
    /// As in browsers, without white space and with or without padding; also in the alphabet for URLs.
    static func base64(_ bytes: [UInt8]) -> [UInt8]? {
        let digits = bytes.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }.map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits + padding)).map { Array($0) }
    }
}
