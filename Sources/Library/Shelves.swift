import Catalog
import GRDB
import Gallery

/// What the user gave a GIF: the lists that are shown, exported and imported.
public enum Shelf: String, CaseIterable, Sendable {
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

/// A GIF with all that is known of what the user did with it. Times are seconds since 1970.
public struct MarkedGIF: Equatable, Sendable {
    public var reference: GIFReference
    public var favourite: Int?
    /// The last time.
    public var viewed: Int?
    public var views: Int
    public var dismissed: Int?

    public init(
        reference: GIFReference, favourite: Int? = nil, viewed: Int? = nil, views: Int = 0, dismissed: Int? = nil
    ) {
        self.reference = reference
        self.favourite = favourite
        self.viewed = viewed
        self.views = views
        self.dismissed = dismissed
    }
}

extension Library {
    /// All that lies on a shelf, newest first.
    public func all(on shelf: Shelf) async throws(StoreError) -> [MarkedGIF] {
        try await read { try Self.all(on: shelf, $0) }
    }

    static func all(on shelf: Shelf, _ db: Database) throws -> [MarkedGIF] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT mark.favourite, mark.viewed, mark.views, mark.dismissed, \(WorkRecord.columns)
                FROM mark JOIN work ON work.id = mark.work WHERE mark.\(shelf.column) IS NOT NULL
                ORDER BY mark.\(shelf.column) DESC, work.provider, work.name
                """)
        var all: [MarkedGIF] = []
        while let row = try rows.next() {
            guard let reference = WorkRecord.reference(row) else { continue }
            all.append(
                MarkedGIF(
                    reference: reference, favourite: row["favourite"], viewed: row["viewed"], views: row["views"],
                    dismissed: row["dismissed"]))
        }
        return all
    }
}
