import Catalog
import Testing

@testable import Gallery

@Suite("Texts of the gallery")
struct GalleryStringsTests {
    /// Returns the texts of every entry, keyed by the name of the entry. Entries that are functions are called with
    /// sample arguments: 1, 2 or a text.
    private func entries(_ strings: GalleryStrings) -> [String: [String]] {
        var result = functions(strings)
        for child in Mirror(reflecting: strings).children {
            let name = child.label ?? ""
            switch child.value {
            case let text as String: result[name] = [text]
            case let texts as [String]: result[name] = texts
            case let help as [GalleryStrings.HelpEntry]: result[name] = help.map { $0.meaning }
            // If the entry is a function, `functions` provides its texts, because `Mirror` cannot call functions.
            default: #expect(result[name] != nil, "\(name) is not tested")
            }
        }
        return result
    }

    private func functions(_ strings: GalleryStrings) -> [String: [String]] {
        let texts: [String: GalleryStrings.OfText] = [
            "quoted": strings.quoted, "searching": strings.searching, "nothingFound": strings.nothingFound,
            "asOf": strings.asOf, "failedTile": strings.failedTile, "by": strings.by, "saved": strings.saved,
            "saveFailed": strings.saveFailed, "savingForbidden": strings.savingForbidden,
            "openFailed": strings.openFailed, "storeFailed": strings.storeFailed, "unreachable": strings.unreachable,
            "timedOut": strings.timedOut, "redirectRefused": strings.redirectRefused,
            "samplesInstead": strings.samplesInstead,
            "retryTime": strings.retryTime, "serviceSays": strings.serviceSays, "keyRequired": strings.keyRequired,
            "keyRefused": strings.keyRefused, "foreignPage": strings.foreignPage, "retry": strings.retry,
            "fileNameTaken": strings.fileNameTaken, "notInstalled": strings.notInstalled,
            "linkToOpen": strings.linkToOpen, "storeTooNew": strings.storeTooNew, "notGIF": strings.notGIF,
            "incompleteFile": strings.incompleteFile,
        ]
        let counts: [String: GalleryStrings.OfCount] = [
            "comments": strings.comments, "minutesAgo": strings.minutesAgo, "hoursAgo": strings.hoursAgo,
            "daysAgo": strings.daysAgo, "weeksAgo": strings.weeksAgo, "monthsAgo": strings.monthsAgo,
            "yearsAgo": strings.yearsAgo, "inSeconds": strings.inSeconds, "inMinutes": strings.inMinutes,
            "inHours": strings.inHours, "dismissed": strings.dismissed, "restored": strings.restored,
            "refused": strings.refused, "outOfOrder": strings.outOfOrder, "forbidden": strings.forbidden,
            "listed": strings.listed,
        ]
        return texts.mapValues { [$0("X")] }
            .merging(counts.mapValues { [$0(1), $0(2)] }) { one, _ in one }
            .merging([
                "position": [strings.position(1, 2, true), strings.position(1, 2, false)],
                "tooLarge": [strings.tooLarge("X", 4)], "notStarted": [strings.notStarted("X", "Y")],
                "programFailed": [strings.programFailed("X", 3)],
                "unknownSource": [strings.unknownSource("X", "Y")], "listedOf": [strings.listedOf(1, 2)],
            ]) { one, _ in one }
    }

    @Test("Every text exists in both languages")
    func complete() {
        for language in Language.allCases {
            for (name, texts) in entries(GalleryStrings.of(language)) {
                #expect(!texts.isEmpty && texts.allSatisfy { !$0.isEmpty }, "\(language).\(name)")
            }
        }
        #expect(GalleryStrings.english.help.count == GalleryStrings.german.help.count)
    }

    @Test("Every German text differs from the English one")
    func different() {
        let english = entries(.english)
        // "5 GIFs" is the same in both languages.
        for (name, texts) in entries(.german) where name != "listed" {
            #expect(Set(texts).isDisjoint(with: english[name] ?? []), "\(name)")
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
            #expect(GalleryStrings.english.age(seconds) == english)
            #expect(GalleryStrings.german.age(seconds) == german)
        }
    }

    @Test("The age is in days if only the date is known, and in hours if the time is known")
    func days() {
        let now = 1_763_740_800  // 2025-11-21 16:00 UTC
        let day = 1_763_683_200
        func say(_ posted: Int) -> String { GalleryStrings.english.age(of: PublicationDate(posted), at: now) }
        #expect(say(day) == "today" && say(day - 86_400) == "yesterday" && say(day - 3 * 86_400) == "3 days ago")
        #expect(say(now - 3 * 3600) == "3 hours ago" && say(now + 86_400 * 400) == "just now")
        #expect(GalleryStrings.english.age(of: .second(.min), at: .max).hasSuffix("years ago"))
    }

    @Test("Sizes use the decimal mark of the language")
    func sizes() {
        #expect(GalleryStrings.english.bytes(1_234_567) == "1.2 MB")
        #expect(GalleryStrings.german.bytes(1_234_567) == "1,2 MB")
    }

    @Test("Errors are short and name the source that failed")
    func errors() {
        let title = { (name: String) in name.uppercased() }
        func say(_ error: CatalogError) -> String { GalleryStrings.english.sentence(error, title: title) }
        #expect(say(.noKey(variable: "GIPHY_API_KEY")) == "needs a key: GIPHY_API_KEY")
        #expect(say(.refused(status: 429, message: nil, retryAfterSeconds: 300)) == "too many requests; retry in 5 min")
        #expect(say(.refused(status: 503, message: nil, retryAfterSeconds: nil)) == "server error (503)")
        #expect(say(.coolingDown(seconds: 40)) == "paused after an error; retry in 40 s")
        #expect(say(.coolingDown(seconds: 0)) == "ready to retry")
        let failures = [
            SourceFailure(source: "giphy", reason: .noKey(variable: "K")),
            SourceFailure(source: "commons", reason: .nothingFound), SourceFailure(source: "klipy", reason: .outage),
        ]
        #expect(say(.exhausted(failures)) == "KLIPY: unavailable")
        #expect(say(.exhausted(Array(failures.prefix(2)))) == "GIPHY: needs a key: K")
    }

    @Test("The reasons for failed actions are given in the language of the gallery")
    func reasons() {
        let texts: [(StatusMessage, String)] = [
            (.reported(.fetchFailed(.notAnimated)), "nicht gespeichert: nicht animiert"),
            (
                .reported(.openFailed(.notInstalled(["xdg-open"], link: "https://example.org/"))),
                "nicht geöffnet: xdg-open: nicht installiert; der Link ist https://example.org/"
            ),
            (
                .reported(.saveFailed(.noDownloadDirectory)),
                "nicht gespeichert: weder HOME noch XDG_DOWNLOAD_DIR ist gesetzt"
            ),
            (.reported(.storeFailed(.tooNew(path: "/l"))), "Bibliotheksfehler: /l stammt von einer neueren Version"),
        ]
        for (message, text) in texts { #expect(GalleryStrings.german.sentence(message) == text) }
        let error = MediaError.status(404, host: "example.org")
        #expect(GalleryStrings.german.sentence(error) == "example.org: HTTP-Status 404")
        #expect(GalleryStrings.english.sentence(error) == "example.org: HTTP 404")
    }
}
