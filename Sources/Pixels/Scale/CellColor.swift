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
