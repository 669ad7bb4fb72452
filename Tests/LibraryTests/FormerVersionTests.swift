import Catalog
import Glibc
import SQLite
import TestServer
import Testing

@testable import Library

/// Tests that a library of a version before 1.0, which recorded its migrations in a table, opens without loss.
///
/// Such a version wrote `before-1.0.sqlite`, and `before-1.0.json` is its export of that file.
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

    @Test("The export has the same bytes as the export of the former version")
    func export() async throws {
        let library = try location.open(.init(variant: "g en"))
        #expect(try await library.exportDocument() == contents(schemaFile("before-1.0.json")))
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
        let error = await storeError { () async throws(StoreError) in _ = try location.open() }
        #expect(error == .damaged(path: location.path, reason: "it is the database of another program"))
        #expect(contents(location.path) == before)
    }
}
