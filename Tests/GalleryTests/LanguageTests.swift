import Base
import Catalog
import Library
import Pixels
import Playback
import TestSupport
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
            Failure.noKey(variable: "K").of("giphy"), Failure.nothingFound.of("commons"), Failure.outage.of("klipy"),
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

/// Draws each screen in both languages. Their only common words may be names and those that German has too.
@Suite("The gallery in German")
struct GermanGalleryTests {
    private static let common = Set([
        // Names of keys, of variables and of technical terms.
        "Enter", "Esc", "Tab", "GIF", "GIFs", "BROWSER", "Link", "Status", "HTTP", "HOME", "XDG", "DOWNLOAD", "DIR",
        "MiB", "gifplay", "offline",
        // The data of the tests.
        "Title", "Ada", "Wikimedia", "Commons", "GIPHY", "Powered", "https", "example", "org", "giphy", "com",
        "cats", "cat", "dancng", "cta", "dancing", "video", "home", "Downloads", "gif", "name", "xclip", "code", "text",
        "Café", "déjà", "KEY", "ada", "random", "gifs", "MIT", "Samples",
    ])
    .union(words(Sample.all.map { $0.title + " " + $0.name }.joined(separator: " ")))

    private func german(_ english: String, _ german: String, _ source: String) {
        let shared = words(english).intersection(words(german)).subtracting(Self.common)
        #expect(shared.isEmpty, "\(source)")
    }

    /// The screens that ``ScreenTests`` does not draw.
    private static let more: [ScreenScenario] = [
        ScreenScenario(name: "loading", play: loading, feed: ScreenScenario.cats),
        ScreenScenario(name: "suggestions", play: suggestions),
        ScreenScenario(name: "no history", play: { $0.send(.opened, .loadedStored(ticket: 1, nil)) }, feed: .history),
        .opened("nothing here", 0, feed: .community("gifs")), .opened("dismissed", 2, .character("D")),
        .opened("letter", 2, .character("e")), .opened("end", 2, .end), .opened("empty search", 0, .escape),
        ScreenScenario(
            name: "samples",
            play: { session in
                session.open((try? SampleRepository().trending(ListingPreferences(), page: nil).items) ?? [])
                session.press(.enter)
            }),
        ScreenScenario(name: "new results", play: newResults, feed: ScreenScenario.cats),
    ]

    private static func loading(_ session: inout Session) {
        session.open(GIFReference.many(12))
        session.send(.tile(GIFKey(provider: "commons", id: "0"), .loading(true)))
        session.press(.enter)
    }

    private static func suggestions(_ session: inout Session) {
        session.open(GIFReference.many(12))
        session.type("/cat")
        session.wait(milliseconds: 150)
        for ticket in 1...9 { session.send(.suggested(ticket: ticket, ["cat video"])) }
    }

    private static func newResults(_ session: inout Session) {
        session.send(.opened)
        session.answerStore(StoredListing(items: GIFReference.many(30), seconds: 1_763_740_800 - 9 * 3600))
        session.press(.end)
        session.answer(.success(ResultPage(items: GIFReference.many(30, from: 5))))
    }

    @Test("No screen has an English text", arguments: ScreenScenario.all + more)
    func screens(_ scene: ScreenScenario) {
        for size in ScreenScenario.sizes.suffix(2) {
            let texts = [Language.english, .german].map { language in
                var session = Session(scene.feed, size) { $0.language = language }
                scene.play(&session)
                return session.text
            }
            german(texts[0], texts[1], scene.name)
        }
    }

    private static let transport: [Failure] = [
        .unreachable(host: "example.org", reason: ""), .timedOut(host: "example.org", milliseconds: 1),
        .tooSlow(host: "example.org", milliseconds: 1), .tooLarge(host: "example.org", limit: 1 << 20),
        .responseRefused(host: "example.org", reason: ""), .invalidURL, .cancelled,
    ]

    private static let media: [Failure] =
        transport + [
            .status(404, host: "example.org"), .notGIF(.html, host: "example.org"), .changed(host: "example.org"),
            .tooLarge(limit: 64 << 20), .tooLargeForCache(limit: 1), .noAddress, .notCached, .notAnimated,
        ]

    private static let sharing: [Failure] = [
        .noDownloadDirectory, .noFreeName("name"), .notWebAddress, .noDisplay(link: "https://example.org"),
        .noProgram(tried: ["xclip"], link: "https://example.org"), .notStarted(program: "xclip", Failure("text")),
        .programFailed(program: "xclip", status: 3),
    ]

    private static let messages: [GalleryMessage] =
        media.map(GalleryMessage.fetchFailed) + sharing.map(GalleryMessage.saveFailed)
        + sharing.map(GalleryMessage.openFailed) + [
            .saved(path: "/home/cat.gif"), .savingForbidden(source: "GIPHY"), .linkCopied, .addressCopied, .opening,
            .opened, .storeFailed(.locked(path: "/home")), .storeFailed(.tooNew(path: "/home")),
            .keyRefused(variable: "KEY"), .saving, .favourite(true), .favourite(false), .dismissed(2), .restored(2),
            .fileCopied(path: "/x"), .pathCopiedInstead(path: "/x", isRemote: true),
            .pathCopiedInstead(path: "/x", isRemote: false), .pathCopiedInstead(path: "/x", isRemote: true, count: 2),
            .severalSaved(2, of: 2), .severalSaved(2, of: 3), .favourite(true, count: 2), .unprintableName, .copyFailed,
            .copiedByTerminal(failed: ["GIF"]), .openerRuns, .nothingToUndo, .noPage, .noURL, .first, .last,
            .unknownKey("x"), .unknownKey(nil), .alreadySaved(path: "/x"), .copiedInstead(isFolder: true),
            .copiedInstead(isFolder: false), .loadingMore, .sharperPictures,
        ]

    private static let failures: [Failure] =
        transport
        + [400, 401, 429, 500].map { Failure.refused(status: $0, message: nil, retryAfterSeconds: 9_000) } + [
            .outage, .noKey(variable: "KEY"), .keyRefused(variable: "KEY", message: nil), .coolingDown(seconds: 60),
            .coolingDown(seconds: 0), .nothingFound, .notOffered, .foreignPage(source: "GIPHY"), .outOfTime,
            .unknownSource(name: "name", known: ["GIPHY"]), .cancelled, .exhausted([]),
            .api(code: "1", message: "text", retryAfterSeconds: 70),
        ]

    @Test("No message or error has an English text")
    func sentences() {
        for message in Self.messages {
            german(Language.english.sentence(message), Language.german.sentence(message), "\(message)")
        }
        for failure in Self.failures {
            german(Language.english.sentence(failure) { $0 }, Language.german.sentence(failure) { $0 }, "\(failure)")
        }
    }
}
