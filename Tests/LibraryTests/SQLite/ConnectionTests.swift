import Base
import Glibc
import Testing

@testable import Library

/// Tests opening, locks, transactions, migrations and closing with a real file.
@Suite(.timeLimit(.minutes(15))) struct ConnectionTests {
    private let database: TemporaryDatabase

    init() throws { database = try TemporaryDatabase() }

    private func count(_ connection: Connection) throws -> Int? { try connection.value("SELECT count(*) FROM item") }

    // MARK: - Opening and closing

    @Test("A file that cannot be opened is an error with SQLite's text and the system's cause")
    func cannotOpen() throws {
        let missing = try failure { _ = try Connection(path: database.directory.path + "/a/b") }
        #expect(missing == Failure.sqlite(14, "unable to open database file: No such file or directory"))
        #expect(try failure { _ = try Connection(path: database.path, isReadOnly: true) } != nil)
        #expect(database.directory.names() == [])
    }

    @Test("A read-only connection reads and does not write")
    func readOnly() throws {
        try database.connectWithTable().run("INSERT INTO item (name) VALUES (?)", ["a"])
        let reader = try Connection(path: database.path, isReadOnly: true)
        #expect(try count(reader) == 1)
        let error = try failure { try reader.execute("DELETE FROM item") }
        #expect(error?.message == "attempt to write a readonly database")
    }

    @Test("A file of another kind is reported as damaged and does not change")
    func damaged() throws {
        let bytes = Array(String(repeating: "rubbish ", count: 200).utf8)
        try database.directory.write(bytes, to: "database")
        let error = try failure { _ = try database.connect().userVersion }
        #expect(error == Failure.sqlite(26, "file is not a database"))
        var status = stat()
        #expect(stat(database.path, &status) == 0 && Int(status.st_size) == bytes.count)
    }

    @Test("The last connection that closes moves the log into the file")
    func closing() throws {
        do {
            let first = try database.connectWithTable()
            let second = try database.connect()
            try second.run("INSERT INTO item (name) VALUES (?)", ["a"])
            #expect(database.directory.names() == ["database", "database-shm", "database-wal"])
            #expect(try count(first) == 1)
        }
        #expect(database.directory.names() == ["database"])
        #expect(try count(database.connect()) == 1)
    }

    // MARK: - Locks

    @Test("A write while another connection writes fails with SQLite's text, and reads see the state before it")
    func busy() throws {
        let (writer, other) = (try database.connectWithTable(), try database.connect())
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO item (name) VALUES ('a')")
        let error = try failure { try other.transaction {} }
        #expect(error == Failure.sqlite(5, "database is locked"))
        #expect(try count(other) == 0)
        try writer.execute("COMMIT")
        #expect(try count(other) == 1)
        try other.transaction {}
    }

    @Test("A read transaction keeps its snapshot")
    func snapshot() throws {
        let (writer, reader) = (try database.connectWithTable(), try database.connect())
        try reader.transaction(isDeferred: true) {
            #expect(try count(reader) == 0)
            try writer.run("INSERT INTO item (name) VALUES (?)", ["a"])
            #expect(try count(reader) == 0)
        }
        #expect(try count(reader) == 1)
    }

    @Test("The log can be truncated only while no other connection uses it")
    func truncateLog() throws {
        let (writer, reader) = (try database.connectWithTable(), try database.connect())
        try reader.transaction(isDeferred: true) {
            #expect(try count(reader) == 0)
            try writer.run("INSERT INTO item (name) VALUES (?)", ["a"])
            #expect(try !writer.truncateLog())
        }
        #expect(try writer.truncateLog())
        var status = stat()
        #expect(stat(database.path + "-wal", &status) == 0 && status.st_size == 0)
    }

    // MARK: - Transactions

    @Test("A transaction is rolled back if its body throws, and the connection stays usable")
    func rollback() throws {
        struct Stop: Error {}
        let connection = try database.connectWithTable()
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO item (name) VALUES (?)", ["a"])
                throw Stop()
            }
        }
        #expect(try count(connection) == 0)
        let value = try connection.transaction {
            try connection.run("INSERT INTO item (name) VALUES (?)", ["b"])
            return 7
        }
        #expect(try value == 7 && count(connection) == 1)
    }

    @Test("A transaction that SQLite rolls back itself reports the first error")
    func rolledBackBySQLite() throws {
        let connection = try database.connectWithTable()
        try connection.run("INSERT INTO item (name) VALUES (?)", ["a"])
        let error = try failure {
            try connection.transaction { try connection.execute("INSERT OR ROLLBACK INTO item (name) VALUES ('a')") }
        }
        #expect(error?.message == "UNIQUE constraint failed: item.name")
        try connection.transaction {}
    }

    @Test("A transaction inside a transaction fails, and the outer one goes on")
    func nested() throws {
        let connection = try database.connectWithTable()
        try connection.transaction {
            try connection.run("INSERT INTO item (name) VALUES (?)", ["a"])
            let error = try failure { try connection.transaction {} }
            #expect(error?.message == "cannot start a transaction within a transaction")
        }
        #expect(try count(connection) == 1)
    }

    // MARK: - Migration

    private let migrations = [
        "CREATE TABLE item (name TEXT)", "ALTER TABLE item ADD COLUMN size INTEGER; UPDATE item SET size = 1",
    ]

    @Test("The missing migrations run, and each version keeps its rows", arguments: [0, 1, 2])
    func migration(version: Int) throws {
        let connection = try database.connect()
        try connection.migrate(Array(migrations.prefix(version))) { 0 }
        #expect(try connection.userVersion == version)
        if version > 0 { try connection.execute("INSERT INTO item (name) VALUES ('a')") }
        try connection.migrate(migrations) { try connection.userVersion }
        #expect(try connection.userVersion == 2)
        // Migration 2 sets the size of the rows that exist.
        let sized: Int? = try connection.value("SELECT count(size) FROM item")
        #expect(sized == (version == 1 ? 1 : 0))
        #expect(try count(connection) == (version == 0 ? 0 : 1))
    }

    @Test("A migration that fails changes neither the tables nor the version")
    func failingMigration() throws {
        let connection = try database.connect()
        let error = try failure { try connection.migrate([migrations[0], "CREATE TABLE item (name TEXT)"]) { 0 } }
        #expect(error?.message == "table item already exists")
        #expect(try connection.userVersion == 0 && connection.value("SELECT count(*) FROM sqlite_schema") == 0)
    }

    @Test("A newer version of the file is kept")
    func newerVersion() throws {
        let connection = try database.connect()
        try connection.execute("PRAGMA user_version = 3")
        try connection.migrate(migrations) { 3 }
        #expect(try connection.userVersion == 3 && connection.value("SELECT count(*) FROM sqlite_schema") == 0)
    }
}
