/// A record of the cells that were sent in updates. With this record, the player can encode an update again with the
/// same bytes. When the player sends the stored bytes of an update again, the record tells it which cells the terminal
/// shows afterwards.
public struct CellChanges: Sendable {
    struct Change {
        /// The cell's number in row order, counted from 0, with the glyph in the two highest bits.
        private let packed: UInt32
        /// The foreground; ``CellColor/unknown`` for a space, which has no foreground.
        let foreground: CellColor
        let background: CellColor

        init(cell: Int, glyph: CellGlyph, foreground: CellColor, background: CellColor) {
            packed = UInt32(cell) | glyph.rawValue << 30
            self.foreground = foreground
            self.background = background
        }

        var cell: Int { Int(packed & 0x3FFF_FFFF) }
        var glyph: CellGlyph { CellGlyph(rawValue: packed >> 30) ?? .space }
        var top: CellColor { glyph == .upper ? foreground : background }
        var bottom: CellColor { glyph == .lower ? foreground : background }
    }

    /// The changes of one update.
    public struct Slice {
        fileprivate let changes: ArraySlice<Change>
        fileprivate let width: Int

        func forEach(_ body: (_ row: Int, _ column: Int, _ change: Change) -> Void) {
            for change in changes {
                let (row, column) = change.cell.quotientAndRemainder(dividingBy: width)
                body(row, column, change)
            }
        }
    }

    private var changes: [Change] = []
    private var width = 1

    public init() {}

    public var count: Int { changes.count }
    public var byteCount: Int { changes.count * MemoryLayout<Change>.stride }

    @inline(__always)
    mutating func append(_ change: Change, width: Int) {
        self.width = width
        changes.append(change)
    }

    public mutating func append(contentsOf other: CellChanges) {
        width = other.width
        changes.append(contentsOf: other.changes)
    }

    /// Removes all changes, but keeps the capacity.
    public mutating func removeAll() { changes.removeAll(keepingCapacity: true) }

    /// The changes of one update.
    /// - Parameter range: from the value of ``count`` before the update was recorded to the value afterwards.
    public subscript(range: Range<Int>) -> Slice {
        Slice(changes: changes[range], width: width)
    }
}
