/// The colour of half a cell: 0x00RRGGBB, or a special value above 0x00FFFFFF.
public struct CellColor: Equatable, Sendable {
    public let bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    public init(red: UInt8, green: UInt8, blue: UInt8) { bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    public static let black = CellColor(bits: 0)
    /// The terminal's own background, a value that is not equal to any RGB colour, not even to the background's.
    public static let terminalDefault = CellColor(bits: 0x0100_0000)
    /// The special value for a half-cell whose displayed colour is unknown. It is not equal to any RGB colour.
    public static let unknown = CellColor(bits: 0x0200_0000)

    /// Returns the special value for the colour with this number in the terminal's palette.
    public static func palette(_ number: UInt8) -> CellColor { CellColor(bits: paletteKind | UInt32(number)) }
    static let paletteKind: UInt32 = 0x0300_0000
    /// The special value for the first character of ``CharacterRamp``. The lowest byte is the character's number.
    static let characterKind: UInt32 = 0x0400_0000

    public var red: Int { Int(bits >> 16 & 0xFF) }
    public var green: Int { Int(bits >> 8 & 0xFF) }
    public var blue: Int { Int(bits & 0xFF) }

    /// Whether this value is one of the 16,777,216 RGB colours, not a special value.
    @inline(__always)
    var isColor: Bool { bits <= 0xFF_FFFF }
    var isPalette: Bool { bits >> 24 == Self.paletteKind >> 24 }
    @inline(__always)
    var isCharacter: Bool { bits >= Self.characterKind }
    /// The number of a palette colour or of a character.
    var number: Int { Int(bits & 0xFF) }

    /// Returns whether the terminal must be sent this colour if it shows `other`. A special value is equal only to
    /// itself, regardless of the tolerance.
    @inline(__always)
    func differs(from other: CellColor, by tolerance: ColorTolerance) -> Bool {
        bits != other.bits && (!isColor || tolerance.isExceeded(UInt64(bits), UInt64(other.bits)))
    }
}

/// The background behind the transparent pixels of a GIF.
public enum Backdrop: Equatable, Sendable {
    /// The terminal's own background has this colour. Fully transparent pixels show the background itself. Partly
    /// transparent pixels are blended with this colour.
    case terminal(CellColor)
    /// The colour of the terminal's background is unknown, and a blend with a wrong colour would look like a fringe.
    /// Therefore a pixel is not blended: it shows the background if it is less than half covered, and otherwise the
    /// average colour of the opaque canvas pixels in it.
    case unknownTerminal
    /// All transparent pixels show this colour, which the user selected.
    case solid(CellColor)
}

/// Converts between sRGB values and linear light with tables of the sRGB transfer function (IEC 61966-2-1). Colours
/// must be linear before they are averaged.
///
/// The transfer function contains `x^2.4`. It is computed as `x² · (x²)^(1/5)`, with Newton's method for the fifth
/// root, so that no math library is needed.
struct TransferFunction {
    /// The linear light of each 8-bit sRGB value, from 0 to 1.
    let linear: UnsafePointer<Float>
    /// `thresholds[v]` is the lowest linear light that is rounded to `v` or a higher value. `thresholds[0]` is minus
    /// infinity and `thresholds[256]` is infinity.
    private let thresholds: UnsafePointer<Float>
    /// Estimates of the 8-bit value, correct or one too low, by linear light in steps of 1/`estimateSteps`.
    private let estimates: UnsafePointer<UInt8>

    /// The number of steps of ``estimates`` between light 0 and 1. Each step has at most one threshold, because
    /// neighbouring thresholds differ by at least 1 / (255 · 12.92).
    static let estimateSteps: Float = 8192
    /// 2^23. A light in steps plus this number has the nearest step in its lowest bits, so no conversion is needed.
    static let roundingOffset: Float = 8_388_608
    /// The number of ``estimates``, a power of two, so that masked bits are always a valid index.
    private static let estimateCount = 16384

    /// The only instance. Its tables are never freed.
    static let shared = TransferFunction()

    private init() {
        let linear = UnsafeMutablePointer<Float>.allocate(capacity: 256)
        let thresholds = UnsafeMutablePointer<Float>.allocate(capacity: 257)
        let estimates = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.estimateCount)
        for value in 0..<256 {
            linear[value] = Float(Self.linearLight(Double(value) / 255))
            thresholds[value] = Float(Self.linearLight((Double(value) - 0.5) / 255))
        }
        thresholds[0] = -.infinity
        thresholds[256] = .infinity
        var step = 0
        for value in 0..<256 {
            // The first step of which the lowest light reaches the next threshold.
            let next = Double(thresholds[value + 1]) * Double(Self.estimateSteps) + 0.5
            let end = value == 255 ? Self.estimateCount : Int(next.rounded(.up))
            (estimates + step).initialize(repeating: UInt8(value), count: end - step)
            step = end
        }
        self.linear = UnsafePointer(linear)
        self.thresholds = UnsafePointer(thresholds)
        self.estimates = UnsafePointer(estimates)
    }

    /// Returns the nearest RGB colour.
    /// - Parameter light: red, green and blue from 0 to 1. Rounding errors may exceed this range a little.
    @inline(__always)
    func color(_ light: Scaler.Light) -> CellColor {
        let steps = light * Self.estimateSteps + Self.roundingOffset
        return CellColor(
            bits: encoded(light.x, steps.x) << 16 | encoded(light.y, steps.y) << 8 | encoded(light.z, steps.z))
    }

    @inline(__always)
    private func encoded(_ light: Float, _ step: Float) -> UInt32 {
        let estimate = UInt32(estimates[Int(step.bitPattern) & (Self.estimateCount - 1)])
        return light >= thresholds[Int(estimate) + 1] ? estimate + 1 : estimate
    }

    /// Returns the linear light of a pixel: red, green, blue, and in the fourth lane the coverage (alpha).
    @inline(__always)
    func light(_ pixel: RGBA) -> Scaler.Light {
        Scaler.Light(
            linear[Int(pixel.bits & 0xFF)], linear[Int(pixel.bits >> 8 & 0xFF)], linear[Int(pixel.bits >> 16 & 0xFF)],
            linear[Int(pixel.bits >> 24)])
    }

    private static func linearLight(_ encoded: Double) -> Double {
        if encoded <= 0.04045 { return encoded / 12.92 }
        let base = (encoded + 0.055) / 1.055
        let square = base * base
        return square * fifthRoot(square)
    }

    private static func fifthRoot(_ value: Double) -> Double {
        var root = 1.0
        // Newton's method starts above the root, so each estimate is lower than the previous one. The loop ends when
        // rounding errors prevent a lower estimate.
        while true {
            let fourth = root * root * root * root
            let next = root - (root * fourth - value) / (5 * fourth)
            guard next < root else { return root }
            root = next
        }
    }
}

// All threads can safely read the tables, because they are written only in `init` and never freed.
extension TransferFunction: @unchecked Sendable {}

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
