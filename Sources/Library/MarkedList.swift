import Base
import Catalog
import SQLite

/// The lists of marked GIFs that the user can show, export and import.
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
    public func all(in list: MarkedList?) async throws(StoreError) -> [MarkedGIF] {
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
            func time(_ mark: Int?) -> Int? { mark.map { Int(clamping: $0, to: 0...Timestamp.latest) } }
            return MarkedGIF(
                reference: reference, favourite: time(row["favourite"]), viewed: time(row["viewed"]),
                views: Int(clamping: row["views"] ?? 0, to: 0...Int.outsideRange.upperBound),
                dismissed: time(row["dismissed"]))
        }
    }
}
