import Catalog
import Pixels

/// Tiles in columns, each next one where it is highest: GIFs and a pane in, places out.
///
/// Rows count from the top of the whole listing; the gallery shows a part of them.
struct Masonry: Equatable, Sendable {
    struct Tile: Equatable, Sendable {
        var key: GIFKey
        var column: Int
        /// Of the picture, in cells of the pane.
        var left: Int
        var top: Int
        /// In half-block pixels.
        var picture: PixelSize

        /// The title stands right below the picture.
        var titleRow: Int { top + picture.rows }
        var pictureRows: Range<Int> { top..<titleRow }
        var rows: Range<Int> { top..<titleRow + 1 }
    }

    private(set) var tiles: [Tile] = []
    /// Of all tiles together.
    private(set) var height = 0
    private var places: [GIFKey: Int] = [:]

    /// Between the title of one and the picture of the next.
    static let gap = 1

    init() {}

    /// - Parameter columns: where tiles stand that were placed before: they stay in their column, so that
    ///   a size that becomes known late moves only what is below it. New ones are added.
    init(_ items: [GIFReference], _ knowledge: Knowledge, _ pane: Pane, columns: inout Columns) {
        columns.become(pane.columnCount)
        var ends = [Int](repeating: 0, count: pane.columnCount)
        tiles.reserveCapacity(items.count)
        for item in items {
            let key = item.key
            let column = columns.column(of: key) ?? Self.lowest(ends)
            columns.note(key, column)
            let tile = Tile(
                key: key, column: column, left: column * pane.pitch + pane.gutter, top: ends[column],
                picture: pane.target(for: knowledge.canvas(of: item)))
            ends[column] = tile.rows.upperBound + Self.gap
            places[key] = tiles.count
            tiles.append(tile)
        }
        height = max(0, (ends.max() ?? 0) - Self.gap)
    }

    /// Its number in the listing.
    func place(of key: GIFKey) -> Int? { places[key] }

    func tile(_ key: GIFKey) -> Tile? { places[key].map { tiles[$0] } }

    /// The column that ends highest, the leftmost of equals.
    private static func lowest(_ ends: [Int]) -> Int {
        ends.indices.min { (ends[$0], $0) < (ends[$1], $1) } ?? 0
    }
}

/// Which column each tile was given.
struct Columns: Equatable, Sendable {
    private var count = 0
    private var given: [GIFKey: Int] = [:]

    func column(of key: GIFKey) -> Int? { given[key] }

    mutating func note(_ key: GIFKey, _ column: Int) { given[key] = column }

    /// Another number of columns begins anew.
    mutating func become(_ count: Int) {
        guard count != self.count else { return }
        self.count = count
        given = [:]
    }

    /// These are placed anew.
    mutating func forget(_ keys: some Sequence<GIFKey>) {
        for key in keys { given[key] = nil }
    }
}

extension Masonry {
    /// A step from one tile to another, as keys make it.
    enum Step {
        case up, down, left, right
    }

    /// Where a step leads; nil where there is nothing in that direction.
    func neighbour(of key: GIFKey, _ step: Step) -> Tile? {
        guard let tile = tile(key) else { return nil }
        switch step {
        case .up: return tiles.filter { $0.column == tile.column && $0.top < tile.top }.last
        case .down:
            if let below = tiles.first(where: { $0.column == tile.column && $0.top > tile.top }) { return below }
            // The last of a short column: what stands lower in another is still further down.
            let lower = tiles.filter { $0.top >= tile.rows.upperBound }
            return lower.min { ($0.top, abs($0.column - tile.column)) < ($1.top, abs($1.column - tile.column)) }
        case .left: return beside(tile, columns: (0..<tile.column).reversed())
        case .right:
            let last = tiles.map(\.column).max() ?? 0
            return beside(tile, columns: Array(tile.column + 1..<max(tile.column + 1, last + 1)))
        }
    }

    /// The one at the same height in the first of these columns that has any; of two the upper.
    private func beside(_ tile: Tile, columns: some Sequence<Int>) -> Tile? {
        for column in columns {
            let candidates = tiles.filter { $0.column == column }
            if let best = candidates.max(by: { Self.shared($0, tile) < Self.shared($1, tile) }) {
                return candidates.first { Self.shared($0, tile) == Self.shared(best, tile) } ?? best
            }
        }
        return nil
    }

    /// How many rows two tiles share; less than none for those apart.
    private static func shared(_ one: Tile, _ other: Tile) -> Int {
        min(one.rows.upperBound, other.rows.upperBound) - max(one.rows.lowerBound, other.rows.lowerBound)
    }

    /// Those that have a row among these.
    func tiles(in rows: Range<Int>) -> [Tile] { tiles.filter { $0.rows.overlaps(rows) } }

    /// The one whose middle is nearest to a row, in the column if that has one there.
    func nearest(to row: Int, column: Int, among rows: Range<Int>) -> Tile? {
        let visible = tiles(in: rows)
        let own = visible.filter { $0.column == column }
        return (own.isEmpty ? visible : own).min {
            abs($0.rows.middle - row) < abs($1.rows.middle - row)
        }
    }
}

extension Range<Int> {
    var middle: Int { (lowerBound + upperBound) / 2 }
}
