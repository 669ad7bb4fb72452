/// A palette for a picture with many colours. It is computed by a variance-based median cut in the perceptual colour
/// space Oklab.
struct AdaptedPalette {
    private(set) var colors: [CellColor] = []
    /// For each bin that contains pixels: its number (see ``bin(of:)``) and the mean colour of its pixels in Oklab.
    private(set) var means: [(bin: Int, point: Oklab.Color)] = []

    /// All pixels whose colours are equal in the five highest bits of each channel.
    private struct Bin {
        var number: Int
        var point: Oklab.Color
        var light: SIMD4<Float>
        var weight: Float
    }

    /// A range of bins that share one palette colour, and the Oklab axis along which the colours of these bins vary
    /// most.
    private struct Box {
        var range: Range<Int>
        var mean: SIMD4<Float>
        var axis: Int
        var spread: Float

        init(_ bins: [Bin], _ range: Range<Int>) {
            self.range = range
            var (sum, squares, weight) = (SIMD4<Float>.zero, SIMD4<Float>.zero, Float(0))
            for bin in bins[range] {
                sum += bin.point * bin.weight
                squares += bin.point * bin.point * bin.weight
                weight += bin.weight
            }
            mean = sum / max(weight, 1)
            let spreads = squares - mean * sum
            axis = (0..<3).max { spreads[$0] < spreads[$1] } ?? 0
            spread = range.count > 1 ? spreads[axis] : 0
        }
    }

    /// - Parameters:
    ///   - background: a colour that the palette must contain.
    ///   - limit: the maximum number of colours, at least 2.
    init(_ pixels: UnsafeBufferPointer<CellColor>, adding background: CellColor, limit: Int) {
        var bins = Self.bins(pixels)
        var boxes = [Box(bins, 0..<bins.count)]
        while boxes.count < limit - 1 {
            guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }),
                boxes[widest].spread > 0
            else { break }
            let box = boxes[widest]
            let middle = bins[box.range].partition { $0.point[box.axis] > box.mean[box.axis] }
            guard box.range.lowerBound < middle, middle < box.range.upperBound else {
                boxes[widest].spread = 0
                continue
            }
            boxes[widest] = Box(bins, box.range.lowerBound..<middle)
            boxes.append(Box(bins, middle..<box.range.upperBound))
        }
        colors = [background] + boxes.map { Self.mean(bins[$0.range]) }
        means = bins.map { ($0.number, $0.point) }
    }

    private static func bins(_ pixels: UnsafeBufferPointer<CellColor>) -> [Bin] {
        // For each bin, the sums of red, green and blue, and the number of pixels.
        var sums = [SIMD4<UInt32>](repeating: .zero, count: binCount)
        for pixel in pixels where pixel.isColor {
            sums[bin(of: pixel)] &+= SIMD4(UInt32(pixel.red), UInt32(pixel.green), UInt32(pixel.blue), 1)
        }
        return sums.indices.filter { sums[$0].w > 0 }.map { number in
            let mean = sums[number] / SIMD4(repeating: sums[number].w)
            let color = CellColor(bits: mean.x << 16 | mean.y << 8 | mean.z)
            let light = TransferFunction.shared.light(color)
            return Bin(number: number, point: Oklab.color(light), light: light, weight: Float(sums[number].w))
        }
    }

    static let binCount = 1 << 15

    /// Returns the number of the bin that contains a colour.
    @inline(__always)
    static func bin(of color: CellColor) -> Int {
        (color.red >> 3) << 10 | (color.green >> 3) << 5 | color.blue >> 3
    }

    private static func mean(_ bins: ArraySlice<Bin>) -> CellColor {
        var (sum, weight) = (SIMD4<Float>.zero, Float(0))
        for bin in bins {
            sum += bin.light * bin.weight
            weight += bin.weight
        }
        let light = sum / max(weight, 1)
        let transfer = TransferFunction.shared
        return CellColor(
            bits: transfer.encoded(light.x) << 16 | transfer.encoded(light.y) << 8 | transfer.encoded(light.z))
    }

    /// Returns a colour near the middle of a bin. Returns black for the first bin and white for the last bin.
    static func center(of bin: Int) -> CellColor {
        func channel(_ bits: Int) -> UInt8 { UInt8(bits << 3 | bits >> 2) }
        return CellColor(red: channel(bin >> 10), green: channel(bin >> 5 & 31), blue: channel(bin & 31))
    }
}
