import Base
import Catalog

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
}

extension MarkedGIF {
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
