/// A way to draw a cell, given the colours that are currently set, and its cost.
struct CellOffer {
    var glyph = CellGlyph.space
    var setsFront = false
    var setsBehind = false
    /// Approximate number of bytes without the cursor move: 1 or 3 for the glyph, 15 for each colour that must be set,
    /// and 3 for their SGR.
    private(set) var cost: Int32 = 1

    var isFree: Bool { !setsFront && !setsBehind }

    private init(_ glyph: CellGlyph, setsFront: Bool, setsBehind: Bool) {
        self.glyph = glyph
        self.setsFront = setsFront
        self.setsBehind = setsBehind
        let colors: Int32 = (setsFront ? 15 : 0) + (setsBehind ? 15 : 0)
        cost = (glyph == .space ? 1 : 3) + (colors > 0 ? colors + 3 : 0)
    }

    init() {}

    /// The cheapest offer in each case: first a space in the current background, then a glyph that sets no colour.
    ///
    /// The index is a sum of flags: 1 and 2 if the foreground that is set fits the top and the bottom half, 4 and 8 if
    /// the background fits them, and the flags of ``CellPlan/Kind``.
    // The table is written once, here, and never freed, so any thread may read it.
    nonisolated(unsafe) static let table: UnsafePointer<CellOffer> = {
        let table = UnsafeMutablePointer<CellOffer>.allocate(capacity: 128)
        for number in 0..<128 { (table + number).initialize(to: least(UInt8(number))) }
        return UnsafePointer(table)
    }()

    private static func least(_ bits: UInt8) -> CellOffer {
        let kind = CellPlan.Kind(rawValue: bits)
        let upper = CellOffer(.upper, setsFront: bits & 1 == 0, setsBehind: bits & 8 == 0)
        let lower = CellOffer(.lower, setsFront: bits & 2 == 0, setsBehind: bits & 4 == 0)
        if kind.contains(.flat) {
            let serves = bits & 12 == 12
            // A full block in the foreground that is set would save an SGR. But with a font whose block does not fill
            // the cell (xterm with scalable fonts) the background would show as a grid. Spaces cost 1 to 4% more bytes.
            if serves || !(upper.isFree || lower.isFree) {
                return CellOffer(.space, setsFront: false, setsBehind: !serves)
            }
        }
        if kind.contains(.topIsBackground) { return lower }
        return lower.cost < upper.cost && !kind.contains(.bottomIsBackground) ? lower : upper
    }
}
