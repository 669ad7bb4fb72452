/// The sRGB transfer function (IEC 61966-2-1) as tables. Averages of light need linear values.
///
/// The power 2.4 is computed as `x² · (x²)^(1/5)` with Newton's method for the fifth root, without a math library.
struct TransferFunction {
    /// The linear light in 0...1 of each 8-bit value.
    let linear: UnsafePointer<Float>
    /// `thresholds[v]` is the least linear light that rounds to `v` or more. `thresholds[0]` is below all light and
    /// `thresholds[256]` above.
    private let thresholds: UnsafePointer<Float>
    /// The right 8-bit value or one slightly below it, indexed by linear light in steps of 1/`estimateSteps`.
    private let estimates: UnsafePointer<UInt8>

    /// With this many steps the estimate is nearly always right, so the branch after it is predicted.
    private static let estimateSteps: Float = 8192

    /// The only instance. Its tables are never freed.
    static let shared = TransferFunction()

    private init() {
        let linear = UnsafeMutablePointer<Float>.allocate(capacity: 256)
        let thresholds = UnsafeMutablePointer<Float>.allocate(capacity: 257)
        let estimates = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(Self.estimateSteps) + 1)
        for value in 0..<256 {
            linear[value] = Float(Self.linearLight(Double(value) / 255))
            thresholds[value] = Float(Self.linearLight((Double(value) - 0.5) / 255))
        }
        thresholds[0] = -.infinity
        thresholds[256] = .infinity
        var value = 0
        for step in 0...Int(Self.estimateSteps) {
            while thresholds[value + 1] <= Float(step) / Self.estimateSteps { value += 1 }
            estimates[step] = UInt8(value)
        }
        self.linear = UnsafePointer(linear)
        self.thresholds = UnsafePointer(thresholds)
        self.estimates = UnsafePointer(estimates)
    }

    /// The 8-bit value nearest to `light` in sRGB; light outside 0...1 is clamped.
    @inline(__always)
    func encoded(_ light: Float) -> UInt32 {
        let clamped = max(0, min(1, light))
        var value = Int(estimates[Int(clamped * Self.estimateSteps)])
        while clamped >= thresholds[value + 1] { value += 1 }
        return UInt32(truncatingIfNeeded: value)
    }

    /// The linear light of a pixel, with its coverage (alpha) in the fourth lane.
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
        // Starting above the root, Newton's method decreases monotonically until rounding stops it.
        while true {
            let fourth = root * root * root * root
            let next = root - (root * fourth - value) / (5 * fourth)
            guard next < root else { return root }
            root = next
        }
    }
}

// The tables are written only in `init` and never freed: reading them from any thread is safe.
extension TransferFunction: @unchecked Sendable {}
