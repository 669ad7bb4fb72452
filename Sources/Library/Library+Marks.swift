import Base
import Catalog
import FoundationEssentials

extension Library {
    public func marks(of keys: [GIFKey]) async throws(Failure) -> [GIFKey: Marks] {
        try await read { db in
            var marks: [GIFKey: Marks] = [:]
            for key in keys {
                marks[key] = try db.first(
                    """
                    SELECT favourite IS NOT NULL AS favourite, viewed IS NOT NULL AS viewed,
                        dismissed IS NOT NULL AS dismissed
                    FROM mark JOIN work ON work.id = mark.work WHERE provider = ? AND name = ?
                    """, [key.provider, key.id]
                ) { row in
                    Marks(
                        isFavourite: row["favourite"] == 1, isViewed: row["viewed"] == 1,
                        isDismissed: row["dismissed"] == 1)
                }
            }
            return marks
        }
    }

    /// If the GIF is already a favourite, the original time of the mark is kept.
    public func setFavourite(_ reference: GIFReference, _ isFavourite: Bool, at seconds: Int) async throws(Failure) {
        session.record([reference])
        try await write { db in
            guard isFavourite else { return try Self.clear("favourite", of: reference.key, db) }
            try Self.set("favourite", of: reference, at: seconds, db)
        }
    }

    public func markViewed(_ reference: GIFReference, at seconds: Int) async throws(Failure) {
        session.record([reference])
        guard options.keepsHistory else { return }
        let limit = options.bounds.history
        try await write { db in
            guard let work = try WorkRecord.write(reference, db) else { return }
            try db.run(
                """
                INSERT INTO mark (work, viewed, views) VALUES (?, ?, 1)
                ON CONFLICT (work) DO UPDATE SET viewed = excluded.viewed, views = min(views, 1 << 40) + 1
                """, [work, seconds])
            try db.run(
                """
                UPDATE mark SET viewed = NULL, views = 0 WHERE work IN (
                    SELECT work FROM mark WHERE viewed IS NOT NULL
                    ORDER BY viewed DESC, work DESC LIMIT -1 OFFSET ?)
                """, [limit])
        }
    }

    public func setDismissed(_ references: [GIFReference], _ isDismissed: Bool, at seconds: Int) async throws(Failure) {
        try await write { db in
            for reference in references {
                if isDismissed {
                    try Self.set("dismissed", of: reference, at: seconds, db)
                } else {
                    try Self.clear("dismissed", of: reference.key, db)
                }
            }
        }
    }

    private static func set(_ column: String, of reference: GIFReference, at seconds: Int, _ db: Connection) throws {
        guard let work = try WorkRecord.write(reference, db) else { return }
        try db.run(
            """
            INSERT INTO mark (work, \(column)) VALUES (?, ?)
            ON CONFLICT (work) DO UPDATE SET \(column) = coalesce(\(column), excluded.\(column))
            """, [work, seconds])
    }

    private static func clear(_ column: String, of key: GIFKey, _ db: Connection) throws {
        guard let work = try WorkRecord.rowID(of: key, db) else { return }
        try db.run("UPDATE mark SET \(column) = NULL WHERE work = ?", [work])
    }
}

/// The lists of marked GIFs that the user can show.
public enum MarkedList: String, CaseIterable, Sendable {
    case favourites
    case history
    case dismissed

    var column: String {
        switch self {
        case .favourites: "favourite"
        case .history: "viewed"
        case .dismissed: "dismissed"
        }
    }
}

/// A GIF with all of the user's marks. Times are in seconds since 1970.
public struct MarkedGIF: Equatable, Sendable {
    public var reference: GIFReference
    public var favourite: Int?
    /// The time of the last view.
    public var viewed: Int?
    public var views = 0
    public var dismissed: Int?

    /// If `list` is nil, returns the latest time of all three marks.
    public func time(in list: MarkedList?) -> Int {
        let times =
            switch list {
            case .favourites: [favourite]
            case .history: [viewed]
            case .dismissed: [dismissed]
            case nil: [favourite, viewed, dismissed]
            }
        return times.compactMap(\.self).max() ?? 0
    }
}

extension Library {
    /// Newest first. If `list` is nil, returns the GIFs of all lists.
    public func all(in list: MarkedList?) async throws(Failure) -> [MarkedGIF] {
        try await read { try Self.all(in: list, $0) }
    }

    static func all(in list: MarkedList?, _ db: Connection) throws -> [MarkedGIF] {
        let newest = "max(coalesce(mark.favourite, 0), coalesce(mark.viewed, 0), coalesce(mark.dismissed, 0))"
        let time = list.map { "mark.\($0.column)" } ?? newest
        return try db.rows(
            """
            SELECT mark.favourite, mark.viewed, mark.views, mark.dismissed, \(WorkRecord.columns)
            FROM mark JOIN work ON work.id = mark.work WHERE \(time) IS NOT NULL
            ORDER BY \(time) DESC, work.provider, work.name
            """
        ) { row in
            guard let reference = WorkRecord.reference(row) else { return nil }
            func time(_ mark: Int?) -> Int? { mark.map { Int(clamping: $0, to: 0...Int.latestTime) } }
            return MarkedGIF(
                reference: reference, favourite: time(row["favourite"]), viewed: time(row["viewed"]),
                views: Int(clamping: row["views"] ?? 0, to: 0...Int.outsideRange.upperBound),
                dismissed: time(row["dismissed"]))
        }
    }
}

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

/// A time as ISO 8601 text in UTC, such as 2026-11-21T18:32:00Z.
public enum Timestamp {
    /// A time before 1970 or after 9999 is clamped to the nearest valid time.
    public static func text(_ seconds: Int) -> String {
        let clamped = Int(clamping: seconds, to: 0...Int.latestTime)
        return Date(timeIntervalSince1970: Double(clamped)).formatted(.iso8601)
    }
}
