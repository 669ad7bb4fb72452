/// Writes cells and moves as bytes, knowing which colours are set and where the cursor is.
///
/// Within one update only: each update starts with nothing known, so that its bytes hold good
/// whatever was written in between (a status line, a replay).
struct CellWriter: ~Copyable {
    private var foreground = CellColor.unknown
    private var background = CellColor.unknown
    private var row = -1
    private var column = -1
    private let addressing: CursorAddressing
    private let width: Int

    /// The most bytes that one cell with its colours and a move before it can take.
    static let longestCell = 64

    /// - Parameter width: of the picture, in cells.
    init(_ addressing: CursorAddressing, width: Int) {
        self.addressing = addressing
        self.width = width
    }

    /// The cursor stands already where the first cell comes: no move is written.
    mutating func startsInPlace() {
        row = 0
        column = 0
    }

    // MARK: - Beside text

    /// Moves to the place of the picture where something comes next; both from 0.
    mutating func move(row newRow: Int, column newColumn: Int, _ out: inout ByteBuffer) {
        if newRow != row || newColumn != column { move(newRow, newColumn, &out) }
    }

    /// Writes the cell at the cursor, of which nothing is known but these two colours. Needs ``longestCell``
    /// bytes of room.
    /// - Returns: the colours that the terminal shows now, each within the tolerance.
    mutating func write(
        _ top: CellColor, _ bottom: CellColor, within tolerance: Int, _ out: inout ByteBuffer
    ) -> (top: CellColor, bottom: CellColor) {
        let serving: UInt8 =
            (top.differs(from: foreground, by: tolerance) ? 0 : 1)
            | (bottom.differs(from: foreground, by: tolerance) ? 0 : 2)
            | (top.differs(from: background, by: tolerance) ? 0 : 4)
            | (bottom.differs(from: background, by: tolerance) ? 0 : 8)
        let kind = CellPlan.Kind(
            isFlat: top == bottom || serving & 12 == 12, topIsBackground: top == .terminalDefault,
            bottomIsBackground: bottom == .terminalDefault)
        let offer = CellOffer.table[Int(serving | kind.rawValue)]
        let front = offer.setsFront ? (offer.glyph == .upper ? top : bottom) : foreground
        let behind = offer.setsBehind ? (offer.glyph == .upper ? bottom : top) : background
        write(row: row, column: column, offer.glyph, front, behind, &out)
        return (offer.glyph == .upper ? front : behind, offer.glyph == .lower ? front : behind)
    }

    /// Back to no attributes: the terminal's own background, and a foreground that nothing relies on.
    mutating func reset(_ out: inout ByteBuffer) {
        out.append("\u{1B}[0m")
        foreground = .unknown
        background = .terminalDefault
    }

    /// Somebody else wrote one cell.
    mutating func advance() { column += 1 }

    /// The cursor may be anywhere.
    mutating func forgetPlace() { row = -1 }

    /// Leaves the cursor where the next update expects it.
    mutating func finish(_ out: inout ByteBuffer) {
        out.reserve(Self.longestCell)
        if foreground != .unknown || background != .unknown { out.append("\u{1B}[0m") }
        if row >= 0 { addressing.rest(from: row, &out) }
    }

    /// Writes the cell at a place of the picture; both from 0. Needs ``longestCell`` bytes of room.
    /// - Parameter front: of no account where the glyph is a space.
    @inline(__always)
    mutating func write(
        row newRow: Int, column newColumn: Int, _ glyph: CellGlyph, _ front: CellColor, _ behind: CellColor,
        _ out: inout ByteBuffer
    ) {
        if newRow != row || newColumn != column { move(newRow, newColumn, &out) }
        column += 1
        switch glyph {
        case .space:
            if behind != background { setColors(foreground, behind, &out) }
            out.appendUnchecked(0x20)
        case .upper:
            if behind != background || front != foreground { setColors(front, behind, &out) }
            out.appendUnchecked(packed: ControlSequence.upperHalfBlock, length: 3)
        case .lower:
            if behind != background || front != foreground { setColors(front, behind, &out) }
            out.appendUnchecked(packed: ControlSequence.lowerHalfBlock, length: 3)
        }
    }

    @inline(never)
    private mutating func move(_ newRow: Int, _ newColumn: Int, _ out: inout ByteBuffer) {
        // Behind the last column the cursor may stand in it, where the screen ends.
        addressing.move(from: row, column < width ? column : nil, to: newRow, newColumn, &out)
        row = newRow
        column = newColumn
    }

    /// One SGR for what differs.
    @inline(__always)
    private mutating func setColors(_ newForeground: CellColor, _ newBackground: CellColor, _ out: inout ByteBuffer) {
        out.appendUnchecked(0x1B)
        out.appendUnchecked(0x5B)
        if newForeground != foreground {
            appendColor(UInt32(UInt8(ascii: "3")), newForeground, &out)
            foreground = newForeground
        }
        if newBackground != background {
            if newBackground == .terminalDefault {
                out.appendUnchecked(packed: 0x3B_3934, length: 3)  // "49;"
            } else {
                appendColor(UInt32(UInt8(ascii: "4")), newBackground, &out)
            }
            background = newBackground
        }
        out.replaceLastUnchecked(with: UInt8(ascii: "m"))
    }

    @inline(__always)
    private func appendColor(_ plane: UInt32, _ color: CellColor, _ out: inout ByteBuffer) {
        out.appendUnchecked(packed: plane | 0x32_3B38 << 8, length: 4)  // "38;2"
        out.appendUnchecked(UInt8(ascii: ";"))
        let decimals = ControlSequence.decimals
        let red = decimals[color.red]
        out.appendUnchecked(packed: red.packed, length: red.length)
        let green = decimals[color.green]
        out.appendUnchecked(packed: green.packed, length: green.length)
        let blue = decimals[color.blue]
        out.appendUnchecked(packed: blue.packed, length: blue.length)
    }
}
