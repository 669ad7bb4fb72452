import Catalog
import Foundation
import Testing

@testable import Library

/// Tests that an export can be imported again, and that an import adds entries and removes none.
@Suite(.timeLimit(.minutes(15))) struct ImportExportTests {
    private let location: TemporaryLibrary
    private let now = 1_800_000_000

    init() throws { location = try TemporaryLibrary() }

    private func fill(_ library: Library) async throws {
        try await library.setFavourite(gif("a", tags: ["cat"]), true, at: 1_700_000_000)
        try await library.setFavourite(sessionOnlyGIF("b"), true, at: 1_700_000_001)
        try await library.markViewed(gif("a", tags: ["cat"]), at: 1_700_000_002)
        try await library.markViewed(gif("c"), at: 1_700_000_003)
        try await library.markViewed(gif("c"), at: 1_700_000_004)
        try await library.setDismissed([gif("d")], true, at: 1_700_000_005)
        try await library.storePage(page([gif("e")]), of: .search(query: "secret"), isFirst: true, at: 1_700_000_006)
    }

    private func failure(_ library: Library, _ document: String) async -> ImportError? {
        do throws(ImportError) {
            _ = try await library.importDocument(Array(document.utf8), at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("If an exported document is imported into an empty library, that library exports the same document")
    func roundTrip() async throws {
        let library = try location.open()
        try await fill(library)
        let document = try await library.exportDocument()
        #expect(
            !document.contains("secret") && !document.contains("b.gif") && document.contains("https://example.org/b"))
        let other = try TemporaryLibrary()
        let copy = try other.open()
        let counts = try await copy.importDocument(document, at: now)
        #expect(counts == ImportCounts(favourites: 2, history: 2, dismissed: 1))
        #expect(try await copy.exportDocument() == document)
        let titles = try await copy.all(in: .favourites).map(\.reference.title)
        #expect(titles == ["GIF b", "GIF a"])
        #expect(try await copy.importDocument(document, at: now) == ImportCounts())
        #expect(try await copy.exportDocument() == document)
    }

    @Test("The exported document has the documented format")
    func documentFormat() async throws {
        let library = try location.open()
        try await fill(library)
        let object = try JSONSerialization.jsonObject(with: Data(try await library.exportDocument())) as? [String: Any]
        #expect(object?["version"] as? Int == 1)
        let view = (object?["history"] as? [[String: Any]])?.first
        #expect(view?["viewed"] as? String == "2023-11-14T22:13:24Z" && view?["times"] as? Int == 2)
        let gif = view?["gif"] as? [String: Any]
        #expect(gif?["id"] as? String == "c" && gif?["cachePolicy"] as? String == "persistent")
        #expect(gif?["posted"] as? String == "2024-02-29T00:00:00Z" && gif?["comments"] as? Int == 0)
        let favourite = (object?["favourites"] as? [[String: Any]])?.first
        #expect(favourite?["since"] as? String == "2023-11-14T22:13:21Z")
    }

    @Test("An import keeps the existing favourites and history")
    func existingEntries() async throws {
        let library = try location.open()
        try await library.setFavourite(gif("a", title: "mine"), true, at: 1_000_000_000)
        try await library.setFavourite(gif("x"), true, at: 1_000_000_001)
        for _ in 0..<5 { try await library.markViewed(gif("c"), at: 1_750_000_000) }
        let elsewhere = try TemporaryLibrary()
        let other = try elsewhere.open()
        try await fill(other)
        let counts = try await library.importDocument(try await other.exportDocument(), at: now)
        #expect(counts == ImportCounts(favourites: 1, history: 1, dismissed: 1))
        let favourites = try await library.all(in: .favourites)
        #expect(favourites.map(\.reference.id) == ["b", "x", "a"])
        #expect(favourites.last?.reference.title == "mine" && favourites.last?.favourite == 1_000_000_000)
        let viewed = try await library.all(in: .history).first
        #expect(viewed?.reference.id == "c" && viewed?.viewed == 1_750_000_000 && viewed?.views == 5)
    }

    private static let good = """
        {"provider": "p", "id": "1", "title": "t", "attribution": "a", "cachePolicy": "persistent", "renditions": []}
        """

    @Test(
        "An invalid document is refused, and the error states what is invalid",
        arguments: [
            ("[]", .field("document", "should be an object")),
            ("{}", .field("version", "is missing")),
            (#"{"version": 2, "boxes": []}"#, .unknownVersion(2)),
            (#"{"version": 1, "favorites": []}"#, .field("favorites", "unknown field")),
            (#"{"version": 1, "favourites": {}}"#, .field("favourites", "should be a list")),
            (#"{"version": 1, "favourites": [7]}"#, .field("favourites[0]", "should be an object")),
            (
                #"{"version": 1, "history": [{"viewed": "yesterday"}]}"#,
                .field("history[0].viewed", "should be a time such as 2026-11-21T18:32:00Z")
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
    func invalidDocument(document: String, expected: ImportError) async throws {
        #expect(await failure(try location.open(), document) == expected)
    }

    @Test(
        "If one field of a GIF is invalid, the whole import fails and changes nothing",
        arguments: [
            ("\"title\": \"t\"", "\"title\": 7", .field("favourites[1].gif.title", "should be a string")),
            ("\"title\": \"t\"", "\"titel\": \"t\"", .field("favourites[1].gif.titel", "unknown field")),
            (
                "\"id\": \"1\"", "\"id\": \"\"",
                .field("favourites[1].gif.id", "should be 1 to 300 characters without control or format characters")
            ),
            (
                "\"id\": \"1\"", "\"id\": \"\\u001b[2J\"",
                .field("favourites[1].gif.id", "should be 1 to 300 characters without control or format characters")
            ),
            (
                "\"provider\": \"p\"", "\"provider\": \"p\\u202e\"",
                .field(
                    "favourites[1].gif.provider", "should be 1 to 300 characters without control or format characters")
            ),
            (
                "\"persistent\"", "\"forever\"",
                .field("favourites[1].gif.cachePolicy", "should be one of persistent, sessionOnly, embedded")
            ),
            (
                "[]", "[{\"url\": \"file:///etc/passwd\"}]",
                .field("favourites[1].gif.renditions[0].url", "should be an http or https URL")
            ),
            (
                "[]", "[{\"url\": \"sample:../x\"}]",
                .field("favourites[1].gif.renditions[0].url", "should be an http or https URL")
            ),
            (
                "[]", "[{\"url\": \"http://a/\", \"width\": -1}]",
                .field("favourites[1].gif.renditions[0].width", "should be a whole number above zero")
            ),
            (
                "\"title\"", "\"page\": \"javascript:alert(1)\", \"title\"",
                .field("favourites[1].gif.page", "should be an http or https URL")
            ),
            (
                "\"title\"", "\"posted\": \"2024-02-31T00:00:00Z\", \"title\"",
                .field("favourites[1].gif.posted", "should be a time such as 2026-11-21T18:32:00Z")
            ),
            ("\"title\"", "\"\\u001b[2J\": 1, \"title\"", .field("favourites[1].gif.?", "unknown field")),
        ] as [(String, String, ImportError)])
    func invalidField(
        part: String, bad: String, expected: ImportError
    ) async throws {
        let library = try location.open()
        let entry = { (gif: String) in "{\"since\": \"2024-01-01T00:00:00Z\", \"gif\": \(gif)}" }
        let document = { (gif: String) in
            "{\"version\": 1, \"favourites\": [\(entry(Self.good)), \(entry(gif))]}"
        }
        let spoilt = Self.good.replacing(part, with: bad)
        #expect(spoilt != Self.good)
        #expect(await failure(library, document(spoilt)) == expected)
        #expect(try await library.all(in: .favourites).isEmpty)
        #expect(await failure(library, document(Self.good)) == nil)
        #expect(try await library.all(in: .favourites).count == 1)
    }

    @Test("Malformed and oversized documents are refused")
    func malformedDocuments() async throws {
        let library = try location.open()
        let start = "{\"version\": 1,\n\"favourites\": ["
        let good = "{\"since\": \"2024-01-01T00:00:00Z\", \"gif\": \(Self.good)}"
        for end in ["", "\n}", good, "\(good)], \"history\": [1 2]}", String(repeating: "[", count: 100_000)] {
            #expect(await failure(library, start + end) == .notJSON)
        }
        for document in ["", "\u{0}", "nul"] { #expect(await failure(library, document) == .notJSON) }
        #expect(await failure(library, "{\"version\": 99999999999999999999}") == .unknownVersion(1e20))
        #expect(try await library.all(in: .favourites).isEmpty)
        let zeros = [UInt8](repeating: 0x20, count: Library.importLimit + 1)
        do throws(ImportError) {
            _ = try await library.importDocument(zeros, at: now)
            Issue.record("taken")
        } catch {
            #expect(error == .tooLarge(bytes: zeros.count, limit: Library.importLimit))
        }
    }

    @Test("Control characters are removed from imported texts, and future dates become the current time")
    func safeTexts() async throws {
        let library = try location.open()
        let gif = Self.good.replacing("\"t\"", with: "\"\\u001b[31mred\\u202e cat\"")
        let since = "9999-01-01T00:00:00Z"
        let document = "{\"version\": 1, \"favourites\": [{\"since\": \"\(since)\", \"gif\": \(gif)}]}"
        #expect(await failure(library, document) == nil)
        let favourite = try await library.all(in: .favourites).first
        #expect(favourite?.reference.title == "red cat" && favourite?.favourite == now)
    }

    @Test("An import that would exceed the history limit is refused and removes nothing")
    func fullHistory() async throws {
        let elsewhere = try TemporaryLibrary()
        let other = try elsewhere.open()
        for name in ["a", "b", "c"] { try await other.markViewed(gif(name), at: 1_700_000_000) }
        let document = try await other.exportDocument()
        var options = Library.Options()
        options.bounds.history = 3
        let library = try location.open(options)
        try await library.markViewed(gif("x"), at: 1_000)
        await #expect(throws: ImportError.historyFull(entries: 4, bound: 3)) {
            try await library.importDocument(document, at: now)
        }
        #expect(ids(try await library.listing(.history)) == ["x"])
    }
}
