import Base
import Catalog
import SQLite

/// Opens the database: first inspects the file, then creates or migrates the tables.
enum LibraryOpener {
    /// - Parameter lockSeconds: the maximum number of seconds to wait for another process to finish writing.
    static func connections(
        _ path: String, lockSeconds: Double
    ) throws(StoreError) -> (writer: ConnectionActor, reader: ConnectionActor) {
        try LibraryFile.create(path)
        return try LibraryFile.locked(path, seconds: lockSeconds) { () throws(StoreError) in
            do {
                let writer = try writer(path, lockSeconds)
                let reader = try connection(path, lockSeconds)
                try reader.execute("PRAGMA query_only = ON")
                guard let writer = ConnectionActor(writer), let reader = ConnectionActor(reader) else {
                    throw StoreError.cannotOpen(path: path, reason: DetachedThread.failure)
                }
                return (writer, reader)
            } catch let error as StoreError {
                throw error
            } catch {
                throw StoreError(opening: path, error)
            }
        }
    }

    private static func writer(_ path: String, _ lockSeconds: Double) throws -> Connection {
        let db = try connection(path, lockSeconds)
        // Inspect the file before anything is written to it.
        _ = try db.transaction(.deferred) { try Schema.version(db, path) }
        guard try db.value("PRAGMA journal_mode = WAL") == "wal" else {
            throw StoreError.cannotOpen(path: path, reason: "could not activate WAL Mode at path: \(path)")
        }
        // With the value NORMAL, a power failure can undo the last writes.
        try db.execute("PRAGMA synchronous = FULL")
        try db.migrate(Schema.migrations) { try Schema.version(db, path) }
        return db
    }

    private static func connection(_ path: String, _ lockSeconds: Double) throws -> Connection {
        let db = try Connection(path: path, lockSeconds: lockSeconds)
        // Overwrite deleted data. Store temporary data in memory and not in files.
        try db.execute(
            """
            PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
            PRAGMA trusted_schema = OFF
            """)
        return db
    }
}

extension StoreError {
    init(opening path: String, _ error: any Error) {
        self = Self.known(error, path) ?? .cannotOpen(path: path, reason: Self.reason(error))
    }

    init(using path: String, _ error: any Error) {
        self = error as? StoreError ?? Self.known(error, path) ?? .failed(reason: Self.reason(error))
    }

    /// Returns the error for a damaged or locked database; nil for any other cause.
    private static func known(_ error: any Error, _ path: String) -> StoreError? {
        switch (error as? SQLiteError)?.cause {
        case .damaged: .damaged(path: path, reason: reason(error))
        case .busy: .locked(path: path)
        case .other, nil: nil
        }
    }

    private static func reason(_ error: any Error) -> String {
        if error is CancellationError { return "cancelled" }
        return (error as? SQLiteError)?.message ?? "\(error)"
    }
}
