import Base
import Catalog
import Glibc
import SQLite

/// The size, schema, contents and problems of a library file, for diagnostics.
public struct LibraryHealth: Equatable, Sendable {
    /// In bytes, without the write-ahead log.
    public var bytes = 0
    /// The number of migrations that were applied to the file, and the number that this program knows.
    public var (schema, newestSchema) = (0, 0)
    public var (favourites, viewed, dismissed) = (0, 0, 0)
    /// The problems that SQLite's integrity check found; empty if there is none.
    public var problems: [String] = []

    public static var sqliteVersion: String { Connection.sqliteVersion }

    /// Reads and checks the library without changing it. This takes time in proportion to the size of the library.
    /// - Returns: nil if the file does not exist.
    public init?(path: String) throws(StoreError) {
        let found: stat?
        do throws(SystemError) { found = try FileSystem.status(path) } catch {
            throw .cannotOpen(path: path, reason: error.message)
        }
        guard let status = found else { return nil }
        try LibraryFile.checkKind(status, of: path)
        bytes = Int(status.st_size)
        do {
            let db = try Connection(path: path, isReadOnly: true, lockSeconds: 2)
            try db.transaction(.deferred) { try check(db, path) }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(opening: path, error)
        }
    }

    private mutating func check(_ db: Connection, _ path: String) throws {
        schema = try Schema.version(db, path)
        guard schema > 0 else { return }
        newestSchema = Schema.migrations.count
        problems = try db.rows("PRAGMA integrity_check(10)") { row in row[0] }.filter { $0 != "ok" }
        let broken = try db.rows("PRAGMA foreign_key_check") { _ in true }.count
        if broken > 0 { problems.append("\(broken) references to missing rows") }
        let counts = try db.first("SELECT count(favourite), count(viewed), count(dismissed) FROM mark") { row in
            (row[0] ?? 0, row[1] ?? 0, row[2] ?? 0)
        }
        (favourites, viewed, dismissed) = counts ?? (0, 0, 0)
    }
}
