import Catalog
import Foundation
import Gallery
import Library
import Testing

/// An export can be imported again. An import adds entries and never removes any.
@Suite(.timeLimit(.minutes(15))) struct ExchangeTests {
    private let place: Place
    private let now = 1_800_000_000

    init() throws { place = try Place() }

    private func fill(_ library: Library) async throws {
        try await library.setFavourite(gif("a", tags: ["cat"]), true, at: 1_700_000_000)
        try await library.setFavourite(lentGIF("b"), true, at: 1_700_000_001)
        try await library.noteViewed(gif("a", tags: ["cat"]), at: 1_700_000_002)
        try await library.noteViewed(gif("c"), at: 1_700_000_003)
        try await library.noteViewed(gif("c"), at: 1_700_000_004)
        try await library.setDismissed([gif("d")], true, at: 1_700_000_005)
        try await library.keep(page([gif("e")]), of: .search(words: "secret"), isFirst: true, at: 1_700_000_006)
    }

    private func failure(_ library: Library, _ document: String) async -> ImportError? {
        do throws(ImportError) {
            _ = try await library.imported(Array(document.utf8), at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `an export that is imported elsewhere is exported the same`() async throws {
        let library = try place.open()
        try await fill(library)
        let document = try await library.exported()
        #expect(
            !document.contains("secret") && !document.contains("b.gif") && document.contains("https://example.org/b"))
        let other = try Place()
        let copy = try other.open()
        let counts = try await copy.imported(document, at: now)
        #expect(counts == ImportCounts(favourites: 2, history: 2, dismissed: 1))
        #expect(try await copy.exported() == document)
        let titles = try await copy.all(on: .favourites).map(\.reference.title)
        #expect(titles == ["GIF b", "GIF a"])
        #expect(try await copy.imported(document, at: now) == ImportCounts())
        #expect(try await copy.exported() == document)
    }

    @Test func `the document has the shape that is written down`() async throws {
        let library = try place.open()
        try await fill(library)
        let object = try JSONSerialization.jsonObject(with: Data(try await library.exported())) as? [String: Any]
        #expect(object?["version"] as? Int == 1)
        let view = (object?["history"] as? [[String: Any]])?.first
        #expect(view?["viewed"] as? String == "2023-11-14T22:13:24Z" && view?["times"] as? Int == 2)
        let gif = view?["gif"] as? [String: Any]
        #expect(gif?["id"] as? String == "c" && gif?["cachePolicy"] as? String == "persistent")
        #expect(gif?["posted"] as? String == "2024-02-29T00:00:00Z" && gif?["comments"] as? Int == 0)
        let favourite = (object?["favourites"] as? [[String: Any]])?.first
        #expect(favourite?["since"] as? String == "2023-11-14T22:13:21Z")
    }

    @Test func `importing never loses what is here`() async throws {
        let library = try place.open()
        try await library.setFavourite(gif("a", title: "mine"), true, at: 1_000_000_000)
        try await library.setFavourite(gif("x"), true, at: 1_000_000_001)
        for _ in 0..<5 { try await library.noteViewed(gif("c"), at: 1_750_000_000) }
        let elsewhere = try Place()
        let other = try elsewhere.open()
        try await fill(other)
        let counts = try await library.imported(try await other.exported(), at: now)
        #expect(counts == ImportCounts(favourites: 1, history: 1, dismissed: 1))
        let favourites = try await library.all(on: .favourites)
        #expect(favourites.map(\.reference.id) == ["b", "x", "a"])
        #expect(favourites.last?.reference.title == "mine" && favourites.last?.favourite == 1_000_000_000)
        let viewed = try await library.all(on: .history).first
        #expect(viewed?.reference.id == "c" && viewed?.viewed == 1_750_000_000 && viewed?.views == 5)
    }

    private static let good = """
        {"provider": "p", "id": "1", "title": "t", "attribution": "a", "cachePolicy": "persistent", "renditions": []}
        """

    @Test(
        arguments: [
            ("[]", .field("document", "should be an object")),
            ("{}", .field("version", "is missing")),
            (#"{"version": 2, "boxes": []}"#, .unknownVersion(2)),
            (#"{"version": 1, "favorites": []}"#, .field("favorites", "no such field is known")),
            (#"{"version": 1, "favourites": {}}"#, .field("favourites", "should be a list")),
            (#"{"version": 1, "favourites": [7]}"#, .field("favourites[0]", "should be an object")),
            (
                #"{"version": 1, "history": [{"viewed": "yesterday"}]}"#,
                .field("history[0].viewed", "should be a moment such as 2026-11-21T18:32:00Z")
            ),
            (
                #"{"version": 1, "history": [{"viewed": "2024-01-01T00:00:00Z", "times": 0}]}"#,
                .field("history[0].times", "should be a whole number above zero")
            ),
            (
                #"{"version": 1, "history": [{"viewed": "2024-01-01T00:00:00Z", "times": 1e99}]}"#,
                .field("history[0].times", "should be a whole number above zero")
            ),
            (
                #"{"version": 1, "dismissed": [{"since": "2024-01-01T00:00:00Z"}]}"#,
                .field("dismissed[0].gif", "is missing")
            ),
        ] as [(String, ImportError)])
    func `what is not understood is refused with its place`(document: String, expected: ImportError) async throws {
        #expect(await failure(try place.open(), document) == expected)
    }

    @Test(
        arguments: [
            ("\"title\": \"t\"", "\"title\": 7", .field("favourites[1].gif.title", "should be a text")),
            ("\"title\": \"t\"", "\"titel\": \"t\"", .field("favourites[1].gif.titel", "no such field is known")),
            (
                "\"id\": \"1\"", "\"id\": \"\"",
                .field("favourites[1].gif.id", "should be a name: of 1 to 300 characters, none of control or format")
            ),
            (
                "\"id\": \"1\"", "\"id\": \"\\u001b[2J\"",
                .field("favourites[1].gif.id", "should be a name: of 1 to 300 characters, none of control or format")
            ),
            (
                "\"provider\": \"p\"", "\"provider\": \"p\\u202e\"",
                .field(
                    "favourites[1].gif.provider", "should be a name: of 1 to 300 characters, none of control or format")
            ),
            (
                "\"persistent\"", "\"forever\"",
                .field("favourites[1].gif.cachePolicy", "should be one of persistent, sessionOnly, embedded")
            ),
            (
                "[]", "[{\"url\": \"file:///etc/passwd\"}]",
                .field("favourites[1].gif.renditions[0].url", "should be an address of http or https")
            ),
            (
                "[]", "[{\"url\": \"sample:../x\"}]",
                .field("favourites[1].gif.renditions[0].url", "should be an address of http or https")
            ),
            (
                "[]", "[{\"url\": \"http://a/\", \"width\": -1}]",
                .field("favourites[1].gif.renditions[0].width", "should be a whole number above zero")
            ),
            (
                "\"title\"", "\"page\": \"javascript:alert(1)\", \"title\"",
                .field("favourites[1].gif.page", "should be an address of http or https")
            ),
            (
                "\"title\"", "\"posted\": \"2024-02-31T00:00:00Z\", \"title\"",
                .field("favourites[1].gif.posted", "should be a moment such as 2026-11-21T18:32:00Z")
            ),
            ("\"title\"", "\"\\u001b[2J\": 1, \"title\"", .field("favourites[1].gif.?", "no such field is known")),
        ] as [(String, String, ImportError)])
    func `a GIF with one bad field spoils the whole, and nothing is changed`(
        part: String, bad: String, expected: ImportError
    ) async throws {
        let library = try place.open()
        let entry = { (gif: String) in "{\"since\": \"2024-01-01T00:00:00Z\", \"gif\": \(gif)}" }
        let document = { (gif: String) in
            "{\"version\": 1, \"favourites\": [\(entry(Self.good)), \(entry(gif))]}"
        }
        let spoilt = Self.good.replacing(part, with: bad)
        #expect(spoilt != Self.good)
        #expect(await failure(library, document(spoilt)) == expected)
        #expect(try await library.all(on: .favourites).isEmpty)
        #expect(await failure(library, document(Self.good)) == nil)
        #expect(try await library.all(on: .favourites).count == 1)
    }

    @Test func `broken JSON is refused with the line`() async throws {
        let error = await failure(try place.open(), "{\"version\": 1,\n\"favourites\": [\n}")
        #expect(error == .notJSON(reason: "Invalid value", line: 3))
    }

    @Test func `hostile documents end as an error`() async throws {
        let library = try place.open()
        let deep = "{\"version\": 1, \"favourites\": " + String(repeating: "[", count: 100_000)
        for document in ["", "\u{0}", "nul", deep, "{\"version\": 99999999999999999999}"] {
            #expect(await failure(library, document) != nil)
        }
        let zeros = [UInt8](repeating: 0x20, count: Library.importLimit + 1)
        do throws(ImportError) {
            _ = try await library.imported(zeros, at: now)
            Issue.record("taken")
        } catch {
            #expect(error == .tooLarge(bytes: zeros.count, limit: Library.importLimit))
        }
    }

    @Test func `texts of an import are harmless, and moments to come are now`() async throws {
        let library = try place.open()
        let gif = Self.good.replacing("\"t\"", with: "\"\\u001b[31mred\\u202e cat\"")
        let since = "9999-01-01T00:00:00Z"
        let document = "{\"version\": 1, \"favourites\": [{\"since\": \"\(since)\", \"gif\": \(gif)}]}"
        #expect(await failure(library, document) == nil)
        let favourite = try await library.all(on: .favourites).first
        #expect(favourite?.reference.title == "red cat" && favourite?.favourite == now)
    }

    @Test func `a history that would push out what is here is refused as a whole`() async throws {
        let elsewhere = try Place()
        let other = try elsewhere.open()
        for name in ["a", "b", "c"] { try await other.noteViewed(gif(name), at: 1_700_000_000) }
        let document = try await other.exported()
        var options = Library.Options()
        options.bounds.history = 3
        let library = try place.open(options)
        try await library.noteViewed(gif("x"), at: 1_000)
        await #expect(throws: ImportError.historyFull(entries: 4, bound: 3)) {
            try await library.imported(document, at: now)
        }
        #expect(ids(try await library.listing(.history)) == ["x"])
    }
}
