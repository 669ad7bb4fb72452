/// The colour registers of a sixel picture.
///
/// If the picture has few colours, each colour has its own register. Otherwise, the palette is adapted to one picture.
/// It is kept while it fits the following pictures, because after a change of the palette, all pixels must be sent
/// again.
struct SixelPalette: ~Copyable {
    private let limit: Int
    /// Whether the current update has defined each register.
    private var isDefined = [Bool](repeating: false, count: 256)
    /// The register that the current update selected last.
    private var selected: UInt8?
    private var isExact = true
    private var exact = ColorTable()
    private var exactLimit: Int
    /// The most registers of an exact palette for a noisy picture. With more, it takes up to 2.5 times the bytes of an
    /// adapted palette, whose errors the noise hides.
    private static let noisyLimit = 64
    private var adapted = AdaptedPalette()

    /// The mean squared error with which the palette shows the pixels for which it was built. In contrast, ``errorSum``
    /// and ``fittedCount`` belong to the pixels that were added after the last call of ``beginFitting()``.
    private var acceptedError = 0
    private var errorSum = 0
    private var fittedCount = 0

    /// - Parameter limit: the number of registers, 2 to 256.
    init(limit: Int) {
        self.limit = limit
        exactLimit = min(limit, Self.noisyLimit)
    }

    // MARK: - Fitting

    mutating func beginFitting() {
        errorSum = 0
        fittedCount = 0
    }

    /// Adds a pixel to the pixels that the palette must show. An exact palette adds a register for a new colour.
    /// - Returns: false if no register is left.
    @inline(__always)
    mutating func fit(_ color: CellColor) -> Bool {
        if isExact { return exactRegister(color) != nil }
        errorSum += Self.distance(color, adapted.colors[Int(adapted.register(color))])
        fittedCount += 1
        return true
    }

    /// Returns whether the palette shows the added pixels about as well as the pixels for which it was built.
    func endFitting() -> Bool {
        isExact || fittedCount == 0 || errorSum / fittedCount <= 2 * acceptedError + Self.tolerableError
    }

    /// A mean squared error, summed over the channels, that is hardly visible.
    private static let tolerableError = 48

    /// Replaces the palette with a palette for `pixels`.
    mutating func build(from pixels: UnsafeBufferPointer<CellColor>, width: Int, adding background: CellColor) {
        exact.removeAll()
        let isNoisy = Self.isNoisy(pixels, width)
        exactLimit = isNoisy ? min(limit, Self.noisyLimit) : limit
        isExact = true
        _ = fit(background)
        var last = background
        let hasRegisters = pixels.allSatisfy { pixel in
            if pixel == last || !pixel.isColor { return true }
            last = pixel
            return fit(pixel)
        }
        if hasRegisters { return }
        isExact = false
        adapted = AdaptedPalette(pixels, adding: background, limit: limit, isNoisy: isNoisy)
        beginFitting()
        for pixel in pixels where pixel.isColor { _ = fit(pixel) }
        acceptedError = errorSum / max(1, fittedCount)
    }

    /// Returns whether most pixels, of a sample of every seventh, differ from their left and upper neighbours.
    private static func isNoisy(_ pixels: UnsafeBufferPointer<CellColor>, _ width: Int) -> Bool {
        let sample = stride(from: width, to: pixels.count, by: 7)
        let noise = sample.count { pixels[$0] != pixels[$0 - 1] && pixels[$0] != pixels[$0 - width] }
        return noise > pixels.count / 14
    }

    // MARK: - Writing

    mutating func beginUpdate() {
        for index in isDefined.indices { isDefined[index] = false }
        selected = nil
    }

    /// Returns the register for a pixel. Does not dither, because dithering multiplied the bytes by 3.7, and GIFs with many
    /// colours are usually dithered already.
    @inline(__always)
    mutating func register(_ color: CellColor) -> UInt8 {
        isExact ? exactRegister(color) ?? 0 : adapted.register(color)
    }

    /// Appends the selection of a register, unless it is selected. If this update has not defined the register yet, first appends its
    /// definition. In xterm, a definition alone does not select the register.
    mutating func select(_ register: UInt8, into out: inout ByteBuffer) {
        guard register != selected else { return }
        selected = register
        if !isDefined[Int(register)] {
            isDefined[Int(register)] = true
            let color = isExact ? exact.colors[Int(register)] : adapted.colors[Int(register)]
            out.append(UInt8(ascii: "#"))
            out.appendDecimal(Int(register))
            out.append(";2")
            for channel in [color.red, color.green, color.blue] {
                out.append(UInt8(ascii: ";"))
                out.appendDecimal(Self.percent(channel))
            }
        }
        out.append(UInt8(ascii: "#"))
        out.appendDecimal(Int(register))
    }

