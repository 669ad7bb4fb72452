/// A box in RGB space. It contains the colours that are allowed for one or more half-cells.
///
/// The box has eight lanes. The first four lanes are the minimum of blue, green, red and kind; the other four lanes are
/// the negated maximum of each. Thus the lane-wise maximum of two boxes is their intersection. The kind is the highest
/// byte of ``CellColor/bits``, which distinguishes the special values from colours.
struct ColorBox {
    typealias Lanes = SIMD4<Int16>

    private var bounds: SIMD8<Int16>

    /// Creates the box of the colours that differ from `color` by at most `reach`, which has one number per channel.
    @inline(__always)
    init(_ color: CellColor, reach: UInt32) {
        let lanes = Self.lanes(color)
        let slack = Self.lanes(CellColor(bits: reach))
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

    /// Returns whether a change is gradual: at most 8 levels in each channel. A larger one is often new content.
    @inline(__always)
    static func isSmall(_ step: Lanes) -> Bool {
        // One unsigned comparison checks both bounds of a lane. In the kind lane, only a step of 0 is small.
        let raised = SIMD4<UInt16>(truncatingIfNeeded: step &+ Lanes(8, 8, 8, 0))
        return unsafeBitCast(raised .> SIMD4<UInt16>(16, 16, 16, 0), to: UInt64.self) == 0
    }

    /// Returns the intersection of two boxes. The intersection can be empty.
    @inline(__always)
    func intersection(_ other: ColorBox) -> ColorBox {
        ColorBox(bounds: bounds.replacing(with: other.bounds, where: other.bounds .> bounds))
    }

    /// Returns whether the boxes overlap. If every two boxes of a group overlap, at least one colour is in all.
    @inline(__always)
    func overlaps(_ other: ColorBox) -> Bool {
        // Compares the minimum of each box with the maximum of the other box. One addition does this for all lanes.
        let excess = bounds &+ SIMD8(lowHalf: other.bounds.highHalf, highHalf: other.bounds.lowHalf)
        let apart = unsafeBitCast(excess .> SIMD8<Int16>.zero, to: SIMD2<UInt64>.self)
        return apart[0] | apart[1] == 0
    }

    /// Returns the colour, among those in the box, that is nearest to `preferred`.
    @inline(__always)
    func color(nearestTo preferred: Lanes) -> CellColor {
        let least = bounds.lowHalf
        let most = 0 &- bounds.highHalf
        let raised = preferred.replacing(with: least, where: least .> preferred)
        let within = raised.replacing(with: most, where: raised .> most)
        return CellColor(bits: unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: within), to: UInt32.self))
    }
}
