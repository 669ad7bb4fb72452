import Catalog
import GRDB
import Glibc

/// The size, schema, contents and problems of a library file, for diagnostics.
public struct LibraryHealth: Equatable, Sendable {
    /// The size of the database file in bytes, without the write-ahead log.
    public var bytes = 0
    /// The number of migrations that were applied to the file, and the number that this program knows.
    public var (schema, newestSchema) = (0, 0)
    public var (favourites, viewed, dismissed) = (0, 0, 0)
    /// The problems that SQLite's integrity check found; empty if there is none.
    public var problems: [String] = []

    /// The version of SQLite; "unknown" if SQLite cannot be used.
    public static var sqliteVersion: String {
        (try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }) ?? "unknown"
    }

    /// Reads and checks the library without changing it. This takes time in proportion to the size of the library.
    /// - Returns: nil if the file does not exist.
    public init?(path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        bytes = Int(status.st_size)
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(2)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            self = try queue.read { [self] db in
                var health = self
                try health.check(db, path)
                return health
            }
            try queue.close()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(opening: path, error)
        }
    }

    private mutating func check(_ db: Database, _ path: String) throws {
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return }
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
            throw StoreError.damaged(path: path, reason: "it is the database of another program")
        }
        if try Schema.migrator.hasBeenSuperseded(db) { throw StoreError.tooNew(path: path) }
        schema = try Schema.migrator.appliedIdentifiers(db).count
        newestSchema = Schema.migrator.migrations.count
        problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(10)").filter { $0 != "ok" }
        let broken = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
        if broken > 0 { problems.append("\(broken) references to missing rows") }
        let counts = try Row.fetchOne(db, sql: "SELECT count(favourite), count(viewed), count(dismissed) FROM mark")
        (favourites, viewed, dismissed) = (counts?[0] ?? 0, counts?[1] ?? 0, counts?[2] ?? 0)
    }
}
