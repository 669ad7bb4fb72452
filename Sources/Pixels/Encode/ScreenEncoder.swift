/// A grid of text and pictures -> the bytes that make the terminal show it, given what it shows already.
public struct ScreenEncoder: ~Copyable {
    /// Nil while nothing is known of what the terminal shows.
    private let shown: ScreenGrid
    private var isKnown = false

    public init(size: CellSize) {
        shown = ScreenGrid(size: size)
    }

    /// Appends the update that brings the terminal to `grid`, pixels within `fidelity`.
    /// - Returns: how many cells were sent.
    @discardableResult
    public mutating func encode(
        _ grid: borrowing ScreenGrid, _ glyphs: GlyphTable, fidelity: Fidelity, into out: inout ByteBuffer
    ) -> Int {
        precondition(grid.size == shown.size)
        if !isKnown {
            out.append("\u{1B}[0m\u{1B}[2J")
            shown.clear()
            isKnown = true
        }
        var pen = ScreenPen(width: grid.size.columns, tolerance: fidelity.tolerance)
        var sent = 0
        for row in 0..<grid.size.rows {
            for column in 0..<grid.size.columns {
                let index = row * grid.size.columns + column
                let cell = grid.cells[index]
                guard cell.differs(from: shown.cells[index], by: fidelity.tolerance) else { continue }
                shown.cells[index] = pen.draw(cell, row: row, column: column, glyphs, &out)
                sent += 1
            }
        }
        pen.finish(&out)
        return sent
    }
}

/// Draws cells one after another, moving and changing attributes only where it must.
private struct ScreenPen: ~Copyable {
    private var writer: CellWriter
    private var attributes: TextAttributes?
    /// Where the terminal's cursor is; nil after a character whose width terminals disagree about.
    private var next: (row: Int, column: Int)?

    private let tolerance: Int

    init(width: Int, tolerance: Int) {
        writer = CellWriter(.absolute(row: 1, column: 1), width: width)
        self.tolerance = tolerance
    }

    /// - Returns: what the terminal shows there now.
    mutating func draw(
        _ cell: ScreenCell, row: Int, column: Int, _ glyphs: GlyphTable, _ out: inout ByteBuffer
    ) -> ScreenCell {
        // Drawn with its left half.
        if cell == .continuation { return cell }
        out.reserve(CellWriter.longestCell)
        if next.map({ $0 != (row, column) }) ?? true {
            if next == nil { writer.forgetPlace() }
            writer.move(row: row, column: column, &out)
        }
        next = (row, column + 1)
        guard cell.isText else {
            if let attributes, attributes != [] { writer.reset(&out) }
            attributes = nil
            let now = writer.write(
                CellColor(bits: cell.upper), CellColor(bits: cell.lower), within: tolerance, &out)
            return ScreenCell(top: now.top, bottom: now.bottom)
        }
        set(cell.attributes, &out)
        glyphs.append(cell.glyph, to: &out)
        writer.advance()
        if cell.glyph >= 0x80 { next = nil }
        return cell
    }

    private mutating func set(_ wanted: TextAttributes, _ out: inout ByteBuffer) {
        guard attributes != wanted else { return }
        attributes = wanted
        writer.reset(&out)
        guard wanted != [] else { return }
        out.append("\u{1B}[")
        var isFirst = true
        for (attribute, code) in Self.codes where wanted.contains(attribute) {
            if !isFirst { out.append(UInt8(ascii: ";")) }
            out.append(code)
            isFirst = false
        }
        out.append(UInt8(ascii: "m"))
    }

    private static let codes: [(TextAttributes, UInt8)] = [
        (.bold, UInt8(ascii: "1")), (.dim, UInt8(ascii: "2")), (.underlined, UInt8(ascii: "4")),
        (.reversed, UInt8(ascii: "7")),
    ]

    mutating func finish(_ out: inout ByteBuffer) {
        if let attributes, attributes != [] { writer.reset(&out) }
        writer.finish(&out)
    }
}
