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
