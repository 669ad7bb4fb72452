/// A way to draw a cell, given the colours that are currently set, and its cost.
struct CellDrawing {
    var glyph = CellGlyph.space
    var setsForeground = false
    var setsBackground = false
    /// Approximate number of bytes without the cursor move: 1 or 3 for the glyph, 15 for each colour that must be set,
    /// and 3 for their SGR.
    private(set) var cost: Int32 = 1

    var isFree: Bool { !setsForeground && !setsBackground }

    private init(_ glyph: CellGlyph, setsForeground: Bool, setsBackground: Bool) {
        self.glyph = glyph
        self.setsForeground = setsForeground
        self.setsBackground = setsBackground
        let colors: Int32 = (setsForeground ? 15 : 0) + (setsBackground ? 15 : 0)
        cost = (glyph == .space ? 1 : 3) + (colors > 0 ? colors + 3 : 0)
    }

    init() {}

    /// The cheapest drawing in each case: first a space in the current background, then a glyph that sets no colour.
    ///
    /// The index is a sum of flags: 1 and 2 if the foreground that is set fits the top and the bottom half, 4 and 8 if
    /// the background fits them, and the flags of ``CellPlan/Kind``.
    // The table is written once, here, and never freed, so any thread may read it.
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
            // A full block in the foreground that is set would save an SGR. But with a font whose block does not fill
            // the cell (xterm with scalable fonts) the background would show as a grid. Spaces cost 1 to 4% more bytes.
            if fits || !(upper.isFree || lower.isFree) {
                return CellDrawing(.space, setsForeground: false, setsBackground: !fits)
            }
        }
        if kind.contains(.topIsBackground) { return lower }
        return lower.cost < upper.cost && !kind.contains(.bottomIsBackground) ? lower : upper
    }
}
