import Catalog
import GRDB

/// Opens the database: first inspects the file, then creates or migrates the tables.
enum LibraryOpener {
    /// - Parameter lockSeconds: the maximum number of seconds to wait for another process to finish writing.
    static func pool(_ path: String, lockSeconds: Double) throws(StoreError) -> DatabasePool {
        try LibraryFile.create(path)
        return try LibraryFile.locked(path) { () throws(StoreError) in
            do {
                try inspect(path, lockSeconds)
                let pool = try DatabasePool(path: path, configuration: configuration(lockSeconds))
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
    private static func inspect(_ path: String, _ lockSeconds: Double) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration(lockSeconds))
        try queue.read { db in
            let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
            guard !isEmpty else { return }
            guard try Int.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
                // Accept a file that has only GRDB's tables. It means that a process died after GRDB created them and
                // before the first migration.
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

    private static func configuration(_ lockSeconds: Double) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(lockSeconds)
        configuration.maximumReaderCount = 2
        configuration.prepareDatabase { db in
            // Overwrite deleted data. Store temporary data in memory and not in files.
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF")
        }
        return configuration
    }
}

extension StoreError {
    /// Converts an error that occurred while the database was opened.
    init(opening path: String, _ error: any Error) {
        self = Self.known(error, path) ?? .cannotOpen(path: path, reason: Self.reason(error))
    }

    /// Converts an error that occurred while the database was used.
    init(using path: String, _ error: any Error) {
        self = Self.known(error, path) ?? .failed(reason: Self.reason(error))
    }

    /// Returns the error for a damaged or locked database; nil for any other cause.
    private static func known(_ error: any Error, _ path: String) -> StoreError? {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_NOTADB?, .SQLITE_CORRUPT?: .damaged(path: path, reason: reason(error))
        case .SQLITE_BUSY?: .locked(path: path)
        default: nil
        }
    }

    /// Returns SQLite's message without the SQL statement, because the statement contains the user's search terms.
    private static func reason(_ error: any Error) -> String {
        if error is CancellationError { return "cancelled" }
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.message ?? "\(error.resultCode)"
    }
}
