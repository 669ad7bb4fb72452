import GRDB
import Gallery

/// For privacy: what was looked for and looked at goes, out of the file too.
extension Library {
    /// What became of the words that were cleared.
    public enum Clearing: Equatable, Sendable {
        /// They are in none of the library's files.
        case done
        /// They are gone for every reader, but another process holds the log in which they stood. It goes when that
        /// process ends, or with the next clearing.
        case logInUse
    }

    /// Forgets history, searches and listings, with `all` favourites and what was dismissed too.
    public func clear(all: Bool) async throws(StoreError) -> Clearing {
        try await write { db in
            try db.execute(sql: "DELETE FROM listing")
            if all {
                try db.execute(sql: "DELETE FROM mark")
            } else {
                try db.execute(sql: "UPDATE mark SET viewed = NULL, views = 0 WHERE viewed IS NOT NULL")
            }
        }
        do {
            return try await pool.barrierWriteWithoutTransaction { db in
                // secure_delete has overwritten the rows; VACUUM leaves nothing of the pages either.
                try db.execute(sql: "VACUUM")
                do {
                    // Copies all of the log into the file, then cuts the log to nothing.
                    _ = try db.checkpoint(.truncate)
                    return .done
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return .logInUse
                }
            }
        } catch {
            throw StoreError(using: path, error)
        }
    }
}
