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
    private let tolerance: Int

    /// The most bytes that one cell with its colours and a move before it can take.
    static let longestCell = 64

    /// - Parameter tolerance: how far a channel may be from the colour asked for, so that a colour
    ///   that is set already can serve.
    init(_ addressing: CursorAddressing, tolerance: Int) {
        self.addressing = addressing
        self.tolerance = tolerance
    }

    /// Goes to a cell of the picture; both from 0.
    mutating func move(row newRow: Int, column newColumn: Int, _ out: inout ByteBuffer) {
        if newRow == row {
            forward(newColumn - column, &out)
        } else {
            addressing.move(from: row, to: newRow, column: newColumn, &out)
        }
        row = newRow
        column = newColumn
    }

    // MARK: - Beside text

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

    /// Writes one cell at the cursor. Needs ``longestCell`` bytes of room.
    /// - Returns: the colours that the terminal shows now, each within the tolerance.
    @inline(__always)
    mutating func write(
        _ top: CellColor, _ bottom: CellColor, _ out: inout ByteBuffer
    ) -> (top: CellColor, bottom: CellColor) {
        column += 1
        if serves(background, top), serves(background, bottom) {
            out.appendUnchecked(0x20)
            return (background, background)
        }
        // A full block in a foreground that is set would save an SGR, but where a font's block does not
        // fill the cell (xterm with scalable fonts), the background shows as a grid. Costs 1 to 4%.
        if top == bottom {
            setColors(.unknown, top, &out)
            out.appendUnchecked(0x20)
            return (top, top)
        }
        return writeHalves(top, bottom, &out)
    }

    @inline(__always)
    private mutating func writeHalves(
        _ top: CellColor, _ bottom: CellColor, _ out: inout ByteBuffer
    ) -> (top: CellColor, bottom: CellColor) {
        let topInFront = serves(foreground, top)
        let bottomBehind = serves(background, bottom)
        let bottomInFront = serves(foreground, bottom)
        let topBehind = serves(background, top)
        let upperCost = (topInFront ? 0 : 1) + (bottomBehind ? 0 : 1)
        let lowerCost = (bottomInFront ? 0 : 1) + (topBehind ? 0 : 1)
        // The terminal's own background can only be a background.
        if top == .terminalDefault || (bottom != .terminalDefault && lowerCost < upperCost) {
            if lowerCost > 0 { setColors(bottomInFront ? .unknown : bottom, topBehind ? background : top, &out) }
            out.appendUnchecked(packed: ControlSequence.lowerHalfBlock, length: 3)
            return (background, foreground)
        }
        if upperCost > 0 { setColors(topInFront ? .unknown : top, bottomBehind ? background : bottom, &out) }
        out.appendUnchecked(packed: ControlSequence.upperHalfBlock, length: 3)
        return (foreground, background)
    }

    /// Whether a colour that is set can stand for the one asked for.
    @inline(__always)
    private func serves(_ set: CellColor, _ wanted: CellColor) -> Bool {
        !wanted.differs(from: set, by: tolerance)
    }

    /// One SGR for what differs; `.unknown` as the foreground leaves it as it is.
    @inline(__always)
    private mutating func setColors(_ newForeground: CellColor, _ newBackground: CellColor, _ out: inout ByteBuffer) {
        out.appendUnchecked(0x1B)
        out.appendUnchecked(0x5B)
        if newForeground != .unknown && newForeground != foreground {
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

    @inline(__always)
    private func forward(_ distance: Int, _ out: inout ByteBuffer) {
        guard distance > 0 else { return }
        out.appendUnchecked(0x1B)
        out.appendUnchecked(0x5B)
        if distance > 1 { out.appendDecimalUnchecked(distance) }
        out.appendUnchecked(UInt8(ascii: "C"))
    }
}
