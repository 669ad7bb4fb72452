import Base
import Catalog
import Foundation
import TestServer
import Testing

@testable import Library

/// Tests that a library of a version before 1.0, which recorded its migrations in a table, opens without loss.
///
/// Such a version wrote `before-1.0.sqlite`, and `before-1.0.json` is what it stored there: the times in ISO 8601.
@Suite(.timeLimit(.minutes(15))) struct FormerVersionTests {
    private let location: TemporaryLibrary

    init() throws {
        location = try TemporaryLibrary()
        mkdir(location.directory.path + "/gifplay", 0o700)
        let bytes = contents(schemaFile("before-1.0.sqlite"))
        try #require(!bytes.isEmpty)
        try location.directory.write(bytes, to: "gifplay/library.sqlite")
    }

    /// Returns every row of every table, as text that distinguishes the types of the values.
    private func rows() throws -> [String] {
        let db = try Connection(path: location.path)
        var all: [String] = []
        for table in ["work", "mark", "listing", "entry", "grdb_migrations"] {
            let columns: String? = try db.value(
                "SELECT group_concat('quote(' || name || ')', ' || '','' || ') FROM pragma_table_info(?)", [table])
            all += try db.rows("SELECT \(try #require(columns)) AS row FROM \(table) ORDER BY row") { row in
                (row[0] as String?).map { "\(table): \($0)" }
            }
        }
        return all
    }

    @Test("No row of the file changes, and its version is stored in the header")
    func rowsStay() async throws {
        let before = try rows()
        #expect(before.count == 44, "17 works, 17 marks, 2 listings, 6 entries, 2 migrations")
        #expect(try location.value("PRAGMA user_version") == "0")
        for _ in 0..<2 { _ = try await location.open().all(in: nil) }
        #expect(try rows() == before)
        #expect(try location.value("PRAGMA user_version") == "2")
        #expect(try location.damages() == [])
    }

    /// The GIF in the form of `before-1.0.json`, without the fields that are nil or empty.
    private func fields(_ gif: GIFReference) -> [String: Any] {
        let renditions = gif.renditions.map { file -> [String: Any] in
            var fields: [String: Any?] = [
                "url": file.url, "width": file.width, "height": file.height, "bytes": file.bytes, "frames": file.frames,
            ]
            if !file.alternatives.isEmpty { fields["alternatives"] = file.alternatives }
            if file.mayBeStill { fields["mayBeStill"] = true }
            return fields.compactMapValues(\.self)
        }
        let fields: [String: Any?] = [
            "provider": gif.provider, "id": gif.id, "title": gif.title, "page": gif.pageURL, "author": gif.author,
            "licence": gif.licence, "licencePage": gif.licenceURL, "attribution": gif.attribution,
            "cachePolicy": gif.cachePolicy.rawValue, "rating": gif.rating, "tags": gif.tags.isEmpty ? nil : gif.tags,
            "posted": gif.posted.map(Timestamp.text), "comments": gif.comments, "community": gif.community,
            "renditions": renditions,
        ]
        return fields.compactMapValues(\.self)
    }

    @Test("Each list has the same GIFs in the same order as in the former version", arguments: MarkedList.allCases)
    func lists(list: MarkedList) async throws {
        let library = try location.open(.init(variant: "g en"))
        let read = try await library.all(in: list).map { marked -> [String: Any] in
            let gif = fields(marked.reference)
            let time = Timestamp.text(marked.time(in: list))
            return list == .history
                ? ["viewed": time, "times": max(1, marked.views), "gif": gif] : ["since": time, "gif": gif]
        }
        let document = Data(contents(schemaFile("before-1.0.json")))
        let stored = try JSONSerialization.jsonObject(with: document) as? [String: Any]
        let expected = try #require(stored?[list.rawValue] as? [Any])
        #expect(expected.count > 3 && NSArray(array: read) == NSArray(array: expected))
        #expect(ids(try await library.listing(.search(query: "Dancing Cat"))) == ["whole", "lent"])
    }

    @Test("The check of the file reports its schema and does not change the file")
    func health() throws {
        let before = contents(location.path)
        let health = try #require(try LibraryHealth(path: location.path))
        #expect(health.schema == 2 && health.newestSchema == 2 && health.problems == [])
        #expect(health.favourites == 9 && health.viewed == 8 && health.dismissed == 4)
        #expect(contents(location.path) == before)
    }

    @Test("A file of a former version that died before its first migration becomes a library")
    func diedEarly() async throws {
        try location.directory.write([], to: "gifplay/library.sqlite")
        let table = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
        try Connection(path: location.path).execute(table)
        try await location.open().setFavourite(gif("a"), true, at: 1_000)
        #expect(ids(try await location.open().listing(.favourites)) == ["a"])
    }

    @Test("A database of another program that uses the same table of migrations is refused and does not change")
    func otherProgram() async throws {
        try Connection(path: location.path).execute("PRAGMA application_id = 7")
        let before = contents(location.path)
        let error = await storeError { () async throws(Failure) in _ = try location.open() }
        #expect(error == .damaged(path: location.path, reason: "it is the database of another program"))
        #expect(contents(location.path) == before)
    }
}
