import Base
import Catalog
import Glibc
import Library
import TestServer
import Testing

/// Tests the check of a library file. The check does not change the file.
@Suite(.timeLimit(.minutes(15))) struct HealthTests {
    private let location: TemporaryLibrary

    init() throws { location = try TemporaryLibrary() }

    @Test("The check of a missing file does not create the file")
    func missing() throws {
        #expect(try LibraryHealth(path: location.path) == nil)
        #expect(location.directory.names(in: "").isEmpty)
    }

    @Test("The check of an intact library reports its schema, its counts and no problem, even if the library is open")
    func intact() async throws {
        let library = try location.open()
        try await library.setFavourite(gif("a"), true, at: 1_000)
        try await library.setDismissed([gif("b"), gif("c")], true, at: 1_000)
        let health = try #require(try LibraryHealth(path: location.path))
        #expect(health.favourites == 1 && health.viewed == 0 && health.dismissed == 2)
        #expect(health.schema == 2 && health.newestSchema == 2 && health.problems.isEmpty && health.bytes > 0)
    }

    @Test("A row that refers to a missing row is reported as a problem")
    func brokenReference() async throws {
        let library = try location.open()
        try await library.setFavourite(gif("a"), true, at: 1_000)
        // Without the pragma foreign_keys, SQLite does not enforce references.
        try Connection(path: location.path).execute("DELETE FROM work")
        #expect(try LibraryHealth(path: location.path)?.problems == ["1 references to missing rows"])
    }

    @Test("A file that is not a database is reported as damaged")
    func notDatabase() throws {
        mkdir(location.directory.path + "/gifplay", 0o700)
        try location.directory.write(Array("rubbish\n".utf8), to: "gifplay/library.sqlite")
        #expect(throws: Failure.damaged(path: location.path, reason: "file is not a database")) {
            try LibraryHealth(path: location.path)
        }
    }
}
