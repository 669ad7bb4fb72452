import Catalog
import FoundationEssentials

/// Reads and writes GIF references in the table of works.
enum WorkRecord {
    /// The columns to select for ``reference(_:)``.
    static let columns = """
        work.provider, work.name, work.title, work.page, work.author, work.licence, work.licencePage,
        work.attribution, work.policy, work.rating, work.tags, work.createdAt, work.comments,
        work.community, work.renditions
        """

    /// Inserts or replaces the row of the cleaned reference. Returns its ID; nil if the provider or ID is invalid.
    static func write(_ reference: GIFReference, _ db: Connection) throws -> Int? {
        guard let clean = reference.cleaned() else { return nil }
        let renditions = clean.cachePolicy == .sessionOnly ? [] : clean.renditions.map(RenditionRecord.init)
        return try db.value(
            """
            INSERT INTO work (provider, name, title, page, author, licence, licencePage, attribution, policy,
                rating, tags, createdAt, comments, community, renditions)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (provider, name) DO UPDATE SET title = excluded.title, page = excluded.page,
                author = excluded.author, licence = excluded.licence, licencePage = excluded.licencePage,
                attribution = excluded.attribution, policy = excluded.policy, rating = excluded.rating,
                tags = excluded.tags, createdAt = excluded.createdAt, comments = excluded.comments,
                community = excluded.community, renditions = excluded.renditions
            RETURNING id
            """,
            [
                clean.provider, clean.id, clean.title, clean.pageURL, clean.author, clean.licence, clean.licenceURL,
                clean.attribution, clean.cachePolicy.rawValue, clean.rating, StoredJSON.text(clean.tags),
                clean.posted, clean.comments, clean.community, StoredJSON.text(renditions),
            ])
    }

    /// Nil if the work is not stored.
    static func rowID(of key: GIFKey, _ db: Connection) throws -> Int? {
        try db.value("SELECT id FROM work WHERE provider = ? AND name = ?", [key.provider, key.id])
    }

    /// Nil if the row is invalid. Cleans the reference again, because another program might have changed the file.
    static func reference(_ row: borrowing Row) -> GIFReference? {
        guard let provider: String = row["provider"], let name: String = row["name"],
            let policy = (row["policy"] as String?).flatMap(CachePolicy.init)
        else { return nil }
        let renditions = (row["renditions"] as String?).flatMap { StoredJSON.value([RenditionRecord].self, $0) }
        let tags = (row["tags"] as String?).flatMap { StoredJSON.value([String].self, $0) }
        return GIFReference(
            provider: provider, id: name, title: row["title"] ?? "", pageURL: row["page"], author: row["author"],
            licence: row["licence"], licenceURL: row["licencePage"], attribution: row["attribution"] ?? "",
            renditions: (renditions ?? []).map(\.rendition), cachePolicy: policy, rating: row["rating"],
            tags: tags ?? [], posted: row["createdAt"], comments: row["comments"], community: row["community"]
        ).cleaned()
    }
}

/// For columns that no SQL query reads: the tags and renditions of a work, and the page token of a listing.
enum StoredJSON {
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// Nil if the text does not represent a value of this type.
    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// The format of a rendition in the database.
struct RenditionRecord: Codable {
    var url: String
    var alternatives: [String]?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var frames: Int?
    var mayBeStill: Bool?

    init(_ rendition: Rendition) {
        url = rendition.url
        alternatives = rendition.alternatives.isEmpty ? nil : rendition.alternatives
        width = rendition.width
        height = rendition.height
        bytes = rendition.bytes
        frames = rendition.frames
        mayBeStill = rendition.mayBeStill ? true : nil
    }

    var rendition: Rendition {
        Rendition(
            url: url, alternatives: alternatives ?? [], width: width, height: height, bytes: bytes, frames: frames,
            mayBeStill: mayBeStill ?? false)
    }
}
