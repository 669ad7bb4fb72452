import Catalog
import Testing

@testable import Gallery

@Suite("Words")
struct WordsTests {
    /// The texts of every entry, by the entry's name. Functions are called with sample arguments: 1, 2 or a text.
    private func entries(_ words: Words) -> [String: [String]] {
        var result = functions(words)
        for child in Mirror(reflecting: words).children {
            let name = child.label ?? ""
            switch child.value {
            case let text as String: result[name] = [text]
            case let texts as [String]: result[name] = texts
            case let help as [Words.HelpEntry]: result[name] = help.map { $0.meaning }
            // Functions cannot be called through a mirror. They are listed in `functions`.
            default: #expect(result[name] != nil, "\(name) is not tried")
            }
        }
        return result
    }

    private func functions(_ words: Words) -> [String: [String]] {
        let texts: [String: Words.OfText] = [
            "quoted": words.quoted, "searching": words.searching, "nothingFound": words.nothingFound,
            "asOf": words.asOf, "failedTile": words.failedTile, "by": words.by, "saved": words.saved,
            "saveFailed": words.saveFailed, "keepingForbidden": words.keepingForbidden,
            "openFailed": words.openFailed, "storeFailed": words.storeFailed, "unreachable": words.unreachable,
            "timedOut": words.timedOut, "redirectRefused": words.redirectRefused,
            "samplesInstead": words.samplesInstead,
            "again": words.again, "serviceSays": words.serviceSays, "keyWanted": words.keyWanted,
            "keyRefused": words.keyRefused, "foreignPage": words.foreignPage, "retry": words.retry,
        ]
        let counts: [String: Words.OfCount] = [
            "comments": words.comments, "minutesAgo": words.minutesAgo, "hoursAgo": words.hoursAgo,
            "daysAgo": words.daysAgo, "weeksAgo": words.weeksAgo, "monthsAgo": words.monthsAgo,
            "yearsAgo": words.yearsAgo, "inSeconds": words.inSeconds, "inMinutes": words.inMinutes,
            "inHours": words.inHours, "dismissed": words.dismissed, "restored": words.restored,
            "refused": words.refused, "outOfOrder": words.outOfOrder, "forbidden": words.forbidden,
            "listed": words.listed,
        ]
        return texts.mapValues { [$0("X")] }
            .merging(counts.mapValues { [$0(1), $0(2)] }) { one, _ in one }
            .merging([
                "position": [words.position(1, 2, true), words.position(1, 2, false)],
                "tooLarge": [words.tooLarge("X", 4)],
                "unknownSource": [words.unknownSource("X", "Y")], "listedOf": [words.listedOf(1, 2)],
            ]) { one, _ in one }
    }

    @Test("no entry of either language is missing")
    func complete() {
        for language in Language.allCases {
            for (name, texts) in entries(Words.of(language)) {
                #expect(!texts.isEmpty && texts.allSatisfy { !$0.isEmpty }, "\(language).\(name)")
            }
        }
        #expect(Words.english.help.count == Words.german.help.count)
    }

    @Test("German says everything in its own words")
    func different() {
        let english = entries(.english)
        for (name, texts) in entries(.german) {
            #expect(Set(texts).isDisjoint(with: english[name] ?? []), "\(name)")
        }
    }

    @Test("the language is that of the first variable that says anything")
    func language() {
        #expect(Language(environment: [:]) == .english)
        #expect(Language(environment: ["LANG": "de_DE.UTF-8"]) == .german)
        #expect(Language(environment: ["LANG": "de_DE.UTF-8", "LC_MESSAGES": "C"]) == .english)
        #expect(Language(environment: ["LANG": "C", "LC_MESSAGES": "de"]) == .german)
        #expect(Language(environment: ["LANG": "en_GB", "LC_ALL": "de_AT@euro"]) == .german)
        #expect(Language(environment: ["LANG": "de_DE", "LC_ALL": ""]) == .german)
        #expect(Language(environment: ["LANG": "fr_FR.UTF-8"]) == .english)
    }

    @Test("ages are told in words, with the plural of the language")
    func ages() {
        let told: [(Int, String, String)] = [
            (-5, "just now", "gerade eben"), (59, "just now", "gerade eben"), (60, "1 minute ago", "vor 1 Minute"),
            (119, "1 minute ago", "vor 1 Minute"), (10_800, "3 hours ago", "vor 3 Stunden"),
            (86_400, "1 day ago", "vor 1 Tag"), (13 * 86_400, "13 days ago", "vor 13 Tagen"),
            (14 * 86_400, "2 weeks ago", "vor 2 Wochen"), (61 * 86_400, "2 months ago", "vor 2 Monaten"),
            (365 * 86_400, "1 year ago", "vor 1 Jahr"), (4000 * 86_400, "10 years ago", "vor 10 Jahren"),
        ]
        for (seconds, english, german) in told {
            #expect(Words.english.age(seconds) == english)
            #expect(Words.german.age(seconds) == german)
        }
    }

    @Test("a day is told as a day, a moment as a moment")
    func days() {
        let now = 1_763_740_800  // 2025-11-21 16:00 UTC
        let day = 1_763_683_200
        func say(_ posted: Int) -> String { Words.english.age(of: Posting(posted), at: now) }
        #expect(say(day) == "today" && say(day - 86_400) == "yesterday" && say(day - 3 * 86_400) == "3 days ago")
        #expect(say(now - 3 * 3600) == "3 hours ago" && say(now + 86_400 * 400) == "just now")
        #expect(Words.english.age(of: .second(.min), at: .max).hasSuffix("years ago"))
    }

    @Test("sizes have the decimal mark of the language")
    func sizes() {
        #expect(Words.english.bytes(1_234_567) == "1.2 MB")
        #expect(Words.german.bytes(1_234_567) == "1,2 MB")
    }

    @Test("errors fit a status line and name the source that broke")
    func errors() {
        let title = { (name: String) in name.uppercased() }
        func say(_ error: CatalogError) -> String { Words.english.sentence(error, title: title) }
        #expect(say(.noKey(variable: "GIPHY_API_KEY")) == "wants a key: GIPHY_API_KEY")
        #expect(say(.refused(status: 429, message: nil, retryAfterSeconds: 300)) == "asked too often; again in 5 min")
        #expect(say(.refused(status: 503, message: nil, retryAfterSeconds: nil)) == "out of order (503)")
        #expect(say(.coolingDown(seconds: 40)) == "rests after a failure; again in 40 s")
        #expect(say(.coolingDown(seconds: 0)) == "can be queried again")
        let failures = [
            SourceFailure(source: "giphy", reason: .noKey(variable: "K")),
            SourceFailure(source: "commons", reason: .nothingFound), SourceFailure(source: "klipy", reason: .outage),
        ]
        #expect(say(.exhausted(failures)) == "KLIPY: out of order")
        #expect(say(.exhausted(Array(failures.prefix(2)))) == "GIPHY: wants a key: K")
    }
}
