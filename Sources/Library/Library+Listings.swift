import Catalog
import GRDB

/// Reads and stores listings. The listing of a service is read as it was last stored. The lists of favourites and
/// history are read from the current marks.
extension Library {
    public func listing(_ feed: Feed) async throws(StoreError) -> StoredListing? {
        let (variant, limit) = (options.variant, options.bounds.shown)
        let stored = try await read { db in
            switch feed {
            case .favourites: try Self.markedListing("favourite", limit, db)
            case .history: try Self.markedListing("viewed", limit, db)
            default: try ListingKey(feed).flatMap { try Self.listing($0, variant, db) }
            }
        }
        guard var stored else { return nil }
        stored.items = stored.items.map(session.addingAddresses)
        return stored
    }

    public func storePage(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(StoreError) {
        session.record(page.items)
        guard options.keepsHistory, let key = ListingKey(feed) else { return }
        let (variant, bounds) = (options.variant, options.bounds)
        try await write { db in
            if isFirst {
                try Self.replace(key, variant, page, bounds, at: seconds, db)
                try Self.prune(bounds, db)
            } else {
                try Self.append(key, variant, page, bounds, db)
            }
        }
    }

    private static func listing(_ key: ListingKey, _ variant: String, _ db: Database) throws -> StoredListing? {
        guard
            let head = try Row.fetchOne(
                db, sql: "SELECT id, kept, total, next FROM listing WHERE kind = ? AND word = ? AND variant = ?",
                arguments: [key.kind, key.word, variant])
        else { return nil }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(WorkRecord.columns) FROM entry JOIN work ON work.id = entry.work
                LEFT JOIN mark ON mark.work = work.id
                WHERE entry.listing = ? AND mark.dismissed IS NULL ORDER BY entry.position
                """, arguments: [head["id"] as DatabaseValue])
        let next = String.fromDatabaseValue(head["next"]).flatMap { StoredJSON.value(TokenRecord.self, $0) }
        return StoredListing(
            items: rows.compactMap(WorkRecord.reference), next: next?.token,
            total: Int.fromDatabaseValue(head["total"]), seconds: Int.fromDatabaseValue(head["kept"]) ?? 0)
    }

    /// Returns the GIFs with a mark, newest first. Omits dismissed GIFs. If the user undoes a dismissal, the GIF is
    /// listed again.
    private static func markedListing(_ column: String, _ limit: Int, _ db: Database) throws -> StoredListing {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT mark.\(column) AS since, \(WorkRecord.columns) FROM mark JOIN work ON work.id = mark.work
                WHERE mark.\(column) IS NOT NULL AND mark.dismissed IS NULL
                ORDER BY mark.\(column) DESC, mark.work DESC LIMIT ?
                """, arguments: [limit])
        let since = rows.first.flatMap { Int.fromDatabaseValue($0["since"]) }
        return StoredListing(items: rows.compactMap(WorkRecord.reference), seconds: since ?? 0)
    }

    private static func replace(
        _ key: ListingKey, _ variant: String, _ page: ResultPage, _ bounds: Bounds, at seconds: Int, _ db: Database
    ) throws {
        // Delete the old entries last. Otherwise, a trigger would delete each work whose only entry is an old one, even
        // if the new page contains the work again.
        let works = try page.items.prefix(bounds.entriesPerListing).compactMap { try WorkRecord.write($0, db) }
        try db.execute(
            sql: """
                INSERT INTO listing (kind, word, variant, kept, total, next) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (kind, word, variant)
                DO UPDATE SET kept = excluded.kept, total = excluded.total, next = excluded.next
                """,
            arguments: [key.kind, key.word, variant, seconds, page.total, Self.token(page)])
        guard let listing = try rowID(of: key, variant, db) else { return }
        try db.execute(sql: "UPDATE entry SET position = -1 - position WHERE listing = ?", arguments: [listing])
        try insertEntries(works, listing, from: 0, db)
        try db.execute(sql: "DELETE FROM entry WHERE listing = ? AND position < 0", arguments: [listing])
    }

    private static func append(
        _ key: ListingKey, _ variant: String, _ page: ResultPage, _ bounds: Bounds, _ db: Database
    ) throws {
        // Do nothing if the first page is not stored. Another process might have cleared the listing.
        guard let listing = try rowID(of: key, variant, db) else { return }
        let count = try Int.fetchOne(
            db, sql: "SELECT 1 + max(position) FROM entry WHERE listing = ?", arguments: [listing])
        let start = count ?? 0
        guard start + page.items.count <= bounds.entriesPerListing else { return }
        let works = try page.items.compactMap { try WorkRecord.write($0, db) }
        try insertEntries(works, listing, from: start, db)
        try db.execute(
            sql: "UPDATE listing SET next = ?, total = coalesce(?, total) WHERE id = ?",
            arguments: [Self.token(page), page.total, listing])
    }

    /// Inserts entries from position `start` on. A listing contains each work at most once. Entries with negative
    /// positions belong to the old contents of the listing. If a work has such an entry, the entry moves to the new
    /// position. Other existing entries keep their positions.
    private static func insertEntries(_ works: [Int64], _ listing: Int64, from start: Int, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO entry (listing, position, work) VALUES (?, ?, ?)
                ON CONFLICT (work, listing) DO UPDATE SET position = excluded.position WHERE position < 0
                """)
        for (offset, work) in works.enumerated() {
            try statement.execute(arguments: [listing, start + offset, work])
        }
    }

    private static func rowID(of key: ListingKey, _ variant: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT id FROM listing WHERE kind = ? AND word = ? AND variant = ?",
            arguments: [key.kind, key.word, variant])
    }

    private static func token(_ page: ResultPage) -> String? {
        page.next.map { StoredJSON.text(TokenRecord($0)) }
    }

    /// Deletes the oldest listings until the others are within the bounds. Never deletes the newest listing. SQLite
    /// then deletes the entries of the deleted listings (by a cascade), and each work that nothing else refers to (by a
    /// trigger).
    private static func prune(_ bounds: Bounds, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM listing WHERE id IN (
                    SELECT id FROM (
                        SELECT listing.id AS id, row_number() OVER newest AS place,
                            sum((SELECT count(*) FROM entry WHERE entry.listing = listing.id)) OVER newest AS entries
                        FROM listing WINDOW newest AS (ORDER BY kept DESC, id DESC))
                    WHERE place > 1 AND (place > ? OR entries > ?))
                """, arguments: [bounds.listings, bounds.entries])
    }
}
