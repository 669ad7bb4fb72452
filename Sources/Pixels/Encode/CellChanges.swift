/// A record of the cells that updates have sent. From a recorded update, the player can encode the same bytes again. If
/// it sends stored bytes instead, the record determines what the terminal shows afterwards.
public struct CellChanges: Sendable {
    struct Change {
        /// The cell's number in row order, counted from 0, with the glyph in the highest byte.
        private let packed: UInt32
        /// The foreground; ``CellColor/unknown`` for a space, which has no foreground.
        let foreground: CellColor
        let background: CellColor

        /// - Parameter glyph: the number of the glyph: a ``CellGlyph`` or a mask of a ``SubcellGrid``.
        init(cell: Int, glyph: UInt8, foreground: CellColor, background: CellColor) {
            packed = UInt32(cell) | UInt32(glyph) << 24
            self.foreground = foreground
            self.background = background
        }

        var cell: Int { Int(packed & 0xFF_FFFF) }
        var glyph: UInt8 { UInt8(packed >> 24) }
        var halfBlock: CellGlyph { CellGlyph(rawValue: glyph) ?? .space }
        var top: CellColor { halfBlock == .upper ? foreground : background }
        var bottom: CellColor { halfBlock == .lower ? foreground : background }
    }

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

    /// The largest number of cells of a picture whose changes can be recorded.
    public static let maximumCells = 1 << 24

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
    /// - Parameter range: from ``count`` before the update was recorded to ``count`` after it was recorded.
    public subscript(range: Range<Int>) -> Slice { Slice(changes: changes[range], width: width) }
}
