import Glibc
import Pixels

/// Composes and scales frames in the simplest way: whole pictures, pixel by pixel, without caches or shortcuts. The
/// output of the optimized renderer must equal the output of this renderer.
public struct ReferenceRenderer {
    public let canvas: PixelSize
    /// The pixels of the canvas row by row; nil is transparent.
    public private(set) var pixels: [CellColor?]
    /// The canvas on which the next frame is drawn: ``pixels`` after the disposal of the last frame.
    private var afterDisposal: [CellColor?]

    private typealias Light = SIMD4<Float>

    public init(canvas: PixelSize) {
        self.canvas = canvas
        pixels = Array(repeating: nil, count: canvas.width * canvas.height)
        afterDisposal = pixels
    }

    // MARK: - Composing

    public mutating func draw(_ frame: IndexedFrame) {
        pixels = afterDisposal
        let before = pixels
        let rect = frame.rect
        let order = frame.isInterlaced ? interlacedRows(rect.height) : Array(0..<rect.height)
        for position in 0..<frame.decodedCount {
            let index = Int(frame.indices[position])
            guard index != frame.transparentIndex else { continue }
            let x = rect.x + position % rect.width
            let y = rect.y + order[position / rect.width]
            guard contains(x, y) else { continue }
            let bits = frame.palette[index].bits
            pixels[y * canvas.width + x] = CellColor(
                red: UInt8(bits & 0xFF), green: UInt8(bits >> 8 & 0xFF), blue: UInt8(bits >> 16 & 0xFF))
        }
        switch frame.disposal {
        case .keep: afterDisposal = pixels
        case .restore: afterDisposal = before
        case .clear:
            afterDisposal = pixels
            for y in rect.y..<rect.maxY {
                for x in rect.x..<rect.maxX where contains(x, y) { afterDisposal[y * canvas.width + x] = nil }
            }
        }
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && y >= 0 && x < canvas.width && y < canvas.height
    }

    // MARK: - Scaling

    /// Returns the picture in half-block pixels. If the height is odd, another row with the terminal's default
    /// background follows.
    public func scaled(to target: PixelSize, filter: PictureFit.Filter, backdrop: Backdrop) -> [CellColor] {
        let lights = pixels.map(Self.light)
        let columns = (0..<target.width).map { Self.taps($0, canvas.width, target.width, filter) }
        let rows = (0..<target.height).map { Self.taps($0, canvas.height, target.height, filter) }
        var result: [CellColor] = []
        for row in rows {
            for column in columns {
                var sum = Light.zero
                for (y, rowWeight) in row {
                    var across = Light.zero
                    for (x, weight) in column { across += lights[y * canvas.width + x] * weight }
                    sum += across * rowWeight
                }
                result.append(Self.color(sum, backdrop))
            }
        }
        if target.height % 2 == 1 { result += Array(repeating: .terminalDefault, count: target.width) }
        return result
    }

    /// Returns the source pixels that contribute to a target pixel, with their weights, in one dimension.
    private static func taps(
        _ position: Int, _ source: Int, _ target: Int, _ filter: PictureFit.Filter
    ) -> [(pixel: Int, weight: Float)] {
        let ratio = Double(source) / Double(target)
        if filter == .pixelated { return [(min(source - 1, Int((Double(position) + 0.5) * ratio)), 1)] }
        if target > source {
            let centre = (Double(position) + 0.5) * ratio - 0.5
            let pixel = Int(floor(centre))
            let share = centre - floor(centre)
            if pixel < 0 { return [(0, 1)] }
            if pixel + 1 >= source { return [(source - 1, 1)] }
            return [(pixel, Float(1 - share)), (pixel + 1, Float(share))]
        }
        let from = Double(position) * ratio
        let to = Double(position + 1) * ratio
        return (0..<source).compactMap { pixel in
            let share = min(to, Double(pixel + 1)) - max(from, Double(pixel))
            // A pixel that only touches the range has the share 0, but a rounding error can make it slightly positive.
            return share < 1e-9 ? nil : (pixel, Float(share / (to - from)))
        }
    }

    // MARK: - Colours

    private static func light(_ pixel: CellColor?) -> Light {
        guard let pixel else { return .zero }
        return Light(linear[pixel.red], linear[pixel.green], linear[pixel.blue], 1)
    }

    private static func color(_ sum: Light, _ backdrop: Backdrop) -> CellColor {
        let behind: CellColor
        switch backdrop {
        case .terminal(let color):
            if sum.w < 0.5 / 255 { return .terminalDefault }
            behind = color
        case .unknownTerminal:
            if sum.w < 0.4999 { return .terminalDefault }
            let light = sum / sum.w
            return CellColor(red: encoded(light.x), green: encoded(light.y), blue: encoded(light.z))
        case .solid(let color): behind = color
        }
        let light = sum.w > 0.9999 ? sum : sum + Self.light(behind) * (1 - sum.w)
        return CellColor(red: encoded(light.x), green: encoded(light.y), blue: encoded(light.z))
    }

    private static func encoded(_ light: Float) -> UInt8 {
        UInt8(borders.prefix { $0 <= light }.count)
    }

    private static func linearLight(_ value: Double) -> Float {
        let encoded = value / 255
        return Float(encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4))
    }

    private static let linear = (0..<256).map { linearLight(Double($0)) }
    /// The smallest linear light values that round to 1, 2, and so on up to 255.
    private static let borders = (1..<256).map { linearLight(Double($0) - 0.5) }
}
