/// Passes over what its own words call explicit, for sources that rate nothing.
///
/// Commons and GifCities have no safe search. A list of words is no judge of pictures; it keeps the
/// plainly labelled from a screen that runs unattended.
package enum ExplicitWords {
    /// Whether a word of the text names what a rating below `r` leaves out.
    package static func areIn(_ text: String) -> Bool {
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
