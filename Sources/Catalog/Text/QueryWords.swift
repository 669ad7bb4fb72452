/// The words of a query, for searches on this machine.
enum QueryWords {
    /// Returns the content words, or all words if there are only stop words.
    static func terms(of text: String) -> [String] {
        let words = split(text.lowercased())
        let terms = words.filter { !stopWords.contains($0) }
        return terms.isEmpty ? words : terms
    }

    /// Returns the words in lower case, without tags, apostrophes, accents, skin tones, and the colons of `:shortcodes:`.
    /// - Parameter symbols: words that stay whole, such as `+1`.
    static func words(of text: String, symbols: Set<String> = []) -> [String] {
        let text = text.contains("<") ? HTMLText.plain(text) : text
        let plain: String = text.replacing("%20", with: " ").lowercased().map { letters[$0] ?? String($0) }.joined()
        return plain.split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
            let isShortcode = word.count > 3 && word.first == ":" && word.last == ":"
            let parts = isShortcode ? word.split(separator: ":").filter { !$0.hasPrefix("skin-tone") } : [word]
            return parts.flatMap { part -> [String] in
                let end = part.lastIndex { !"!?.,".contains($0) }.map(part.index(after:)) ?? part.startIndex
                let bare = symbols.contains(String(part)) ? String(part) : emoticon(part[..<end])
                return symbols.contains(bare) ? [bare] : split(bare)
            }
        }
    }

    /// Returns an emoticon such as `:-)))` as `:)`, and any other word unchanged.
    private static func emoticon(_ word: Substring) -> String {
        let mouth = word.dropFirst().drop { $0 == "-" }
        guard let eyes = word.first, ":;=<".contains(eyes), mouth.allSatisfy({ $0 == mouth.first }) else {
            return String(word)
        }
        return (eyes == "=" ? ":" : String(eyes)) + mouth.prefix(1)
    }

    /// Splits at spaces and ASCII symbols. Emoji and other symbols, such as the table of a table flip, are words.
    private static func split(_ text: String) -> [String] {
        let spaced = text.map { character in
            if let emoji = character.emojiText { return " \(emoji) " }
            if character.isLetter || character.isNumber { return String(character) }
            return character.isSymbol && !character.isASCII ? " \(character) " : " "
        }
        return spaced.joined().split(separator: " ").map(String.init)
    }

    /// Returns the word, and the words of which it can be an inflected form, such as "dance" for "dances" and
    /// "dancing", and "hop" for "hopping".
    ///
    /// The first two are the word and its singular. A word before a noun can also be a German adjective or participle:
    /// "traurig" for "trauriges", and "tanzen" for "tanzende".
    static func forms(of word: String, isBeforeNoun: Bool = false) -> [String] {
        var forms = [word, ResultRanking.stem(word)]
        for ending in ["ing", "ed"] where word.hasSuffix(ending) {
            let start = word.dropLast(ending.count)
            let vowels = start.map { "aeiouy".contains($0) }
            guard start.count >= 3, vowels.contains(true) else { continue }
            // A single vowel before a single consonant is short ("hopping"), unless an e was dropped ("hoping").
            let isShort = vowels.count(where: \.self) == 1 && vowels.suffix(2) == [true, false]
            if !isShort || start.last == "w" { forms.append("\(start)") }
            forms.append(start.suffix(2).first == start.last ? "\(start.dropLast())" : start + "e")
        }
        guard isBeforeNoun, let base = word.wholeMatch(of: adjective)?.1 else { return forms }
        return forms + (base.hasSuffix("end") ? [base.dropLast(3) + "en", "\(base)"] : ["\(base)"])
    }

    // Immutable; `Regex` is only not declared as Sendable.
    private nonisolated(unsafe) static let adjective = /(.{3,}?)e[rnms]?/

    static func set(_ text: String) -> Set<String> { Set(text.split(whereSeparator: \.isWhitespace).map(String.init)) }

    static let stopWords = set(
        """
        a an and are at be for gif gifs i im in is it its just me my of on our so that the this to very was we with you
        your das der die ein eine ich ist mit sehr und
        """)

    /// Words that reverse the meaning of others.
    static let negations = set(
        """
        no not never dont doesnt didnt cant cannot wont isnt without stop kein keine keinen nicht nie ohne nein nope nee
        nothing nichts fail failed failing crash broken kaputt dead tot tote
        """)

    /// Includes the full-width forms of ASCII, U+FF01...U+FF5E.
    private static let letters: [Character: String] = (0x21...0x7E).reduce(into: [
        "'": "", "’": "", "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "ñ": "n",
    ]) { letters, code in
        let wide = Character(String(decoding: [UInt16(code) + 0xFEE0], as: UTF16.self))
        letters[wide] = String(Unicode.Scalar(UInt8(code)))
    }
}

