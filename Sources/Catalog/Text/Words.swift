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
