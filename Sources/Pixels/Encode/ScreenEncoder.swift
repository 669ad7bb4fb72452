/// Encodes a grid of text and pictures as bytes that update the terminal. Omits cells that it already shows.
public struct ScreenEncoder: ~Copyable {
    /// The cells that the terminal shows now; valid only if `isKnown` is true.
    private let shown: ScreenGrid
    private var isKnown = false
    /// The subcell grid of the pictures; nil for half-blocks.
    private let subcells: SubcellGrid?
    /// Converts pictures to the colours of the terminal; nil if the terminal shows all colours. If it is not nil,
    /// ``shown`` contains the 24-bit colours before the conversion.
    private let reducer: ScreenReducer?
    private let accent: String?

    /// - Parameters:
    ///   - mode: the mode of all pictures; see ``PictureMode/adapted(to:)``.
    ///   - background: the terminal's background colour; nil if it is unknown.
    public init(
        size: CellSize, mode: PictureMode = .half, colors: ColorFormat = .standard, background: CellColor? = nil
    ) {
        shown = ScreenGrid(size: size)
        if case .subcells(let grid) = mode { subcells = grid } else { subcells = nil }
        reducer = ScreenReducer(size: size, colors, background: background)
        accent = colors.accent(on: background)
    }

    /// The cells that an update may change.
    public enum Scope {
        case all
        /// Text and blank cells, and text that a picture replaces, which becomes blank.
        case text
        /// The cells of this rectangle, in columns and rows, until the update has more than `limit` bytes.
        case picture(PixelRect, limit: Int)

        fileprivate func bounds(in whole: PixelRect) -> (area: PixelRect, limit: Int, isTextOnly: Bool) {
            switch self {
            case .all: (whole, .max, false)
            case .text: (whole, .max, true)
            case .picture(let rect, let limit): (rect.intersection(whole), limit, false)
            }
        }
    }

    /// Forgets what the terminal shows. The next update clears the screen.
    public mutating func forget() { isKnown = false }

    /// Appends the bytes of an update that makes the terminal show `grid`, within the tolerance of `fidelity` for
    /// pictures. The first update clears the screen.
    /// - Parameter focus: the cells with this fidelity; the others get the next coarser one. Nil for all cells.
    /// - Returns: false if the limit of `scope` has left out cells.
    @discardableResult
    public mutating func encode(
        _ grid: borrowing ScreenGrid, _ glyphs: GlyphTable, fidelity: Fidelity, in focus: PixelRect? = nil,
        _ scope: Scope = .all, into out: inout ByteBuffer
    ) -> Bool {
        precondition(grid.size == shown.size)
        if !isKnown {
            out.append("\u{1B}[0m\u{1B}[2J")
            shown.clear()
            reducer?.drawn.clear()
            isKnown = true
        }
        var cellWriter = ScreenCellWriter(
            width: grid.size.columns, tolerance: fidelity.tolerance, subcells: subcells, accent: accent)
        let (fine, coarse) = (fidelity.tolerance, (fidelity.coarser ?? fidelity).tolerance)
        let whole = PixelRect(PixelSize(width: grid.size.columns, height: grid.size.rows))
        let focus = focus ?? whole
        let (area, limit, isTextOnly) = scope.bounds(in: whole)
        defer { cellWriter.finish(glyphs, &out) }
        for row in area.y..<area.maxY {
            let focused = (focus.y..<focus.maxY).contains(row) ? focus.x..<focus.maxX : 0..<0
            for column in area.x..<area.maxX {
                let index = row * grid.size.columns + column
                var cell = grid.cells[index]
                if isTextOnly, !cell.isText, cell != .blank {
                    guard shown.cells[index].isText else { continue }
                    cell = .blank
                }
                let tolerance = focused.contains(column) ? fine : coarse
                guard cell.differs(from: shown.cells[index], by: tolerance) else { continue }
                guard out.count < limit else { return false }
                cellWriter.tolerance = tolerance
                draw(cell, row: row, column: column, glyphs, with: &cellWriter, into: &out)
            }
        }
        return true
    }

    @inline(__always)
    private func draw(
        _ cell: ScreenCell, row: Int, column: Int, _ glyphs: GlyphTable, with cellWriter: inout ScreenCellWriter,
        into out: inout ByteBuffer
    ) {
        let index = row * shown.size.columns + column
        guard let reducer else {
            shown.cells[index] = cellWriter.draw(cell, row: row, column: column, glyphs, &out)
            return
        }
        shown.cells[index] = cell
        let reduced = reducer.reduced(cell, row: row, column: column)
        guard reduced.differs(from: reducer.drawn.cells[index], by: cellWriter.tolerance) else { return }
        reducer.drawn.cells[index] = cellWriter.draw(reduced, row: row, column: column, glyphs, &out)
    }
}

