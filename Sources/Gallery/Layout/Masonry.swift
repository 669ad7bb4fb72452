import Catalog
import Pixels

/// A masonry layout, which places each new tile in the column that is currently the shortest.
///
/// Rows are counted from the top of the whole listing, not from the top of the screen.
struct Masonry: Equatable, Sendable {
    struct Tile: Equatable, Sendable {
        var key: GIFKey
        var column: Int
        /// The left edge of the picture in the pane, in cells.
        var left: Int
        var top: Int
        /// The size of the picture in half-block pixels.
        var picture: PixelSize

        /// The row of the title, directly below the picture.
        var titleRow: Int { top + picture.rows }
        var pictureRows: Range<Int> { top..<titleRow }
        var rows: Range<Int> { top..<titleRow + 1 }
    }

    private(set) var tiles: [Tile] = []
    private(set) var height = 0
    private var indexByKey: [GIFKey: Int] = [:]

    /// The number of empty rows between the title of a tile and the picture of the next one.
    static let gap = 1

    init() {}

    /// - Parameter columns: the column of each tile that an earlier layout placed. These tiles stay in their columns.
    ///   Therefore, a new canvas size moves only the tiles below. Adds the columns of new tiles.
    init(_ items: [GIFReference], _ facts: ItemFacts, _ pane: Pane, columns: inout Columns) {
        columns.setCount(pane.columnCount)
        var ends = [Int](repeating: 0, count: pane.columnCount)
        tiles.reserveCapacity(items.count)
        for item in items {
            let key = item.key
            let column = columns.column(of: key) ?? Self.lowest(ends)
            columns.assign(key, column)
            let tile = Tile(
                key: key, column: column, left: column * pane.pitch + pane.gutter, top: ends[column],
                picture: pane.target(for: facts.canvas(of: item)))
            ends[column] = tile.rows.upperBound + Self.gap
            indexByKey[key] = tiles.count
            tiles.append(tile)
        }
        height = max(0, (ends.max() ?? 0) - Self.gap)
    }

    /// Returns the index of the GIF in ``tiles``, which is also its index in the items; nil if it has no tile.
    func index(of key: GIFKey) -> Int? { indexByKey[key] }

    func tile(_ key: GIFKey) -> Tile? { indexByKey[key].map { tiles[$0] } }

    /// Returns the shortest column. If several columns are equally short, returns the leftmost one.
    private static func lowest(_ ends: [Int]) -> Int { ends.indices.min { (ends[$0], $0) < (ends[$1], $1) } ?? 0 }
}

/// The column assigned to each tile.
struct Columns: Equatable, Sendable {
    private var count = 0
    private var columnByKey: [GIFKey: Int] = [:]

    func column(of key: GIFKey) -> Int? { columnByKey[key] }

    mutating func assign(_ key: GIFKey, _ column: Int) { columnByKey[key] = column }

    mutating func setCount(_ count: Int) {
        guard count != self.count else { return }
        self.count = count
        columnByKey = [:]
    }

    mutating func removeAssignments(of keys: some Sequence<GIFKey>) { for key in keys { columnByKey[key] = nil } }
}

extension Masonry {
    enum Step {
        case up, down, left, right
    }

    /// Returns the tile to which a step moves the selection; nil if there is no tile in that direction.
    func neighbour(of key: GIFKey, _ step: Step) -> Tile? {
        guard let tile = tile(key) else { return nil }
        switch step {
        case .up: return tiles.filter { $0.column == tile.column && $0.top < tile.top }.last
        case .down:
            if let below = tiles.first(where: { $0.column == tile.column && $0.top > tile.top }) { return below }
            // No tile follows in the same column, so choose the topmost one that begins below `tile`.
            let lower = tiles.filter { $0.top >= tile.rows.upperBound }
            return lower.min { ($0.top, abs($0.column - tile.column)) < ($1.top, abs($1.column - tile.column)) }
        case .left: return beside(tile, columns: (0..<tile.column).reversed())
        case .right:
            let last = tiles.map(\.column).max() ?? 0
            return beside(tile, columns: Array(tile.column + 1..<max(tile.column + 1, last + 1)))
        }
    }

    /// Searches the columns in the given order and uses only the first column that has tiles. Returns the tile in that
    /// column that shares the most rows with `tile`. Of equal ones, returns the upper one.
    private func beside(_ tile: Tile, columns: some Sequence<Int>) -> Tile? {
        for column in columns {
            let candidates = tiles.filter { $0.column == column }
            if let best = candidates.max(by: { Self.shared($0, tile) < Self.shared($1, tile) }) {
                return candidates.first { Self.shared($0, tile) == Self.shared(best, tile) } ?? best
            }
        }
        return nil
    }

    /// Returns the number of rows that two tiles share; negative if there is a gap between them.
    private static func shared(_ one: Tile, _ other: Tile) -> Int {
        min(one.rows.upperBound, other.rows.upperBound) - max(one.rows.lowerBound, other.rows.lowerBound)
    }

    /// Returns the tile whose middle is nearest to `row`. Considers only tiles that overlap `rows`; of these, only the
    /// tiles in `column` if there are any. Returns nil if no tile overlaps `rows`.
    func nearest(to row: Int, column: Int, among rows: Range<Int>) -> Tile? {
        let visible = tiles.filter { $0.rows.overlaps(rows) }
        let own = visible.filter { $0.column == column }
        return (own.isEmpty ? visible : own).min {
            abs($0.rows.middle - row) < abs($1.rows.middle - row)
        }
    }
}

extension Range<Int> {
    var middle: Int { (lowerBound + upperBound) / 2 }
}
