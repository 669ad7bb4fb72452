/// How far the channels of a displayed colour may be from the computed colour, as a box around each computed colour.
///
/// Every colour in the box is within the bound of the fidelity in Oklab. The size of the box depends only on an estimate
/// of the lightness, because a test must cost a few instructions. So the bound is reached only by the colours of a
/// lightness at which Oklab changes fastest, and near black every change is sent.
public struct ColorTolerance: Sendable {
    /// The largest change of each channel, in the layout of ``CellColor/bits``.
    private typealias Limits = (withheld: UInt32, sent: UInt32)

    // All threads can safely read the table, because it is written only here and never freed.
    private nonisolated(unsafe) let limits: UnsafePointer<Limits>

    /// - Parameter bound: the largest difference, in just noticeable differences.
    init(bound: Int) {
        let table = UnsafeMutablePointer<Limits>.allocate(capacity: 192)
        for index in 0..<192 {
            // A wider box reaches down to darker colours, in which Oklab changes faster.
            let lightness = (index - bound + 1) * 8
            let step = Self.steps.last { $0.lightness <= lightness && bound > 0 }
            let withheld = [step?.red ?? 0, step?.green ?? 0, step?.blue ?? 0].map { UInt32($0 * bound) }
            // A sent colour is nearer, so that the next small change can be withheld.
            (table + index).initialize(to: (Self.packed(withheld), Self.packed(withheld.map { ($0 * 5 + 4) / 8 })))
        }
        limits = UnsafePointer(table)
    }

    private static func packed(_ channels: [UInt32]) -> UInt32 { channels[0] << 16 | channels[1] << 8 | channels[2] }

    /// The largest changes of the channels that stay within one just noticeable difference, from each lightness up.
    /// `scripts/bench/fidelity` checks them with all colours.
    private static let steps: [(lightness: Int, red: Int, green: Int, blue: Int)] = [
        (32, 2, 1, 2), (64, 4, 2, 3), (96, 4, 3, 3), (128, 4, 3, 4), (192, 5, 3, 5), (320, 6, 3, 5), (416, 6, 3, 6),
        (608, 6, 3, 7), (800, 7, 3, 7), (960, 7, 4, 6), (1216, 7, 4, 7),
    ]

    /// The indices in ``limits`` of two colours, one in each half of the argument.
    @inline(__always)
    private static func indices(_ colors: UInt64) -> (low: Int, high: Int) {
        // Green has the largest share of the lightness. Both sums are computed at once, because this is done for each
        // changed cell.
        let redAndBlue = colors & 0x00FF_00FF_00FF_00FF
        let sums = ((redAndBlue &+ redAndBlue &>> 16) & 0x1FF_0000_01FF) &+ (colors &>> 6 & 0x3FC_0000_03FC)
        return (Int(truncatingIfNeeded: sums &>> 3 & 0xFF), Int(truncatingIfNeeded: sums &>> 35))
    }

    /// The largest changes of a colour's channels that are not sent. The colour and the changes are packed as 0xRRGGBB.
    @inline(__always)
    public func withheldChanges(_ color: UInt32) -> UInt32 { limits[Self.indices(UInt64(color)).low].withheld }

    /// The largest errors of a colour's channels when a colour is sent for it.
    @inline(__always)
    func sentErrors(_ color: CellColor) -> UInt32 {
        color.isColor ? limits[Self.indices(UInt64(color.bits)).low].sent : 0
    }

    /// Returns whether a change must be sent. Each argument has two colours, one in each half. A change to or from a
    /// special value must be sent, but palette colours need the tolerance of ``Fidelity/exact``.
    @inline(__always)
    public func isExceeded(_ wanted: UInt64, _ shown: UInt64) -> Bool {
        let (low, high) = Self.indices(wanted)
        let limit = UInt64(limits[low].withheld) | UInt64(limits[high].withheld) &<< 32
        let wanted = unsafeBitCast(wanted, to: SIMD8<UInt8>.self)
        let shown = unsafeBitCast(shown, to: SIMD8<UInt8>.self)
        let distance = pointwiseMax(wanted, shown) &- pointwiseMin(wanted, shown)
        return unsafeBitCast(distance .> unsafeBitCast(limit, to: SIMD8<UInt8>.self), to: UInt64.self) != 0
    }
}
