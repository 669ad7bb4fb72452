/// A box around each computed colour; every colour in the box is within the bound of the fidelity in Oklab.
///
/// The size of the box depends only on the estimated lightness, so a test is fast. Near black, each change is sent.
public struct ColorTolerance: Sendable {
    /// The largest change of each channel, in the layout of ``CellColor/bits``.
    private typealias Limits = (withheld: UInt32, sent: UInt32)

    // All threads can safely read the table, because it is written only in `init` and never freed.
    private nonisolated(unsafe) let limits: UnsafePointer<Limits>

    /// - Parameter bound: the largest difference, in just noticeable differences; from 0 to 6.
    init(bound: Int) {
        let table = UnsafeMutablePointer<Limits>.allocate(capacity: 192)
        for index in 0..<192 {
            // A wider box reaches down to darker colours, in which Oklab changes faster.
            let lightness = (index - bound + 1) * 8
            let step = Self.steps.last { $0.lightness <= lightness }
            let withheld = (step?.changes ?? 0) * UInt32(bound)
            // A sent colour is nearer, at five eighths, so that the next small change can be withheld.
            (table + index).initialize(to: (withheld, (withheld * 5 + 0x04_0404) >> 3 & 0x1F_1F1F))
        }
        limits = UnsafePointer(table)
    }

    /// The largest changes of red, green and blue that stay within one just noticeable difference, from each lightness
    /// up.
    private static let steps: [(lightness: Int, changes: UInt32)] = [
        (32, 0x02_01_02), (64, 0x04_02_03), (96, 0x04_03_03), (128, 0x04_03_04), (192, 0x05_03_05), (320, 0x06_03_05),
        (416, 0x06_03_06), (608, 0x06_03_07), (800, 0x07_03_07), (960, 0x07_04_06), (1216, 0x07_04_07),
    ]

    /// The indices in ``limits`` of two colours, one in each half of the argument.
    @inline(__always)
    private static func indices(_ colors: UInt64) -> (low: Int, high: Int) {
        // Green has the largest share of the lightness. Both sums are computed at once.
        let redAndBlue = colors & 0x00FF_00FF_00FF_00FF
        let sums = ((redAndBlue &+ redAndBlue &>> 16) & 0x1FF_0000_01FF) &+ (colors &>> 6 & 0x3FC_0000_03FC)
        return (Int(truncatingIfNeeded: sums &>> 3 & 0xFF), Int(truncatingIfNeeded: sums &>> 35))
    }

    /// The largest changes of a colour's channels that are not sent, in the layout of ``CellColor/bits``.
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

/// The largest visible difference between the displayed and the computed colour of a half-cell.
///
/// A change within this bound is not sent. Errors never accumulate, because each frame is compared with the colours that
/// the terminal shows, not with the previous frame.
public enum Fidelity: String, Sendable, CaseIterable {
    case exact
    /// The bound is not noticeable, but above the changes of averaged colours in dithered GIFs from frame to frame.
    case standard
    case low
    /// Only gifplay selects it, for connections that are too slow for ``low``.
    case coarse

    /// The largest difference in just noticeable differences: 0.02 in ``Oklab``, as in CSS Color Module Level 4.
    public var bound: Int {
        switch self {
        case .exact: 0
        case .standard: 1
        case .low: 3
        case .coarse: 6
        }
    }

    public var tolerance: ColorTolerance { Self.tolerances[bound] }

    private static let tolerances = (0...6).map { ColorTolerance(bound: $0) }

    /// The next coarser fidelity, for use on a connection that is too slow for this one. The value is nil for
    /// ``coarse``, which is the coarsest fidelity, and for ``exact``, which must stay exact.
    public var coarser: Fidelity? { self == .exact ? nil : Self.allCases.first { $0.bound > bound } }
}
