/// How an update finds the picture's cells on the screen.
public enum CursorAddressing: Equatable, Sendable {
    /// The picture's top left cell stands at this row and column of the screen, from 1.
    case absolute(row: Int, column: Int)
    /// The picture stands in the flow of text, at the left edge; between updates the cursor rests
    /// in the first column of the line `restRow` below the picture's top.
    case inline(restRow: Int)

    /// - Parameter from: the picture row of the cursor, or -1 at the start of an update.
    func move(from: Int, to row: Int, column: Int, _ out: inout ByteBuffer) {
        switch self {
        case .absolute(let top, let left):
            out.append("\u{1B}[")
            out.appendDecimal(top + row)
            if left + column > 1 {
                out.append(UInt8(ascii: ";"))
                out.appendDecimal(left + column)
            }
            out.append(UInt8(ascii: "H"))
        case .inline(let restRow):
            Self.vertical(row - (from < 0 ? restRow : from), &out)
            Self.horizontal(to: column, &out)
        }
    }

    func rest(from row: Int, _ out: inout ByteBuffer) {
        guard case .inline(let restRow) = self else { return }
        out.append(UInt8(ascii: "\r"))
        Self.vertical(restRow - row, &out)
    }

    private static func vertical(_ distance: Int, _ out: inout ByteBuffer) {
        guard distance != 0 else { return }
        out.append("\u{1B}[")
        if abs(distance) > 1 { out.appendDecimal(abs(distance)) }
        out.append(UInt8(ascii: distance > 0 ? "B" : "A"))
    }

    private static func horizontal(to column: Int, _ out: inout ByteBuffer) {
        guard column > 0 else { return out.append(UInt8(ascii: "\r")) }
        out.append("\u{1B}[")
        out.appendDecimal(column + 1)
        out.append(UInt8(ascii: "G"))
    }
}
