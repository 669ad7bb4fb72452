import Base
import Library
import TestServer

/// A database file in a temporary directory.
struct TemporaryDatabase {
    let directory: TemporaryDirectory
    var path: String { directory.path + "/database" }

    init() throws { directory = try TemporaryDirectory() }

    func connect(lockSeconds: Double = 0) throws -> Connection {
        try Connection(path: path, lockSeconds: lockSeconds)
    }

    /// Returns a connection to a file with a write-ahead log and a table of items.
    func connectWithTable() throws -> Connection {
        let connection = try connect()
        let mode: String? = try connection.value("PRAGMA journal_mode = WAL")
        guard mode == "wal" else { throw SetupError(mode: mode) }
        try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
        return connection
    }

    private struct SetupError: Error {
        var mode: String?
    }
}

/// Returns the error of SQLite that `body` throws; nil if `body` succeeds.
func failure(_ body: () throws -> Void) throws -> Failure? {
    do {
        try body()
        return nil
    } catch let error as Failure {
        return error
    }
}