    // MARK: - Colours

    /// Converts a channel from 0...255 to percent, the unit of sixel colours.
    private static func percent(_ channel: Int) -> Int { (channel * 100 + 127) / 255 }

    static func rounded(_ color: CellColor) -> CellColor {
        func channel(_ value: Int) -> UInt8 { UInt8((percent(value) * 255 + 50) / 100) }
        return CellColor(red: channel(color.red), green: channel(color.green), blue: channel(color.blue))
    }

    private static func distance(_ left: CellColor, _ right: CellColor) -> Int {
        let (red, green, blue) = (left.red - right.red, left.green - right.green, left.blue - right.blue)
        return red * red + green * green + blue * blue
    }

    @inline(__always)
    private mutating func exactRegister(_ color: CellColor) -> UInt8? {
        let (red, green) = (UInt32(Self.percent(color.red)), UInt32(Self.percent(color.green)))
        let key = red << 14 | green << 7 | UInt32(Self.percent(color.blue))
        return exact.number(of: color, key: key, limit: exactLimit)
    }
}

/// Numbers up to 256 colours in the order in which they are added. Colours are found in a hash table with linear probing.
struct ColorTable {
    private(set) var colors: [CellColor] = []
    private var keys = [UInt32](repeating: .max, count: ColorTable.slotCount)
    private var numbers = [UInt8](repeating: 0, count: ColorTable.slotCount)
    private static let slotCount = 1024

    mutating func removeAll() {
        colors.removeAll(keepingCapacity: true)
        for slot in keys.indices { keys[slot] = .max }
    }

    /// Returns the number of the colour with this key, which is added if it is new; nil if there are `limit` colours.
    /// - Parameter key: equal for colours that share a number.
    @inline(__always)
    mutating func number(of color: CellColor, key: UInt32, limit: Int) -> UInt8? {
        var slot = Int((key &* 0x9E37_79B1) >> 22)
        while keys[slot] != key {
            if keys[slot] == .max {
                guard colors.count < limit else { return nil }
                keys[slot] = key
                numbers[slot] = UInt8(colors.count)
                colors.append(color)
                break
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return numbers[slot]
    }
}

/// A palette for a picture with many colours. It is computed by a variance-based median cut, which three rounds of
/// k-means then refine.
///
/// Colours that are equal in the six highest bits of each channel form a bin and get the same palette colour.
struct AdaptedPalette: ~Copyable {
    /// The sRGB values of a colour and, as the fourth lane, their luma times 1.3. A higher factor preserves the structures
    /// of photographs better (SSIM), but costs PSNR.
    private typealias Point = SIMD4<Float>

    /// In whole percents per channel, like all colours of sixels.
    private(set) var colors: [CellColor] = []
    /// The colours before the last round, sorted by luma.
    private var points: [Point] = []
    /// The palette colour for each bin; 256 if it is not yet computed.
    private var nearest: [UInt16] = []

    private static let binCount = 1 << 18

    /// The pixels of a bin.
    private struct Bin {
        var number: Int
        var mean: Point
        var count: Float
        /// The power 5/8 of the count, so that small areas get more palette colours.
        var weight: Float
    }

    /// A range of bins that share one palette colour, and the lane in which they vary most.
    private struct Box {
        var range: Range<Int>
        var mean: Point
        var lane: Int
        /// The weighted sum of the squared errors in ``lane``.
        var spread: Float

        init(_ bins: [Bin], _ range: Range<Int>) {
            self.range = range
            var (sum, squares, weight) = (Point.zero, Point.zero, Float(0))
            for bin in bins[range] {
                let weighted = bin.mean * bin.weight
                sum += weighted
                squares += bin.mean * weighted
                weight += bin.weight
            }
            mean = sum / max(weight, 1)
            let spreads = squares - mean * sum
            lane = (0..<4).max { spreads[$0] < spreads[$1] } ?? 0
            spread = range.count > 1 ? spreads[lane] : 0
        }
    }

    init() {}

    /// - Parameters:
    ///   - background: a colour that the palette must contain.
    ///   - limit: the maximum number of colours, at least 2.
    ///   - isNoisy: whether noise hides small errors. Fewer colours are then enough.
    init(_ pixels: UnsafeBufferPointer<CellColor>, adding background: CellColor, limit: Int, isNoisy: Bool) {
        var bins = Self.bins(pixels)
        nearest = [UInt16](repeating: 256, count: Self.binCount)
        var means = [Self.point(background)] + Self.cut(&bins, limit - 1, spread: isNoisy ? 0.25 : 0.05)
        for _ in 0..<3 {
            points = means.sorted { $0.w < $1.w }
            let fixed = search(Self.point(background))
            var sums = [(sum: Point, count: Float)](repeating: (.zero, 0), count: points.count)
            for bin in bins {
                let register = search(bin.mean)
                nearest[bin.number] = UInt16(register)
                sums[register].sum += bin.mean * bin.count
                sums[register].count += bin.count
            }
            nearest[Self.bin(of: background)] = UInt16(fixed)
            means = points.indices.map { register in
                let (sum, count) = sums[register]
                return register == fixed || count == 0 ? points[register] : sum / count
            }
        }
        colors = means.map { mean in
            let rounded = SIMD4<UInt32>(mean + 0.5)
            return SixelPalette.rounded(CellColor(bits: rounded.x << 16 | rounded.y << 8 | rounded.z))
        }
    }

    /// Returns the number of the palette colour for `color`.
    @inline(__always)
    mutating func register(_ color: CellColor) -> UInt8 {
        let bin = Self.bin(of: color)
        if nearest[bin] == 256 { nearest[bin] = UInt16(search(Self.point(color))) }
        return UInt8(truncatingIfNeeded: nearest[bin])
    }

    /// Returns the means of at most `limit` boxes.
    private static func cut(_ bins: inout [Bin], _ limit: Int, spread: Float) -> [Point] {
        var boxes = [Box(bins, 0..<bins.count)]
        // Further colours would make the picture larger, but not visibly better.
        let leastSpread = bins.reduce(0) { $0 + $1.weight } * spread
        while boxes.count < limit {
            guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }),
                boxes[widest].spread > leastSpread
            else { break }
            let box = boxes[widest]
            let middle = bins[box.range].partition { $0.mean[box.lane] > box.mean[box.lane] }
            boxes[widest] = Box(bins, box.range.lowerBound..<middle)
            boxes.append(Box(bins, middle..<box.range.upperBound))
        }
        return boxes.map(\.mean)
    }

