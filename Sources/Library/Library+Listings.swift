import Base
import Catalog

/// The listing of a service is read as it was last stored, favourites and history from the current marks.
extension Library {
    public func listing(_ feed: Feed) async throws(Failure) -> StoredListing? {
        let (variant, source, limit) = (options.variant, options.source, options.bounds.shown)
        let stored = try await read { db in
            switch feed {
            case .favourites: try Self.markedListing("favourite", limit, db)
            case .history: try Self.markedListing("viewed", limit, db)
            case .dismissed: try Self.markedListing("dismissed", limit, db)
            case .search(let query): try Self.search(query, variant, source, db)
            default: try ListingKey(feed).flatMap { try Self.listing($0, variant, db) }
            }
        }
        guard var stored else { return nil }
        stored.items = stored.items.map(session.addingAddresses)
        return stored
    }

    /// The marked GIFs that match the query, its stored results, and the results of other queries that match it.
    private static func search(
        _ query: String, _ variant: String, _ source: String?, _ db: Connection
    ) throws -> StoredListing? {
        let own = try ListingKey(.search(query: query)).flatMap { try Self.listing($0, variant, db) }
        let found = try matches(TermMatcher(query), variant, source, db)
        guard own != nil || !found.isEmpty else { return nil }
        var listing = own ?? StoredListing(items: [], seconds: found.compactMap(\.since).max() ?? 0)
        var seen: Set<GIFKey> = []
        let items = found.filter { $0.since != nil }.map(\.item) + listing.items + found.map(\.item)
        listing.items = items.filter { seen.insert($0.key).inserted }
        return listing
    }

    /// The largest number of texts that SQLite passes on, and of GIFs that match.
    private static let (candidates, matchCount) = (120, 60)

    /// Favourites first, then viewed GIFs, then results, the newest first. Without GIFs whose addresses are not stored.
    /// `since` is the time of the mark.
    private static func matches(
        _ matcher: TermMatcher, _ variant: String, _ source: String?, _ db: Connection
    ) throws -> [(item: GIFReference, since: Int?)] {
        guard let first = matcher.beginnings.first else { return [] }
        let second = matcher.beginnings.dropFirst().first.map { "%\($0)%" }
        // In 20,000 rows: 5 ms for a rare word, 25 ms for one that is a part of all titles. GLOB would take 60 ms.
        let works = try db.rows(
            """
            SELECT work.id, title, tags, since FROM (
                SELECT work.id AS id, mark.favourite AS favourite, coalesce(mark.favourite, mark.viewed) AS since
                FROM work LEFT JOIN mark ON mark.work = work.id
                WHERE (title LIKE ?1 OR tags LIKE ?1) AND (?2 IS NULL OR title LIKE ?2 OR tags LIKE ?2)
                    AND replace(replace(replace(' ' || title || tags, '"', ' '), '-', ' '), '(', ' ') LIKE ?3
                    AND policy <> 'sessionOnly' AND dismissed IS NULL AND (?4 IS NULL OR provider = ?4)
                    AND (since IS NOT NULL OR EXISTS (
                        SELECT 1 FROM entry JOIN listing ON listing.id = entry.listing
                        WHERE entry.work = work.id AND variant = ?5))
                ORDER BY favourite DESC NULLS LAST, since DESC NULLS LAST, work.id DESC LIMIT ?6
            ) AS found JOIN work ON work.id = found.id
            ORDER BY favourite DESC NULLS LAST, since DESC NULLS LAST, work.id DESC
            """, ["%\(first)%", second, "% \(first)%", source, variant, candidates]
        ) { row -> (id: Int, since: Int?)? in
            let texts: [String] = [row["title"] ?? "", row["tags"] ?? ""]
            guard let id: Int = row["id"], matcher.matches(texts) else { return nil }
            return (id, row["since"])
        }
        return try works.prefix(matchCount).compactMap { work in
            try db.first(
                "SELECT \(WorkRecord.columns) FROM work WHERE id = ?", [work.id], WorkRecord.reference
            ).map { ($0, work.since) }
        }
    }

