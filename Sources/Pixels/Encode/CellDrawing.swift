/// A way to draw a cell: its glyph, the colours that must be set before the glyph, and the cost in bytes.
struct CellDrawing {
    var glyph = CellGlyph.space
    var setsForeground = false
    var setsBackground = false
    /// The approximate number of bytes without the cursor move: 1 or 3 bytes for the glyph, 15 bytes for each colour
    /// that must be set, and 3 bytes for the SGR sequence around the colours.
    private(set) var cost: Int32 = 1

    var isFree: Bool { !setsForeground && !setsBackground }

    private init(_ glyph: CellGlyph, setsForeground: Bool, setsBackground: Bool) {
        (self.glyph, self.setsForeground, self.setsBackground) = (glyph, setsForeground, setsBackground)
        let colors: Int32 = (setsForeground ? 15 : 0) + (setsBackground ? 15 : 0)
        cost = (glyph == .space ? 1 : 3) + (colors > 0 ? colors + 3 : 0)
    }

    init() {}

    /// The cheapest drawing for each combination of flags. A space in the current background is the cheapest drawing of
    /// all, followed by a glyph in the current colours.
    ///
    /// The index is a sum of flags. Flags 1 and 2: the current foreground can show the top half (1) or the bottom half
    /// (2). Flags 4 and 8: the current background can show the top half (4) or the bottom half (8). The other flags are
    /// those of ``CellPlan/Kind``.
    // All threads can safely read the table, because it is written only here and never freed.
    nonisolated(unsafe) static let table: UnsafePointer<CellDrawing> = {
        let table = UnsafeMutablePointer<CellDrawing>.allocate(capacity: 128)
        for number in 0..<128 { (table + number).initialize(to: cheapest(UInt8(number))) }
        return UnsafePointer(table)
    }()

    private static func cheapest(_ bits: UInt8) -> CellDrawing {
        let kind = CellPlan.Kind(rawValue: bits)
        let upper = CellDrawing(.upper, setsForeground: bits & 1 == 0, setsBackground: bits & 8 == 0)
        let lower = CellDrawing(.lower, setsForeground: bits & 2 == 0, setsBackground: bits & 4 == 0)
        if kind.contains(.flat) {
            let fits = bits & 12 == 12
            // A cell of one colour is never drawn as a full block, although a full block in the current foreground
            // would need no SGR sequence. In some fonts, the full block does not fill the cell (xterm with scalable
            // fonts), so the background would be visible as a grid. Using spaces instead increases the output by 1 to 4
            // percent.
            if fits || !(upper.isFree || lower.isFree) {
                return CellDrawing(.space, setsForeground: false, setsBackground: !fits)
            }
        }
        if kind.contains(.excludesUpper) { return lower }
        return lower.cost < upper.cost && !kind.contains(.excludesLower) ? lower : upper
    }
}

/// The glyph of a picture cell: which half the foreground colour fills. A space shows only the background.
enum CellGlyph: UInt8 {
    case space
    case upper
    case lower
}

/// The position of a cell in the picture. Rows and columns are counted from 0.
struct CellPosition {
    var row: Int32
    var column: Int32
}
