import Catalog
import GRDB

/// Reads and writes GIF references in the table of works.
enum WorkRecord {
    /// The columns to select for ``reference(_:)``.
    static let columns = """
        work.provider, work.name, work.title, work.page, work.author, work.licence, work.licencePage,
        work.attribution, work.policy, work.rating, work.tags, work.createdAt, work.comments,
        work.community, work.renditions
        """

    /// Cleans and writes a reference. If a row with the same provider and ID exists, it is replaced.
    /// - Returns: the row ID of the work, or nil if the provider or the ID is not a valid name.
    static func write(_ reference: GIFReference, _ db: Database) throws -> Int64? {
        try insert(
            reference,
            orElse: """
                UPDATE SET title = excluded.title, page = excluded.page, author = excluded.author,
                licence = excluded.licence, licencePage = excluded.licencePage, attribution = excluded.attribution,
                policy = excluded.policy, rating = excluded.rating, tags = excluded.tags,
                createdAt = excluded.createdAt, comments = excluded.comments,
                community = excluded.community, renditions = excluded.renditions
                """, db)
    }

    /// Cleans and writes a reference, unless the table already has a row with the same provider and ID.
    /// - Returns: the row ID of the new or existing work, or nil if the provider or the ID is not a valid name.
    static func writeIfNew(_ reference: GIFReference, _ db: Database) throws -> Int64? {
        // This update changes nothing, but makes the statement return the ID of an existing row. With DO NOTHING, the
        // statement would return no row.
        try insert(reference, orElse: "UPDATE SET name = name", db)
    }

    private static func insert(_ reference: GIFReference, orElse: String, _ db: Database) throws -> Int64? {
        guard let clean = reference.cleaned() else { return nil }
        let renditions = clean.cachePolicy == .sessionOnly ? [] : clean.renditions.map(RenditionRecord.init)
        let arguments: StatementArguments = [
            clean.provider, clean.id, clean.title, clean.pageURL, clean.author, clean.licence, clean.licenceURL,
            clean.attribution, clean.cachePolicy.rawValue, clean.rating, StoredJSON.text(clean.tags),
            clean.posted, clean.comments, clean.community, StoredJSON.text(renditions),
        ]
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO work (provider, name, title, page, author, licence, licencePage, attribution, policy,
                    rating, tags, createdAt, comments, community, renditions)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (provider, name) DO \(orElse)
                RETURNING id
                """)
        return try Int64.fetchOne(statement, arguments: arguments)
    }

    /// Returns the row ID of a work; nil if the work is not stored.
    static func rowID(of key: GIFKey, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM work WHERE provider = ? AND name = ?"),
            arguments: [key.provider, key.id])
    }

    /// Returns the reference in a row that has ``columns``; nil if the row is invalid.
    ///
    /// Cleans the reference again, because another program might have changed the file.
    static func reference(_ row: Row) -> GIFReference? {
        guard let provider = text(row, "provider"), let name = text(row, "name"),
            let policy = text(row, "policy").flatMap(CachePolicy.init)
        else { return nil }
        let renditions = text(row, "renditions").flatMap { StoredJSON.value([RenditionRecord].self, $0) } ?? []
        return GIFReference(
            provider: provider, id: name, title: text(row, "title") ?? "", pageURL: text(row, "page"),
            author: text(row, "author"), licence: text(row, "licence"), licenceURL: text(row, "licencePage"),
            attribution: text(row, "attribution") ?? "", renditions: renditions.map(\.rendition), cachePolicy: policy,
            rating: text(row, "rating"), tags: text(row, "tags").flatMap { StoredJSON.value([String].self, $0) } ?? [],
            posted: Int.fromDatabaseValue(row["createdAt"]), comments: Int.fromDatabaseValue(row["comments"]),
            community: text(row, "community")
        ).cleaned()
    }

    /// Reads a text column. Returns nil if the column holds another type. A typed subscript of Row would trap instead.
    private static func text(_ row: Row, _ column: String) -> String? {
        String.fromDatabaseValue(row[column])
    }
}
