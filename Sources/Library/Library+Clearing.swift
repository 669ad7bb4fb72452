import Catalog
import SQLite

/// Clears the library. For privacy, also overwrites the deleted data in the file.
extension Library {
    /// Whether the cleared data is gone from the disk.
    public enum ClearingResult: Equatable, Sendable {
        /// No file of the library contains the cleared data.
        case done
        /// Queries no longer return the cleared data, but the write-ahead log still contains it. The log cannot be
        /// truncated now, because another process uses it. The log is truncated when that process ends, or by the next
        /// clearing.
        case logInUse
    }

    /// Deletes the history, searches and listings. If `all` is true, also deletes favourites and dismissals.
    public func clear(all: Bool) async throws(StoreError) -> ClearingResult {
        try await write { db in
            try db.execute("DELETE FROM listing")
            if all {
                try db.execute("DELETE FROM mark")
            } else {
                try db.execute("UPDATE mark SET viewed = NULL, views = 0 WHERE viewed IS NOT NULL")
            }
        }
        do {
            return try await writer.perform { db in
                // The option secure_delete has already overwritten the rows. VACUUM rewrites the whole file.
                try db.execute("VACUUM")
                return try db.truncateLog() ? .done : .logInUse
            }
        } catch {
            throw StoreError(using: path, error)
        }
    }
}
