import Catalog

/// Makes a file name from an untrusted title: words of letters (of any script) and digits, joined by dashes.
enum FileName {
    /// The longest file name on Linux file systems, in bytes.
    static let longest = 255

    /// The name without number and suffix, short enough that both fit.
    static func stem(title: String, key: GIFKey, suffix: String) -> String {
        // ` (9999)` and the suffix must still fit.
        let room = longest - 7 - suffix.utf8.count
        let candidates = [title, "\(key.provider) \(key.id)", "gif"]
        let stem = candidates.lazy.map { cut(slug($0), to: room) }.first { !$0.isEmpty } ?? "gif"
        return isReserved(stem) ? "gif-" + stem : stem
    }

    /// The `number`th name of a stem, from 1.
    static func numbered(_ stem: String, _ number: Int, suffix: String) -> String {
        number == 1 ? stem + suffix : "\(stem) (\(number))\(suffix)"
    }

    /// Joins the words of a text by dashes. Apostrophes are dropped. All other characters that are not letters, digits
    /// or marks separate words, so the name has no control characters, slashes or dots, and no dash at an end.
    private static func slug(_ text: String) -> String {
        var words: [String.UnicodeScalarView] = [.init()]
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber:
                words[words.count - 1].append(scalar)
            case .nonspacingMark, .spacingMark, .enclosingMark:
                // A combining mark belongs to the letter before it. Without a letter it is dropped.
                if !words[words.count - 1].isEmpty { words[words.count - 1].append(scalar) }
            case _ where scalar == "'" || scalar == "’": continue
            default: if !words[words.count - 1].isEmpty { words.append(.init()) }
            }
        }
        return words.filter { !$0.isEmpty }.map { String($0) }.joined(separator: "-")
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        var result = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= bytes else { break }
            result.append(character)
        }
        while result.last == "-" { result.removeLast() }
        return result
    }

    /// Whether the name is a device on Windows, whose file systems are common on USB sticks and network shares.
    private static func isReserved(_ stem: String) -> Bool {
        let name = stem.lowercased()
        if ["con", "prn", "aux", "nul"].contains(name) { return true }
        return name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true
    }
}
