import Base
import Catalog
import Library
import Testing

@testable import Gallery

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Texts of the gallery")
struct LanguageTests {
    /// Returns the arguments of each text in the sources, in the order of the languages, as Swift code.
    private func texts() throws -> [[String]] {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Sources"
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        return try files.flatMap { file in
            let source = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
            return source.matches(of: /\(\s*en:/).map { match in
                var depth = 1
                let arguments = source[match.range.upperBound...].prefix { character in
                    depth += "([".contains(character) ? 1 : ")]".contains(character) ? -1 : 0
                    return depth > 0
                }
                return arguments.split(separator: /,\s*de:/).map { $0.trimmingPrefix(/\s+/) }.map { String($0) }
            }
        }.filter { $0[0].contains("\"") }
    }

    @Test("Every text exists in both languages, and every German text differs from the English one")
    func complete() throws {
        let texts = try texts()
        #expect(texts.count > 100)
        for text in texts {
            #expect(text.count == Language.allCases.count && !text.contains { $0.contains("\"\"") }, "\(text)")
            // "5 GIFs" is the same in both languages.
            if !text[0].hasPrefix("\"\\(count) GIF") { #expect(Set(text).count == text.count, "\(text)") }
        }
    }

    @Test("The first locale variable that is set determines the language")
    func language() {
        #expect(Language(environment: [:]) == .english)
        #expect(Language(environment: ["LANG": "de_DE.UTF-8"]) == .german)
        #expect(Language(environment: ["LANG": "de_DE.UTF-8", "LC_MESSAGES": "C"]) == .english)
        #expect(Language(environment: ["LANG": "C", "LC_MESSAGES": "de"]) == .german)
        #expect(Language(environment: ["LANG": "en_GB", "LC_ALL": "de_AT@euro"]) == .german)
        #expect(Language(environment: ["LANG": "de_DE", "LC_ALL": ""]) == .german)
        #expect(Language(environment: ["LANG": "fr_FR.UTF-8"]) == .english)
    }

    @Test("Ages use the plural forms of the language")
    func ages() {
        let expected: [(Int, String, String)] = [
            (-5, "just now", "gerade eben"), (59, "just now", "gerade eben"), (60, "1 minute ago", "vor 1 Minute"),
            (119, "1 minute ago", "vor 1 Minute"), (10_800, "3 hours ago", "vor 3 Stunden"),
            (86_400, "1 day ago", "vor 1 Tag"), (13 * 86_400, "13 days ago", "vor 13 Tagen"),
            (14 * 86_400, "2 weeks ago", "vor 2 Wochen"), (61 * 86_400, "2 months ago", "vor 2 Monaten"),
            (365 * 86_400, "1 year ago", "vor 1 Jahr"), (4000 * 86_400, "10 years ago", "vor 10 Jahren"),
        ]
        for (seconds, english, german) in expected {
            #expect(Language.english.age(seconds) == english)
            #expect(Language.german.age(seconds) == german)
        }
    }

    @Test("The age is in days if only the date is known, and in hours if the time is known")
    func days() {
        let now = 1_763_740_800  // 2025-11-21 16:00 UTC
        let day = 1_763_683_200
        func say(_ posted: Int) -> String { Language.english.age(of: posted, at: now) }
        #expect(say(day) == "today" && say(day - 86_400) == "yesterday" && say(day - 3 * 86_400) == "3 days ago")
        #expect(say(now - 3 * 3600) == "3 hours ago" && say(now + 86_400 * 400) == "just now")
        #expect(Language.english.age(of: .min, at: .max).hasSuffix("years ago"))
    }

    @Test("Sizes use the decimal mark of the language")
    func sizes() {
        #expect(Language.english.bytes(1_234_567) == "1.2 MB")
        #expect(Language.german.bytes(1_234_567) == "1,2 MB")
    }

    @Test("Errors are short and name the source that failed")
    func errors() {
        let title = { (name: String) in name.uppercased() }
        func say(_ error: Failure) -> String { Language.english.sentence(error, title: title) }
        #expect(say(.noKey(variable: "GIPHY_API_KEY")) == "needs a key: GIPHY_API_KEY")
        #expect(say(.refused(status: 429, message: nil, retryAfterSeconds: 300)) == "too many requests; retry in 5 min")
        #expect(say(.refused(status: 503, message: nil, retryAfterSeconds: nil)) == "server error (503)")
        #expect(say(.coolingDown(seconds: 40)) == "paused after an error; retry in 40 s")
        #expect(say(.coolingDown(seconds: 0)) == "paused after an error")
        let failures = [
            Failure.noKey(variable: "K").of("giphy"),
            Failure.nothingFound.of("commons"), Failure.outage.of("klipy"),
        ]
        #expect(say(.exhausted(failures)) == "KLIPY: unavailable")
        #expect(say(.exhausted(Array(failures.prefix(2)))) == "GIPHY: needs a key: K")
    }

    @Test("The reasons for failed actions are given in the language of the gallery")
    func reasons() {
        let texts: [(GalleryMessage, String)] = [
            (.fetchFailed(.notAnimated), "nicht gespeichert: nicht animiert"),
            (
                .openFailed(.noProgram(tried: ["xdg-open"], link: "https://example.org/")),
                "nicht geöffnet: xdg-open: nicht installiert; der Link ist https://example.org/"
            ),
            (.saveFailed(.noDownloadDirectory), "nicht gespeichert: weder HOME noch XDG_DOWNLOAD_DIR ist gesetzt"),
            (.storeFailed(.tooNew(path: "/l")), "Bibliotheksfehler: stammt von einer neueren Version (/l)"),
        ]
        for (message, text) in texts { #expect(Language.german.sentence(message) == text) }
        let error = Failure.status(404, host: "example.org")
        #expect(Language.german(error) == "nicht mehr verfügbar")
        #expect(Language.english(error) == "no longer available")
    }
}
