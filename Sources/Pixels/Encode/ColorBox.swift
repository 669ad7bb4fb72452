/// The colours that may stand for one half-cell or for several: a box in RGB.
///
/// Eight lanes: the least blue, green, red and kind, then the most of each, negated, so that one
/// maximum intersects two boxes. The kind keeps the special values of ``CellColor`` apart.
struct ColorBox {
    typealias Lanes = SIMD4<Int16>

    private var bounds: SIMD8<Int16>

    /// The colours within `reach` of `color` in each channel; of a special value only itself.
    @inline(__always)
    init(_ color: CellColor, reach: Int16) {
        let lanes = Self.lanes(color)
        let slack = color.isColor ? Lanes(reach, reach, reach, 0) : .zero
        let least = lanes &- slack
        let most = lanes &+ slack
        let limit = Lanes(repeating: 255)
        bounds = SIMD8(
            lowHalf: least.replacing(with: 0, where: least .< 0),
            highHalf: 0 &- most.replacing(with: limit, where: most .> limit))
    }

    @inline(__always)
    private init(bounds: SIMD8<Int16>) { self.bounds = bounds }

    @inline(__always)
    static func lanes(_ color: CellColor) -> Lanes {
        Lanes(truncatingIfNeeded: unsafeBitCast(color.bits, to: SIMD4<UInt8>.self))
    }

    /// Whether a colour that moved so far moved on, up to 8 levels in each channel; further off is another picture.
    @inline(__always)
    static func isSmall(_ step: Lanes) -> Bool {
        // One unsigned comparison for both ends; a special value's step shows in the kind.
        let raised = SIMD4<UInt16>(truncatingIfNeeded: step &+ Lanes(8, 8, 8, 0))
        return unsafeBitCast(raised .> SIMD4<UInt16>(16, 16, 16, 0), to: UInt64.self) == 0
    }

    /// What serves both; may be empty.
    @inline(__always)
    func meeting(_ other: ColorBox) -> ColorBox {
        ColorBox(bounds: bounds.replacing(with: other.bounds, where: other.bounds .> bounds))
    }

    /// Whether anything serves both. Boxes that meet two by two all have something in common.
    @inline(__always)
    func meets(_ other: ColorBox) -> Bool {
        // The least of each against the most of the other, all at once.
        let excess = bounds &+ SIMD8(lowHalf: other.bounds.highHalf, highHalf: other.bounds.lowHalf)
        let apart = unsafeBitCast(excess .> SIMD8<Int16>.zero, to: SIMD2<UInt64>.self)
        return apart[0] | apart[1] == 0
    }

    /// The colour of the box that is nearest to a wish.
    @inline(__always)
    func nearest(to wish: Lanes) -> CellColor {
        let least = bounds.lowHalf
        let most = 0 &- bounds.highHalf
        let raised = wish.replacing(with: least, where: least .> wish)
        let within = raised.replacing(with: most, where: raised .> most)
        return CellColor(bits: unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: within), to: UInt32.self))
    }
}
