/// How a cell would be drawn with the colours that are set, and what that costs.
struct CellOffer {
    var glyph = CellGlyph.space
    var setsFront = false
    var setsBehind = false
    /// About how many bytes, the way to the cell not counted: a colour takes 15, an SGR 3 more.
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

    /// The glyph that costs least: a space, then what needs no colour set, then one.
    ///
    /// By what the foreground serves (1 the top, 2 the bottom), the background (4, 8), and ``CellPlan/Kind``.
    // Written here once and never freed, so reading it from any thread is safe.
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
            // A full block in a foreground that is set would save an SGR, but where a font's block does not
            // fill the cell (xterm with scalable fonts), the background shows as a grid. Costs 1 to 4%.
            if serves || !(upper.isFree || lower.isFree) {
                return CellOffer(.space, setsFront: false, setsBehind: !serves)
            }
        }
        if kind.contains(.topIsBackground) { return lower }
        return lower.cost < upper.cost && !kind.contains(.bottomIsBackground) ? lower : upper
    }
}