    private static func bins(_ pixels: UnsafeBufferPointer<CellColor>) -> [Bin] {
        var indices = [Int32](repeating: -1, count: binCount)
        // The sums of red, green and blue, and the number of pixels.
        var sums: [(number: Int, sum: SIMD4<UInt32>)] = []
        var last = (color: CellColor.unknown, index: 0)
        for pixel in pixels where pixel.isColor {
            if pixel != last.color {
                let number = bin(of: pixel)
                if indices[number] < 0 {
                    indices[number] = Int32(sums.count)
                    sums.append((number, .zero))
                }
                last = (pixel, Int(indices[number]))
            }
            sums[last.index].sum &+= SIMD4(UInt32(pixel.red), UInt32(pixel.green), UInt32(pixel.blue), 1)
        }
        return sums.map { number, sum in
            let count = Float(sum.w)
            let weight = (count * count.squareRoot().squareRoot()).squareRoot()
            return Bin(number: number, mean: point(SIMD4(sum) / count), count: count, weight: weight)
        }
    }

    /// Returns the index of the point that is nearest to `target`.
    private func search(_ target: Point) -> Int {
        points.withUnsafeBufferPointer { points in
            var (low, high) = (0, points.count)
            while low < high {
                let middle = (low + high) / 2
                if points[middle].w < target.w { low = middle + 1 } else { high = middle }
            }
            var best = (index: 0, distance: Float.infinity)
            // Returns false if the difference of the luma alone exceeds the lowest distance. The other lanes add at
            // least 1.05 times its square.
            func visit(_ index: Int) -> Bool {
                let step = points[index] - target
                guard step.w * step.w * 2.05 < best.distance else { return false }
                let distance = (step * step).sum()
                if distance < best.distance { best = (index, distance) }
                return true
            }
            while high < points.count, visit(high) { high += 1 }
            while low > 0, visit(low - 1) { low -= 1 }
            return best.index
        }
    }

    private static func point(_ color: CellColor) -> Point {
        point(Point(Float(color.red), Float(color.green), Float(color.blue), 0))
    }

    private static func point(_ rgb: Point) -> Point {
        var point = rgb
        point.w = (rgb * Point(0.2764, 0.9298, 0.0939, 0)).sum()
        return point
    }

    @inline(__always)
    private static func bin(of color: CellColor) -> Int {
        (color.red >> 2) << 12 | (color.green >> 2) << 6 | color.blue >> 2
    }
}
