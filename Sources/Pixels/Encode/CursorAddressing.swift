/// The method by which an update moves the cursor to the picture's cells on the screen.
public enum CursorAddressing: Equatable, Sendable {
    /// The top left cell of the picture is at this row and column of the screen, both counted from 1.
    case absolute(row: Int, column: Int)
    /// The picture is part of the scrolling text, at the left edge. Between updates, the cursor is in the idle row, in
    /// the first column. The idle row is `idleRow` rows below the top row of the picture. In a still, `idleRow` is 0:
    /// an image begins at the cursor and moves it.
    case inline(idleRow: Int)

    /// Returns the approximate number of bytes of a cursor move.
    @inline(__always)
    static func estimate(from: CellPosition, to: CellPosition) -> Int32 {
        let right = to.column &- from.column
        let across: Int32 = right == 0 ? 0 : right > 0 ? 4 : min(0 &- right, 5)
        return to.row == from.row ? across : min(across &+ 4, 8)
    }

    /// Appends a cursor move. `out` must have capacity for 16 more bytes.
    /// - Parameters:
    ///   - row: the cursor's row in the picture; -1 at the start of an update.
    ///   - column: the cursor's column in the picture; nil if it is unknown.
    @inline(__always)
    func move(from row: Int, _ column: Int?, to newRow: Int, _ newColumn: Int, _ out: inout ByteBuffer) {
        switch self {
        case .absolute(let top, let left):
            guard row >= 0, let column else { return Self.moveAbsolutely(top + newRow, left + newColumn, &out) }
            let distance = newColumn - column
            // A vertical move followed by a horizontal move is shorter than an absolute move only if the horizontal
            // move consists of at most three backspaces.
            guard newRow == row || (-3...0).contains(distance) else {
                return Self.moveAbsolutely(top + newRow, left + newColumn, &out)
            }
            Self.moveVertically(newRow - row, &out)
            Self.moveHorizontally(distance, to: left + newColumn, &out)
        case .inline(let idleRow):
            Self.moveVertically(newRow - (row < 0 ? idleRow : row), &out)
            Self.moveHorizontally(row < 0 ? newColumn : column.map { newColumn - $0 } ?? .min, to: newColumn + 1, &out)
        }
    }

    /// Appends the cursor move to the idle row. Does nothing for ``absolute(row:column:)``.
    func moveToIdleRow(from row: Int, _ out: inout ByteBuffer) {
        guard case .inline(let idleRow) = self else { return }
        out.append(UInt8(ascii: "\r"))
        Self.moveVertically(idleRow - row, &out)
    }

    /// - Parameters:
    ///   - distance: the number of columns from the cursor to the target; `.min` if the cursor's column is unknown.
    ///   - target: the target column on the screen, counted from 1.
    @inline(__always)
    private static func moveHorizontally(_ distance: Int, to target: Int, _ out: inout ByteBuffer) {
        if distance > 0 {
            appendSequence(distance, UInt8(ascii: "C"), &out)
        } else if distance >= -3 {
            for _ in distance..<0 { out.appendUnchecked(0x08) }
        } else if target == 1 {
            out.appendUnchecked(UInt8(ascii: "\r"))
        } else if distance < 0 &- target {
            appendSequence(target, UInt8(ascii: "G"), &out)
        } else {
            appendSequence(0 &- distance, UInt8(ascii: "D"), &out)
        }
    }

    @inline(__always)
    private static func moveVertically(_ distance: Int, _ out: inout ByteBuffer) {
        if distance > 0 { appendSequence(distance, UInt8(ascii: "B"), &out) }
        if distance < 0 { appendSequence(0 &- distance, UInt8(ascii: "A"), &out) }
    }

    @inline(__always)
    private static func moveAbsolutely(_ row: Int, _ column: Int, _ out: inout ByteBuffer) {
        out.appendUnchecked(packed: 0x5B1B, length: 2)
        appendNumber(row, &out)
        // Emacs's eat takes a single number for a column.
        out.appendUnchecked(UInt8(ascii: ";"))
        if column > 1 { appendNumber(column, &out) }
        out.appendUnchecked(UInt8(ascii: "H"))
    }

    /// Appends the control sequence `CSI count final`. Omits the count if it is 1.
    @inline(__always)
    private static func appendSequence(_ count: Int, _ final: UInt8, _ out: inout ByteBuffer) {
        out.appendUnchecked(packed: 0x5B1B, length: 2)
        if count > 1 { appendNumber(count, &out) }
        out.appendUnchecked(final)
    }

    @inline(__always)
    private static func appendNumber(_ value: Int, _ out: inout ByteBuffer) {
        guard value < 256 else { return out.appendDecimalUnchecked(value) }
        let decimal = ControlSequence.decimals[value]
        out.appendUnchecked(packed: decimal.packed, length: decimal.length - 1)
    }

    // MARK: - Images

    /// Appends the cursor move to the first cell of an image that begins in this row of the picture.
    func beginImage(row: Int = 0, into out: inout ByteBuffer) {
        switch self {
        case .absolute(let top, let left): out.append("\u{1B}[\(top + row);\(left)H")
        case .inline(0): break
        case .inline(let idleRow): out.append("\u{1B}7\u{1B}[\(idleRow - row)A\r")
        }
    }

    /// Appends the cursor move back to the idle row.
    func endImage(into out: inout ByteBuffer) {
        if case .inline(let idleRow) = self, idleRow > 0 { out.append("\u{1B}8") }
    }
}