extension Character {
    /// An emoji without joiners, skin tones, variations and genders, such as "❤🔥" for a burning heart, and the laptop of
    /// a person at a laptop; nil for other characters.
    var emojiText: String? {
        let scalars = unicodeScalars.filter {
            $0.value > 0xFF && $0.properties.isEmoji && !$0.properties.isEmojiModifier && !(0x2640...0x2642 ~= $0.value)
        }
        guard let first = scalars.first, let last = scalars.last else { return nil }
        return [0x1F468, 0x1F469, 0x1F9D1].contains(first.value) ? "\(last)" : scalars.map { "\($0)" }.joined()
    }
}

/// Finds texts that contain every term of a query, as a word or as an inflected form of it.
package struct TermMatcher: Sendable {
    private let terms: [Set<String>]
    /// The last of several words, which can be typed only in part; nil for a single word.
    private let part: String?
    /// Letters with which a word of every matching text begins, in ASCII, for most terms.
    package let beginnings: [String]

    package init(_ query: String) {
        let words = QueryWords.words(of: query)
        let content = words.filter { !QueryWords.stopWords.contains($0) }
        terms = (content.isEmpty ? words : content).map { Set(QueryWords.forms(of: $0)) }
        part = words.count > 1 && words.last == content.last ? words.last : nil
        // Umlauts have two spellings, and inflected forms have the same beginning.
        beginnings = query.lowercased().split { !$0.isLetter && !$0.isNumber }.filter {
            !QueryWords.stopWords.contains(String($0))
        }.compactMap { word in
            let start = word.prefix(max(2, min(4, word.count - 1))).prefix { $0.isASCII }
            return start.isEmpty ? nil : String(start)
        }
    }

    /// False for a query without terms.
    package func matches(_ texts: [String]) -> Bool {
        let words = texts.flatMap { QueryWords.words(of: $0) }
        let forms = words.map { Set(QueryWords.forms(of: $0)) }
        func isMatch(_ term: Set<String>) -> Bool { forms.contains { !$0.isDisjoint(with: term) } }
        let isPartMatch = part.map { part in words.contains { $0.hasPrefix(part) } } ?? false
        return !terms.isEmpty && (isPartMatch ? terms.dropLast() : terms[...]).allSatisfy(isMatch)
    }
}

public enum EditDistance {
    /// Nil if all candidates are too different.
    ///
    /// The maximum distance is 1 for candidates of up to four letters and 2 for longer ones, so that "clap" and
    /// "hello", at a distance of 2 from "play" and "help", resemble neither. A word of which no letter stays resembles none.
    public static func nearest(to word: String, in candidates: [String]) -> String? {
        // A text from a file can be a megabyte.
        guard word.utf8.count <= 100 else { return nil }
        let distances = candidates.map { (distance: between(word.lowercased(), $0), candidate: $0) }
        return distances.filter { $0.distance <= min($0.candidate.count > 4 ? 2 : 1, word.count - 1) }.min { $0 < $1 }?
            .candidate
    }

    /// Returns the minimum number of edits that turn one word into the other (optimal string alignment). An edit
    /// inserts, deletes or replaces a letter, or swaps two adjacent letters.
    public static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var twoBefore: [Int] = []
        var before = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(before[column] + (letter == other ? 0 : 1), before[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, twoBefore[column - 1] + 1)
                }
                current.append(best)
            }
            twoBefore = before
            before = current
        }
        return before[right.count]
    }
}

/// Detects texts with explicit words, for sources without ratings.
///
/// Some sources, such as Commons and GifCities, have no safe search. This filter protects unattended screens. It cannot
/// judge pictures; it only detects explicit words in texts such as titles, descriptions and addresses.
package enum ExplicitTextFilter {
    /// A GIF with such a text is allowed only if the user allows the rating `r`.
    package static func matches(_ text: String) -> Bool {
        text.lowercased().split { !$0.isLetter }.contains { word in
            words.contains(String(word)) || stems.contains { word.hasPrefix($0) }
        }
    }

    private static let words: Set<String> = [
        "anal", "anus", "boob", "boobs", "breasts", "dildo", "fuck", "nsfw", "nude", "nudes",
        "nudity", "naked", "nipple", "nipples", "orgasm", "sex", "sexual", "sexy", "tits", "topless", "vulva",
        "xxx", "clitoris", "scrotum", "testicles", "foreskin", "coitus", "fetish", "striptease",
    ]
    private static let stems = [
        "porn", "hentai", "penis", "vagin", "masturbat", "ejaculat", "erotic", "fellatio", "cunniling", "genital",
    ]
}