/// Draws individual cells. Moves the cursor and changes attributes only if necessary.
private struct ScreenCellWriter: ~Copyable {
    private var writer: CellWriter
    private var attributes: TextAttributes?
    /// The position of the terminal's cursor. It is nil after a non-ASCII character, because the width of some of these
    /// characters depends on the terminal.
    private var next: (row: Int, column: Int)?

    var tolerance: ColorTolerance
    /// The glyphs of picture cells, indexed by mask; nil for half-blocks.
    private let patterns: UnsafePointer<PackedGlyph>?
    private let all: UInt8
    private let accent: String?
    /// The number of the link that the terminal is adding to its cells; 0 for none.
    private var link: UInt32 = 0

    init(width: Int, tolerance: ColorTolerance, subcells: SubcellGrid?, accent: String?) {
        self.tolerance = tolerance
        self.accent = accent
        patterns = subcells.map(PackedGlyph.table)
        all = subcells?.all ?? 0
        writer = CellWriter(.absolute(row: 1, column: 1), width: width)
    }

    /// Draws a cell.
    /// - Returns: the cell that the terminal then shows at this position.
    mutating func draw(
        _ cell: ScreenCell, row: Int, column: Int, _ glyphs: GlyphTable, _ out: inout ByteBuffer
    ) -> ScreenCell {
        // The terminal draws the right half of a wide character together with the left half.
        if cell == .continuation { return cell }
        if cell.isImage {
            _ = draw(.blank, row: row, column: column, glyphs, &out)
            return cell
        }
        if cell.link != link {
            link = cell.link
            glyphs.appendLink(link, to: &out)
        }
        out.reserve(CellWriter.longestCell)
        if next.map({ $0 != (row, column) }) ?? true {
            if next == nil { writer.forgetPosition() }
            writer.move(row: row, column: column, &out)
        }
        next = (row, column + 1)
        guard cell.isText else {
            if let attributes, attributes != [] { writer.reset(&out) }
            attributes = nil
            let mask = cell.mask
            guard mask != 0, let patterns else {
                let now = writer.write(cell.top, cell.bottom, within: tolerance, &out)
                return ScreenCell(top: now.top, bottom: now.bottom)
            }
            let glyphs = (marked: patterns[Int(mask)], rest: patterns[Int(~mask & all)])
            let now = writer.write(cell.top, cell.bottom, within: tolerance, glyphs: glyphs, &out)
            return ScreenCell(SubcellPattern(mask: mask, marked: now.top, rest: now.bottom))
        }
        set(cell.attributes, &out)
        glyphs.append(cell.glyph, to: &out)
        writer.advance()
        if cell.glyph >= 0x80 { next = nil }
        return cell
    }

    private mutating func set(_ requested: TextAttributes, _ out: inout ByteBuffer) {
        let wanted = accent == nil ? requested.subtracting(.accented) : requested
        guard attributes != wanted else { return }
        attributes = wanted
        writer.reset(&out)
        guard wanted != [] else { return }
        out.append("\u{1B}[")
        var isFirst = true
        for (attribute, code) in Self.codes + [(.accented, accent ?? "")] where wanted.contains(attribute) {
            if !isFirst { out.append(UInt8(ascii: ";")) }
            out.append(code)
            isFirst = false
        }
        out.append(UInt8(ascii: "m"))
    }

    private static let codes: [(TextAttributes, String)] = [
        (.bold, "1"), (.dim, "2"), (.underlined, "4"), (.reversed, "7"),
    ]

    mutating func finish(_ glyphs: GlyphTable, _ out: inout ByteBuffer) {
        if link != 0 { glyphs.appendLink(0, to: &out) }
        if let attributes, attributes != [] { writer.reset(&out) }
        writer.finish(&out)
    }
}

/// Converts the pictures on a screen to the colours that the terminal can show.
private final class ScreenReducer {
    /// The cells that the terminal shows.
    let drawn: ScreenGrid
    private let format: ColorFormat
    private let palette: Palette?

    /// Returns nil if the terminal shows half-blocks in 24-bit colours, because no conversion is needed.
    init?(size: CellSize, _ format: ColorFormat, background: CellColor?) {
        guard !format.isUnchanged else { return nil }
        self.format = format
        palette = Palette(format, background: background, hasPatterns: false)
        drawn = ScreenGrid(size: size)
    }

    /// Returns a picture cell with its colours converted to those of the terminal. Returns a text cell unchanged.
    func reduced(_ cell: ScreenCell, row: Int, column: Int) -> ScreenCell {
        if cell.isText { return cell }
        guard format.isFlat else {
            // Only the colours of a subcell pattern are converted, not its mask.
            return ScreenCell(
                SubcellPattern(
                    mask: cell.mask, marked: palette?.entry(for: cell.top) ?? cell.top,
                    rest: palette?.entry(for: cell.bottom) ?? cell.bottom))
        }
        let color = TransferFunction.shared.flattened(cell.top, cell.bottom)
        let entry = palette?.entry(for: color, x: column, y: row) ?? color
        return ScreenCell(top: entry, bottom: entry)
    }
}
