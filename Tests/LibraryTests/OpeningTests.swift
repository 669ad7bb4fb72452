import Base
import Catalog
import Glibc
import TestServer
import Testing

@testable import Library

/// The library either opens the file at its path, or throws an error and leaves the file unchanged.
@Suite(.timeLimit(.minutes(15))) struct OpeningTests {
    private let location: TemporaryLibrary

    init() throws { location = try TemporaryLibrary() }

    @Test("A setting can be read at the next start without opening the library, and survives clearing")
    func settings() async throws {
        #expect(Library.setting("side", path: location.path) == nil)
        let library = try location.open()
        #expect(Library.setting("side", path: location.path) == nil)
        for value in [1, 0, 7] {
            try await library.set("side", to: value)
            #expect(Library.setting("side", path: location.path) == value)
            #expect(Library.setting("other", path: location.path) == nil)
        }
        _ = try await library.clear(all: true)
        #expect(Library.setting("side", path: location.path) == 7)
        // A version without settings reads the same schema.
        #expect(try location.value("PRAGMA user_version") == "2")
    }

    @Test(
        "The library is below XDG_DATA_HOME if this is an absolute path, and otherwise below HOME",
        arguments: [
            (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], "/data/gifplay/library.sqlite"),
            (["XDG_DATA_HOME": "data", "HOME": "/home/a"], "/home/a/.local/share/gifplay/library.sqlite"),
            (["XDG_DATA_HOME": "", "HOME": "/home/a"], "/home/a/.local/share/gifplay/library.sqlite"),
            (["XDG_DATA_HOME": "data", "HOME": "here"], nil), ([:], nil),
        ])
    func libraryPath(environment: [String: String], path: String?) {
        #expect(Library.path(environment: environment) == path)
    }

    @Test("Only the user can read the library, and missing directories are created")
    func permissions() throws {
        let path = location.directory.path + "/a/b/gifplay/library.sqlite"
        // Use a child process. In this process, the umask would apply to files that other tests create concurrently.
        let helper = ChildProcess.product("library-helper")
        let child = try ChildProcess(
            "sh", ["-c", "umask 0; exec \"$0\" add-favourites \"$1\" a 1000000", helper, path])
        #expect(child.readLine() == "open" && child.readLine() == "a-0")
        for (name, mode) in [("", 0o700), ("/library.sqlite", 0o600), ("/library.sqlite-wal", 0o600)] {
            var status = stat()
            #expect(stat(location.directory.path + "/a/b/gifplay" + name, &status) == 0)
            #expect(Int(status.st_mode & 0o777) == mode, "\(name)")
        }
    }

    @Test("A folder that the user has made read-only stays so, and loses only the rights of others")
    func readOnlyFolder() throws {
        let folder = location.directory.path + "/gifplay"
        _ = try Library(path: location.path)
        #expect(chmod(folder, 0o555) == 0)
        defer { chmod(folder, 0o700) }
        _ = try? Library(path: location.path)
        var status = stat()
        #expect(stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o500)
    }

    @Test("A library that is not a regular file is an error that names its kind", arguments: ["folder", "FIFO"])
    func irregular(kind: String) throws {
        try #require(mkdir(location.directory.path + "/gifplay", 0o700) == 0)
        #expect(kind == "folder" || mkfifo(location.path, 0o600) == 0)
        #expect(kind == "FIFO" || mkdir(location.path, 0o700) == 0)
        let error = Failure.cannotOpen(path: location.path, reason: "it is a \(kind), not a regular file")
        #expect(throws: error) { try LibraryHealth(path: location.path) }
        if kind == "FIFO" { #expect(throws: error) { try location.open() } }
    }

    @Test("While another process holds the lock of the directory, opening ends with an error after the timeout")
    func lockedDirectory() throws {
        _ = try location.open()
        let directory = open(location.directory.path + "/gifplay", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        #expect(flock(directory, LOCK_EX) == 0)
        #expect(throws: Failure.locked(path: location.path)) { try location.open(.init(lockSeconds: 0.1)) }
        #expect(flock(directory, LOCK_UN) == 0)
        _ = try location.open(.init(lockSeconds: 0.1))
    }

    @Test("The database enables write-ahead logging, full synchronisation, foreign keys and secure deletion")
    func databaseSettings() async throws {
        let library = try location.open()
        let values = try await library.writer.perform { db in
            try ["synchronous", "foreign_keys", "secure_delete", "temp_store", "trusted_schema"].map { name in
                try db.value("PRAGMA \(name)") as Int?
            }
        }
        #expect(values == [2, 1, 1, 2, 0])
        #expect(try location.value("PRAGMA journal_mode") == "wal")
        try await library.setFavourite(gif("a"), true, at: 1_000)
        await #expect(throws: Failure.self) {
            try await library.writer.perform { db in try db.execute("DELETE FROM work") }
        }
    }

    @Test("A database of any schema version opens with all of its content", arguments: ["v1", "v2"])
    func schemaVersions(version: String) async throws {
        try load(version)
        let library = try location.open(.init(variant: "g en"))
        let listing = try #require(try await library.listing(.search(query: "dancing CAT")))
        #expect(ids(listing) == ["whole", "lent"] && listing.total == 40 && listing.seconds == 1_700_000_000)
        #expect(listing.next == PageToken(source: "tests", parameters: ["offset": "3"]))
        let whole = GIFReference(
            provider: "tests", id: "whole", title: "GIF whole", pageURL: "https://example.org/whole", author: "Ann",
            licence: "CC BY 4.0", licenceURL: "https://creativecommons.org/licenses/by/4.0/", attribution: "tests",
            renditions: [Rendition(url: "https://example.org/whole.gif", width: 320, height: 240)],
            cachePolicy: .persistent, rating: "g", tags: ["cat", "Tänzer"], posted: 1_709_164_800)
        #expect(listing.items.first == whole)
        #expect(ids(try await library.listing(.trending(source: nil))) == ["whole", "lent"])
        #expect(ids(try await library.listing(.favourites)) == ["lent", "whole"])
        let history = try await library.all(in: .history)
        #expect(history.map(\.reference.id) == ["viewed", "whole"] && history.map(\.views) == [1, 2])
        #expect(history.last?.favourite == 1_700_000_002 && history.last?.viewed == 1_700_000_005)
        #expect(try await library.all(in: .dismissed).map(\.reference.id) == ["third"])
        #expect(try location.damages() == [])
        // The library accepts new entries and can be opened again.
        try await library.setFavourite(gif("new"), true, at: 1_800_000_000)
        #expect(ids(try await location.open().listing(.favourites)) == ["new", "lent", "whole"])
    }

    @Test("The schema in a stored dump equals the schema that the migrations create", arguments: ["v1", "v2"])
    func migrations(version: String) async throws {
        try load(version)
        let shape = """
            SELECT group_concat(sql, ';') FROM
                (SELECT sql FROM sqlite_schema WHERE name NOT LIKE '%grdb_%' ORDER BY name)
            """
        let fresh = try Connection(path: ":memory:")
        let count = try #require(Int(version.dropFirst()))
        try fresh.migrate(Array(Schema.migrations.prefix(count))) { 0 }
        #expect(try fresh.value(shape) == (try location.value(shape)))
        #expect(Schema.migrations.count == 2, "a new schema needs a file in Schemas/")
    }

    @Test(
        "A database with a newer schema is refused, and the file does not change",
        arguments: ["INSERT INTO grdb_migrations VALUES ('v99 of the future')", "PRAGMA user_version = 3"])
    func newerSchema(change: String) async throws {
        try load("v2")
        _ = try location.open()
        try Connection(path: location.path).execute(change)
        let before = contents(location.path)
        #expect(
            await storeError { () async throws(Failure) in _ = try location.open() } == .tooNew(path: location.path))
        #expect(contents(location.path) == before)
    }

    @Test(
        "A damaged file is reported with its path and does not change",
        arguments: ["this is no database, but long enough to be taken for one\n", "SQLite format 3\u{0}broken"])
    func damagedFile(text: String) async throws {
        let bytes = (0..<200).flatMap { _ in Array(text.utf8) }
        mkdir(location.directory.path + "/gifplay", 0o700)
        try location.directory.write(bytes, to: "gifplay/library.sqlite")
        let error = await storeError { () async throws(Failure) in _ = try location.open() }
        #expect(error?.message.hasPrefix("\(location.path) is damaged: ") == true)
        #expect(contents(location.path) == bytes)
    }

    @Test("Damage inside the file is reported when the damaged part is read")
    func damagedContent() async throws {
        do {
            let library = try location.open()
            for number in 0..<300 {
                try await library.setFavourite(gif("\(number)", tags: ["some", "words"]), true, at: number)
            }
        }
        var bytes = contents(location.path)
        // Overwrite two of every three bytes after the first 64 KiB, which contain the schema.
        for index in (16 << 12)..<bytes.count where index % 3 != 0 { bytes[index] = UInt8(index & 0xFF) }
        try location.directory.write(bytes, to: "gifplay/library.sqlite")
        let library = try location.open()
        let error = await storeError { () async throws(Failure) in _ = try await library.listing(.favourites) }
        #expect(error?.message.hasPrefix("\(location.path) is damaged: ") == true)
        #expect(contents(location.path).count == bytes.count)
    }

    @Test("The database of another program is refused and does not change")
    func foreignDatabase() async throws {
        mkdir(location.directory.path + "/gifplay", 0o700)
        try Connection(path: location.path).execute("CREATE TABLE recipe (name TEXT)")
        let before = contents(location.path)
        let error = await storeError { () async throws(Failure) in _ = try location.open() }
        #expect(error == .damaged(path: location.path, reason: "it is the database of another program"))
        #expect(contents(location.path) == before)
    }

    @Test("An empty file becomes a library")
    func emptyFile() async throws {
        mkdir(location.directory.path + "/gifplay", 0o700)
        try location.directory.write([], to: "gifplay/library.sqlite")
        try await location.open().setFavourite(gif("a"), true, at: 1_000)
        #expect(ids(try await location.open().listing(.favourites)) == ["a"])
    }

    @Test("If a parent of the library's path is a file, the error contains the path")
    func invalidPath() async throws {
        try location.directory.write([], to: "gifplay")
        let error = await storeError { () async throws(Failure) in _ = try location.open() }
        #expect(error == .cannotOpen(path: location.path, reason: "Not a directory"))
    }

    @Test(
        "If the directory is read-only, the error contains the path",
        .enabled(if: SmallDisk.isPossible, "no file system may be mounted here"))
    func readOnlyDirectory() async throws {
        let disk = try SmallDisk(location.directory.path + "/gifplay", bytes: 4 << 20)
        try disk.forbidWriting()
        let error = await storeError { () async throws(Failure) in _ = try location.open() }
        #expect(error == .cannotOpen(path: location.path, reason: "Read-only file system"))
        withExtendedLifetime(disk) {}
    }

    @Test(
        "A write to a full disk fails and does not change the stored favourites",
        .enabled(if: SmallDisk.isPossible, "no file system may be mounted here"))
    func fullDisk() async throws {
        let disk = try SmallDisk(location.directory.path + "/gifplay", bytes: 512 << 10)
        let library = try location.open()
        var stored = 0
        var failure: Failure?
        while failure == nil, stored < 5_000 {
            let (number, long) = (stored, String(repeating: "word ", count: 50))
            failure = await storeError { () async throws(Failure) in
                try await library.setFavourite(gif("\(number)", title: long), true, at: number)
            }
            if failure == nil { stored += 1 }
        }
        let message = try #require(failure?.message)
        #expect(message.hasPrefix("the library failed: ") && (message.contains("full") || message.contains("I/O")))
        #expect(stored > 10)
        #expect(try await library.all(in: .favourites).count == stored)
        try disk.grow(toBytes: 8 << 20)
        try await library.setFavourite(gif("after"), true, at: 9_999)
        #expect(try await library.all(in: .favourites).count == stored + 1)
        #expect(try location.damages() == [])
        withExtendedLifetime(disk) {}
    }

    /// Creates the database at the library's path from the stored dump of a schema version.
    private func load(_ version: String) throws {
        mkdir(location.directory.path + "/gifplay", 0o700)
        let sql = String(decoding: contents(schemaFile("\(version).sql")), as: UTF8.self)
        try Connection(path: location.path).execute(sql)
    }
}