    public func storePage(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(Failure) {
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

    /// Returns the stored queries that begin with `prefix`, in lower case, the latest first; nothing without history.
    public func recentQueries(matching prefix: String, limit: Int) async throws(Failure) -> [String] {
        guard options.keepsHistory else { return [] }
        return try await read { db in
            try db.rows(
                """
                SELECT word FROM listing WHERE kind = 'search' AND substr(word, 1, length(?1)) = ?1
                GROUP BY word ORDER BY max(kept) DESC, max(id) DESC LIMIT ?2
                """, [prefix.lowercased(), limit]
            ) { row -> String? in row[0] }
        }
    }

    private static func listing(_ key: ListingKey, _ variant: String, _ db: Connection) throws -> StoredListing? {
        guard
            let (id, stored) = try db.first(
                "SELECT id, kept, total, next FROM listing WHERE kind = ? AND word = ? AND variant = ?",
                [key.kind, key.word, variant],
                { row -> (Int?, StoredListing) in
                    let next = (row["next"] as String?).flatMap(Self.token)
                    let total = Int(outside: row["total"], in: 0...Int.outsideRange.upperBound)
                    let seconds = Int(clamping: row["kept"] ?? 0, to: 0...Int.latestTime)
                    return (row["id"], StoredListing(items: [], next: next, total: total, seconds: seconds))
                })
        else { return nil }
        var listing = stored
        listing.items = try db.rows(
            """
            SELECT \(WorkRecord.columns) FROM entry JOIN work ON work.id = entry.work
            LEFT JOIN mark ON mark.work = work.id
            WHERE entry.listing = ? AND mark.dismissed IS NULL ORDER BY entry.position
            """, [id], WorkRecord.reference)
        return listing
    }

    /// Newest first; the history without dismissed GIFs. If the user undoes a dismissal, the GIF is listed again.
    private static func markedListing(_ column: String, _ limit: Int, _ db: Connection) throws -> StoredListing {
        var newest: Int?
        let items = try db.rows(
            """
            SELECT mark.\(column) AS since, \(WorkRecord.columns) FROM mark JOIN work ON work.id = mark.work
            WHERE mark.\(column) IS NOT NULL\(column == "viewed" ? " AND mark.dismissed IS NULL" : "")
            ORDER BY mark.\(column) DESC, mark.work DESC LIMIT ?
            """, [limit]
        ) { row in
            newest = newest ?? row["since"]
            return WorkRecord.reference(row)
        }
        return StoredListing(items: items, seconds: Int(clamping: newest ?? 0, to: 0...Int.latestTime))
    }

    private static func replace(
        _ key: ListingKey, _ variant: String, _ page: ResultPage, _ bounds: Bounds, at seconds: Int, _ db: Connection
    ) throws {
        // Delete the old entries last. Otherwise, a trigger would delete each work whose only entry is an old one, even
        // if the new page contains the work again.
        let works = try page.items.prefix(bounds.entriesPerListing).compactMap { try WorkRecord.write($0, db) }
        try db.run(
            """
            INSERT INTO listing (kind, word, variant, kept, total, next) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (kind, word, variant)
            DO UPDATE SET kept = excluded.kept, total = excluded.total, next = excluded.next
            """, [key.kind, key.word, variant, seconds, page.total, Self.token(page)])
        guard let listing = try rowID(of: key, variant, db) else { return }
        try db.run("UPDATE entry SET position = -1 - position WHERE listing = ?", [listing])
        try insertEntries(works, listing, from: 0, db)
        try db.run("DELETE FROM entry WHERE listing = ? AND position < 0", [listing])
    }

    private static func append(
        _ key: ListingKey, _ variant: String, _ page: ResultPage, _ bounds: Bounds, _ db: Connection
    ) throws {
        // Do nothing if the first page is not stored. Another process might have cleared the listing.
        guard let listing = try rowID(of: key, variant, db) else { return }
        let start: Int =
            try db.value("SELECT 1 + min(max(position), 1 << 40) FROM entry WHERE listing = ?", [listing]) ?? 0
        guard start <= bounds.entriesPerListing - page.items.count else { return }
        let works = try page.items.compactMap { try WorkRecord.write($0, db) }
        try insertEntries(works, listing, from: start, db)
        try db.run(
            "UPDATE listing SET next = ?, total = coalesce(?, total) WHERE id = ?",
            [Self.token(page), page.total, listing])
    }

    /// A listing contains each work at most once. Entries with negative positions are its old contents: if a work has
    /// such an entry, the entry moves to the new position. Other existing entries keep their positions.
    private static func insertEntries(_ works: [Int], _ listing: Int, from start: Int, _ db: Connection) throws {
        for (offset, work) in works.enumerated() {
            try db.run(
                """
                INSERT INTO entry (listing, position, work) VALUES (?, ?, ?)
                ON CONFLICT (work, listing) DO UPDATE SET position = excluded.position WHERE position < 0
                """, [listing, start + offset, work])
        }
    }

    private static func rowID(of key: ListingKey, _ variant: String, _ db: Connection) throws -> Int? {
        try db.value(
            "SELECT id FROM listing WHERE kind = ? AND word = ? AND variant = ?", [key.kind, key.word, variant])
    }

    private static func token(_ text: String) -> PageToken? {
        var token = StoredJSON.value(PageToken.self, text)
        // Version 1.0 stored the finished steps as a parameter.
        if let names = token?.parameters.removeValue(forKey: "gifplay-done") {
            token?.finishedSteps = names.split(separator: ",").map(String.init)
        }
        return token
    }

    private static func token(_ page: ResultPage) -> String? { page.next.map { StoredJSON.text($0) } }

    /// Deletes the oldest listings beyond the bounds, but never the newest one. SQLite then deletes their entries (by a
    /// cascade), and each work that nothing else refers to (by a trigger).
    private static func prune(_ bounds: Bounds, _ db: Connection) throws {
        try db.run(
            """
            DELETE FROM listing WHERE id IN (
                SELECT id FROM (
                    SELECT listing.id AS id, row_number() OVER newest AS place,
                        sum((SELECT count(*) FROM entry WHERE entry.listing = listing.id)) OVER newest AS entries
                    FROM listing WINDOW newest AS (ORDER BY kept DESC, id DESC))
                WHERE place > 1 AND (place > ? OR entries > ?))
            """, [bounds.listings, bounds.entries])
    }
}

struct ListingKey: Equatable {
    var kind: String
    /// The source, the query or the community, depending on `kind`; empty for trending without a source.
    var word: String

    /// Nil for marked GIFs and files, which are not listings of a service. Services ignore the case of queries and
    /// community names, so these are in lower case, and spellings that differ only in case share one listing.
    init?(_ feed: Feed) {
        switch feed {
        case .trending(let source): (kind, word) = ("trending", source ?? "")
        case .search(let query): (kind, word) = ("search", query.lowercased())
        case .community(let name): (kind, word) = ("community", name.lowercased())
        case .random, .favourites, .history, .dismissed, .files: return nil
        }
    }
}
