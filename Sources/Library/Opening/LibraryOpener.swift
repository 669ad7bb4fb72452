import GRDB
import Gallery

/// Opens the database. Inspects it first, and then creates or migrates it.
enum LibraryOpener {
    /// The maximum number of seconds that a process waits for another process to finish writing. A write takes
    /// milliseconds.
    static let busyTimeoutSeconds = 20.0

    static func pool(_ path: String) throws(StoreError) -> DatabasePool {
        try LibraryFile.create(path)
        return try LibraryFile.locked(path) { () throws(StoreError) in
            do {
                try inspect(path)
                let pool = try DatabasePool(path: path, configuration: configuration())
                // GRDB sets `synchronous` to NORMAL. With that value, a power failure can undo the last writes.
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                try Schema.migrator.migrate(pool)
                return pool
            } catch let error as StoreError {
                throw error
            } catch {
                throw StoreError(opening: path, error)
            }
        }
    }

    /// Throws unless the file is empty, or is a library of this version or an older one. Runs before anything is
    /// written to the file.
    private static func inspect(_ path: String) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.read { db in
            let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
            guard !isEmpty else { return }
            guard try Int.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
                // If a process died after GRDB created its first table and before the first migration, the file has
                // only GRDB's tables.
                guard try Schema.migrator.appliedIdentifiers(db).isEmpty, try !hasTables(db) else {
                    throw StoreError.damaged(path: path, reason: "it is the database of another program")
                }
                return
            }
            if try Schema.migrator.hasBeenSuperseded(db) { throw StoreError.tooNew(path: path) }
        }
        try queue.close()
    }

    private static func hasTables(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE '%grdb_%'") != 0
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeoutSeconds)
        configuration.maximumReaderCount = 2
        configuration.prepareDatabase { db in
            // Overwrite deleted data, and write nothing to temporary files.
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF")
        }
        return configuration
    }
}

extension StoreError {
    /// Converts an error that occurred while the database was opened.
    init(opening path: String, _ error: any Error) {
        let reason = Self.reason(error)
        self = Self.isDamage(error) ? .damaged(path: path, reason: reason) : .cannotOpen(path: path, reason: reason)
    }

    /// Converts an error that occurred while the database was used.
    init(using path: String, _ error: any Error) {
        let reason = Self.reason(error)
        self = Self.isDamage(error) ? .damaged(path: path, reason: reason) : .failed(reason: reason)
    }

    private static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
    }

    /// Returns SQLite's message without the SQL statement, because the statement contains the user's search terms.
    private static func reason(_ error: any Error) -> String {
        if error is CancellationError { return "cancelled" }
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.message ?? "\(error.resultCode)"
    }
}
