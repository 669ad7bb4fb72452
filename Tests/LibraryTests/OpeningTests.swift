import Catalog
import GRDB
import Gallery
import Glibc
import TestServer
import Testing

@testable import Library

/// The library either opens the file at its path, or throws an error and leaves the file unchanged.
@Suite(.timeLimit(.minutes(15))) struct OpeningTests {
    private let place: Place

    init() throws { place = try Place() }

    @Test(arguments: [
        (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], "/data/gifplay/library.sqlite"),
        (["XDG_DATA_HOME": "data", "HOME": "/home/a"], "/home/a/.local/share/gifplay/library.sqlite"),
        (["XDG_DATA_HOME": "", "HOME": "/home/a"], "/home/a/.local/share/gifplay/library.sqlite"),
        (["XDG_DATA_HOME": "data", "HOME": "here"], nil), ([:], nil),
    ])
    func `it lies where the environment says`(environment: [String: String], path: String?) {
        #expect(Library.path(environment: environment) == path)
    }

    @Test func `nobody else can read it, and what is missing of the way is made`() throws {
        let path = place.directory.path + "/a/b/gifplay/library.sqlite"
        // Use a child process: a umask applies to all threads, and other tests create files at the same time.
        let helper = Child.product("library-helper")
        let child = try Child("sh", ["-c", "umask 0; exec \"$0\" favour \"$1\" a 1000000", helper, path])
        #expect(child.readLine() == "open" && child.readLine() == "a-0")
        for (name, mode) in [("", 0o700), ("/library.sqlite", 0o600), ("/library.sqlite-wal", 0o600)] {
            var status = stat()
            #expect(stat(place.directory.path + "/a/b/gifplay" + name, &status) == 0)
            #expect(Int(status.st_mode & 0o777) == mode, "\(name)")
        }
    }

    @Test func `it promises what it says: a synchronized log, and keys that hold`() async throws {
        let library = try place.open()
        let values = try await library.pool.writeWithoutTransaction { db in
            try ["journal_mode", "synchronous", "foreign_keys", "secure_delete"].map { name in
                try String.fetchOne(db, sql: "PRAGMA \(name)")
            }
        }
        #expect(values == ["wal", "2", "1", "1"])
        try await library.setFavourite(gif("a"), true, at: 1_000)
        await #expect(throws: DatabaseError.self) {
            try await library.pool.write { try $0.execute(sql: "DELETE FROM work") }
        }
    }

    @Test(arguments: ["v1", "v2"])
    func `a database of every schema opens with all that was in it`(version: String) async throws {
        try load(version)
        let library = try place.open(.init(variant: "g en"))
        let listing = try #require(try await library.listing(.search(words: "dancing CAT")))
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
        let history = try await library.all(on: .history)
        #expect(history.map(\.reference.id) == ["viewed", "whole"] && history.map(\.views) == [1, 2])
        #expect(history.last?.favourite == 1_700_000_002 && history.last?.viewed == 1_700_000_005)
        #expect(try await library.all(on: .dismissed).map(\.reference.id) == ["third"])
        #expect(try place.damages() == [])
        // The library accepts new entries and can be opened again.
        try await library.setFavourite(gif("new"), true, at: 1_800_000_000)
        #expect(ids(try await place.open().listing(.favourites)) == ["new", "lent", "whole"])
    }

    @Test(arguments: ["v1", "v2"])
    func `the kept file of a schema is what its migrations make`(version: String) async throws {
        try load(version)
        let shape = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)"
        let kept = try place.value(shape)
        let fresh = try DatabaseQueue()
        let name = try #require(Schema.migrator.migrations.first { $0.hasPrefix(version) })
        try Schema.migrator.migrate(fresh, upTo: name)
        #expect(try await fresh.read { try String.fetchOne($0, sql: shape) } == kept)
        #expect(Schema.migrator.migrations.count == 2, "a new schema needs a file in Schemas/")
    }

    @Test func `a newer schema is refused and left untouched`() async throws {
        try load("v2")
        _ = try place.open()
        let queue = try DatabaseQueue(path: place.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99 of the future')") }
        try queue.close()
        let before = contents(place.path)
        #expect(await storeError { () async throws(StoreError) in _ = try place.open() } == .tooNew(path: place.path))
        #expect(contents(place.path) == before)
    }

    @Test(arguments: ["this is no database, but long enough to be taken for one\n", "SQLite format 3\u{0}broken"])
    func `a damaged file is told with its path and left untouched`(text: String) async throws {
        let bytes = (0..<200).flatMap { _ in Array(text.utf8) }
        mkdir(place.directory.path + "/gifplay", 0o700)
        try place.directory.write(bytes, to: "gifplay/library.sqlite")
        let error = await storeError { () async throws(StoreError) in _ = try place.open() }
        guard case .damaged(place.path, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(contents(place.path) == bytes)
    }

    @Test func `damage inside the file is told when it is met`() async throws {
        do {
            let library = try place.open()
            for number in 0..<300 {
                try await library.setFavourite(gif("\(number)", tags: ["some", "words"]), true, at: number)
            }
        }
        var bytes = contents(place.path)
        // Damage everything after the first 64 KiB, which contain the schema.
        for index in (16 << 12)..<bytes.count where index % 3 != 0 { bytes[index] = UInt8(index & 0xFF) }
        try place.directory.write(bytes, to: "gifplay/library.sqlite")
        let library = try place.open()
        let error = await storeError { () async throws(StoreError) in _ = try await library.listing(.favourites) }
        guard case .damaged(place.path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(contents(place.path).count == bytes.count)
    }

    @Test func `another program's database is refused and left untouched`() async throws {
        mkdir(place.directory.path + "/gifplay", 0o700)
        let queue = try DatabaseQueue(path: place.path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
        try queue.close()
        let before = contents(place.path)
        let error = await storeError { () async throws(StoreError) in _ = try place.open() }
        #expect(error == .damaged(path: place.path, reason: "the database of another program"))
        #expect(contents(place.path) == before)
    }

    @Test func `an empty file, as a process killed at once leaves, becomes a library`() async throws {
        mkdir(place.directory.path + "/gifplay", 0o700)
        try place.directory.write([], to: "gifplay/library.sqlite")
        try await place.open().setFavourite(gif("a"), true, at: 1_000)
        #expect(ids(try await place.open().listing(.favourites)) == ["a"])
    }

    @Test func `a place that is none is told with the path`() async throws {
        try place.directory.write([], to: "gifplay")
        let error = await storeError { () async throws(StoreError) in _ = try place.open() }
        #expect(error == .cannotOpen(path: place.path, reason: "Not a directory"))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system may be mounted here"))
    func `a directory that cannot be written is told with the path`() async throws {
        let disk = try SmallDisk(place.directory.path + "/gifplay", bytes: 4 << 20)
        try disk.forbidWriting()
        let error = await storeError { () async throws(StoreError) in _ = try place.open() }
        #expect(error == .cannotOpen(path: place.path, reason: "Read-only file system"))
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no file system may be mounted here"))
    func `a full disk is an error that leaves what was there`() async throws {
        let disk = try SmallDisk(place.directory.path + "/gifplay", bytes: 512 << 10)
        let library = try place.open()
        var kept = 0
        var failure: StoreError?
        while failure == nil, kept < 5_000 {
            let (number, long) = (kept, String(repeating: "word ", count: 50))
            failure = await storeError { () async throws(StoreError) in
                try await library.setFavourite(gif("\(number)", title: long), true, at: number)
            }
            if failure == nil { kept += 1 }
        }
        guard case .failed(let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("full") || reason.contains("I/O"))
        #expect(kept > 10)
        #expect(try await library.all(on: .favourites).count == kept)
        try disk.grow(toBytes: 8 << 20)
        try await library.setFavourite(gif("after"), true, at: 9_999)
        #expect(try await library.all(on: .favourites).count == kept + 1)
        #expect(try place.damages() == [])
        withExtendedLifetime(disk) {}
    }

    /// Creates the database at the library's path from the stored dump of a schema version.
    private func load(_ version: String) throws {
        mkdir(place.directory.path + "/gifplay", 0o700)
        var folder = #filePath[...]
        folder = folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.endIndex)
        let sql = String(decoding: contents("\(folder)/Schemas/\(version).sql"), as: UTF8.self)
        let queue = try DatabaseQueue(path: place.path)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }
}
