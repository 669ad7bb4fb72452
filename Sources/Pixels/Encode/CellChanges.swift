/// A record of the cells that updates sent, so that a player who replays their bytes still knows
/// what the terminal shows.
public struct CellChanges: Sendable {
    fileprivate struct Change {
        var cell: UInt32
        var top: CellColor
        var bottom: CellColor
    }

    /// The changes of one update.
    public struct Slice {
        fileprivate let changes: ArraySlice<Change>
        fileprivate let width: Int

        func forEach(_ body: (_ row: Int, _ column: Int, _ top: CellColor, _ bottom: CellColor) -> Void) {
            for change in changes {
                let (row, column) = Int(change.cell).quotientAndRemainder(dividingBy: width)
                body(row, column, change.top, change.bottom)
            }
        }
    }

    private var changes: [Change] = []
    private var width = 1

    public init() {}

    public var count: Int { changes.count }
    public var byteCount: Int { changes.count * MemoryLayout<Change>.stride }

    @inline(__always)
    mutating func append(row: Int, column: Int, width: Int, _ top: CellColor, _ bottom: CellColor) {
        self.width = width
        changes.append(Change(cell: UInt32(row * width + column), top: top, bottom: bottom))
    }

    public mutating func append(contentsOf other: CellChanges) {
        width = other.width
        changes.append(contentsOf: other.changes)
    }

    /// Keeps the room.
    public mutating func removeAll() { changes.removeAll(keepingCapacity: true) }

    /// - Parameter range: positions as ``count`` told them.
    public subscript(range: Range<Int>) -> Slice {
        Slice(changes: changes[range], width: width)
    }
}
