/// A division of a cell into subcells. Unicode has a glyph for each pattern of filled subcells. Each grid is two
/// subcells wide.
///
/// A pattern is a mask. Bit 0 is the upper left subcell, bit 1 the upper right one, and so on row by row. The
/// foreground fills the subcells whose bits are set.
public enum SubcellGrid: Int, CaseIterable, Sendable {
    /// 2x2 subcells: the quadrants of the Block Elements (Unicode 3.2).
    case quadrant = 2
    /// 2x3 subcells: the sextants of the Symbols for Legacy Computing (Unicode 13).
    case sextant = 3
    /// 2x4 subcells: the octants of the Symbols for Legacy Computing Supplement (Unicode 16).
    case octant = 4

    /// The number of subcells in each direction.
    public var size: PixelSize { PixelSize(width: 2, height: rawValue) }
    /// The number of subcells of a cell.
    public var count: Int { rawValue * 2 }
    /// The mask of all subcells.
    var all: UInt8 { UInt8(truncatingIfNeeded: 1 << count - 1) }

    /// The glyph of each mask from 0 (a space) to the full block.
    public var glyphs: [Unicode.Scalar] {
        (0..<UInt32(1) << UInt32(count)).map { Unicode.Scalar(codePoint(UInt32($0))) ?? " " }
    }

    private func codePoint(_ mask: UInt32) -> UInt32 {
        switch self {
        case .quadrant: Self.quadrants[Int(mask)]
        case .sextant: Self.sextant(mask)
        case .octant: Self.octant(mask)
        }
    }

    private static let quadrants: [UInt32] = [
        0x20, 0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B,
        0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599, 0x259F, 0x2588,
    ]

    /// U+1FB00...U+1FB3B are the sextants in the order of their masks, without the four patterns that other Unicode
    /// blocks contain.
    private static func sextant(_ mask: UInt32) -> UInt32 {
        switch mask {
        case 0: 0x20
        case 0b01_0101: 0x258C
        case 0b10_1010: 0x2590
        case 0b11_1111: 0x2588
        default: 0x1FB00 + mask - 1 - (mask > 0b01_0101 ? 1 : 0) - (mask > 0b10_1010 ? 1 : 0)
        }
    }

    /// U+1CD00...U+1CDE5 are the octants in the order of their masks, without the patterns in `otherOctants`.
    private static func octant(_ mask: UInt32) -> UInt32 {
        if let known = otherOctants.first(where: { $0.mask == mask }) { return known.codePoint }
        return 0x1CD00 + mask - UInt32(otherOctants.filter { $0.mask < mask }.count)
    }

    /// The octant patterns whose glyphs are outside the range U+1CD00...U+1CDE5.
    private static let otherOctants: [(mask: UInt32, codePoint: UInt32)] = [
        (0x00, 0x20), (0x01, 0x1CEA8), (0x02, 0x1CEAB), (0x03, 0x1FB82), (0x05, 0x2598), (0x0A, 0x259D),
        (0x0F, 0x2580), (0x14, 0x1FBE6), (0x28, 0x1FBE7), (0x3F, 0x1FB85), (0x40, 0x1CEA3), (0x50, 0x2596),
        (0x55, 0x258C), (0x5A, 0x259E), (0x5F, 0x259B), (0x80, 0x1CEA0), (0xA0, 0x2597), (0xA5, 0x259A),
        (0xAA, 0x2590), (0xAF, 0x259C), (0xC0, 0x2582), (0xF0, 0x2584), (0xF5, 0x2599), (0xFA, 0x259F),
        (0xFC, 0x2586), (0xFF, 0x2588),
    ]

    /// Returns whether a terminal that shows octants might lack the glyph of this mask. kitty 0.41 and foot 1.21 draw
    /// octants themselves, but not U+1CEA0, U+1CEA3, U+1CEA8 and U+1CEAB. Unlike foot, kitty 0.41 draws U+1FBE6 and
    /// U+1FBE7.
    func isOftenMissing(_ mask: UInt8) -> Bool {
        switch mask {
        case 0x01, 0x02, 0x14, 0x28, 0x40, 0x80: self == .octant
        default: false
        }
    }

    /// Returns this mask, or if its glyph is often missing, a similar mask with one more subcell.
    func similarShown(_ mask: UInt8) -> UInt8 {
        guard isOftenMissing(mask) else { return mask }
        // Adds the subcell below, or above in the last row.
        return mask < 0x40 ? mask | mask &<< 2 : mask | mask &>> 2
    }
}

/// The UTF-8 encoding of a glyph. Its first byte is the lowest byte of ``packed``.
struct PackedGlyph {
    let packed: UInt32
    let length: Int
    /// See ``SubcellGrid/isOftenMissing(_:)``. A cell then shows the pattern by the glyph of the other subcells.
    let isOftenMissing: Bool

    private init(_ scalar: Unicode.Scalar, isOftenMissing: Bool) {
        self.isOftenMissing = isOftenMissing
        let bytes = Array(String(scalar).utf8)
        packed = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        length = bytes.count
    }

    /// Returns a table of a grid's glyphs, indexed by mask.
    static func table(_ grid: SubcellGrid) -> UnsafePointer<PackedGlyph> {
        switch grid {
        case .quadrant: quadrants
        case .sextant: sextants
        case .octant: octants
        }
    }

    // All threads can safely read the tables, because they are written only here and never freed.
    private nonisolated(unsafe) static let quadrants = makeTable(.quadrant)
    private nonisolated(unsafe) static let sextants = makeTable(.sextant)
    private nonisolated(unsafe) static let octants = makeTable(.octant)

    private static func makeTable(_ grid: SubcellGrid) -> UnsafePointer<PackedGlyph> {
        let glyphs = grid.glyphs
        let table = UnsafeMutablePointer<PackedGlyph>.allocate(capacity: glyphs.count)
        for (mask, glyph) in glyphs.enumerated() {
            let isOftenMissing = grid.isOftenMissing(UInt8(truncatingIfNeeded: mask))
            (table + mask).initialize(to: PackedGlyph(glyph, isOftenMissing: isOftenMissing))
        }
        return UnsafePointer(table)
    }
}
