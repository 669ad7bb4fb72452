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
