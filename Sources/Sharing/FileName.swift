import Catalog

/// Makes a file name from an untrusted title. It consists of words of letters and digits, joined by dashes.
enum FileName {
    /// On Linux file systems, in bytes.
    static let longest = 255

    /// Short enough to append the number and the suffix.
    static func stem(title: String, key: GIFKey, suffix: String) -> String {
        // Reserve space for ` (9999)` and the suffix.
        let room = longest - 7 - suffix.utf8.count
        let candidates = [title, "\(key.provider) \(key.id)", "gif"]
        let stem = candidates.lazy.map { cut(slug($0), to: room) }.first { !$0.isEmpty } ?? "gif"
        return isReserved(stem) ? "gif-" + stem : stem
    }

    /// Returns a file name for a stem and a number from 1, for example `cat.gif` for 1 and `cat (2).gif` for 2.
    static func numbered(_ stem: String, _ number: Int, suffix: String) -> String {
        number == 1 ? stem + suffix : "\(stem) (\(number))\(suffix)"
    }

    /// Joins words by dashes. Drops apostrophes; all other characters except letters, digits and marks separate words.
    /// The result has no control characters, slashes or dots, and no dash at either end.
    private static func slug(_ text: String) -> String {
        var words: [String.UnicodeScalarView] = [.init()]
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber:
                words[words.count - 1].append(scalar)
            case .nonspacingMark, .spacingMark, .enclosingMark:
                // A combining mark belongs to the character before it. A mark at the start of a word is dropped.
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

    /// Windows reserves these names for devices. USB sticks and network shares often use a Windows file system.
    private static func isReserved(_ stem: String) -> Bool {
        let name = stem.lowercased()
        if ["con", "prn", "aux", "nul"].contains(name) { return true }
        return name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true
    }
}
