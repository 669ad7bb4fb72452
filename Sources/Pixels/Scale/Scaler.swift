/// Scales canvas pixels to those of a raster: weighted averages in linear light, blended over the backdrop.
///
/// The weights are computed once per scaler. A call of ``scale(_:dirty:into:)`` scales only the target pixels that
/// depend on the dirty rectangle. In a GIF, alpha is 0 or 255, and a transparent pixel is black, so colours are
/// premultiplied.
public final class Scaler {
    typealias Light = SIMD4<Float>

    public let source: PixelSize
    public let target: PixelSize

    private let columns: FilterTaps
    private let rows: FilterTaps
    /// A pixel whose coverage (alpha from 0 to 1) is below this value shows the terminal's own background. If the value
    /// is 0, no pixel shows this background.
    private let leastCoverage: Float
    /// The light of the backdrop, which is blended with partly transparent pixels; nil if they are not blended.
    private let backdropLight: Light?
    private let transfer: TransferFunction

    /// The results of the last horizontal scalings. Canvas row `y` is at index `y % ringSize`. The results are stored,
    /// because neighbouring target rows use the same canvas rows.
    private let scaledRows: UnsafeMutablePointer<Light>
    private var scaledRowNumbers = Array(repeating: -1, count: Scaler.ringSize)
    /// The last canvas row that the current call of ``scale(_:dirty:into:)`` needs.
    private var lastRow = 0
    /// The number of canvas rows that are scaled horizontally together, so that their weights and spans are read only
    /// once. The number is 1 for a filter that skips rows.
    private let batchSize: Int
    private static let ringSize = 8
    private let sums: UnsafeMutablePointer<Light>

    public init(source: PixelSize, target: PixelSize, filter: PictureFit.Filter, backdrop: Backdrop) {
        self.source = source
        self.target = target
        let transfer = TransferFunction.shared
        self.transfer = transfer
        columns = FilterTaps(source: source.width, target: target.width, filter: filter)
        rows = FilterTaps(source: source.height, target: target.height, filter: filter)
        let color: CellColor?
        switch backdrop {
        // Half of one 8-bit level.
        case .terminal(let known): (color, leastCoverage) = (known, 0.5 / 255)
        // A little less than half, so that rounding errors do not omit a pixel with exactly half coverage.
        case .unknownTerminal: (color, leastCoverage) = (nil, 0.4999)
        case .solid(let chosen): (color, leastCoverage) = (chosen, 0)
        }
        backdropLight = color.map { color in
            Light(transfer.linear[color.red], transfer.linear[color.green], transfer.linear[color.blue], 1)
        }
        scaledRows = .allocate(capacity: target.width * Self.ringSize)
        batchSize = filter == .smooth ? 4 : 1
        sums = .allocate(capacity: target.width)
    }

    deinit {
        scaledRows.deallocate()
        sums.deallocate()
    }

    /// Updates `raster` after a change of `canvas`.
    /// - Parameters:
    ///   - dirty: the changed area in canvas pixels.
    ///   - raster: a raster of at least the size of ``target``.
    /// - Returns: the area of the raster that was recomputed.
    public func scale(
        _ canvas: Canvas, dirty: PixelRect, into raster: borrowing PictureRaster
    ) -> PixelRect {
        precondition(
            canvas.size == source && raster.size.width >= target.width && raster.size.height >= target.height)
        let across = columns.targets(touching: dirty.x, dirty.maxX)
        let down = rows.targets(touching: dirty.y, dirty.maxY)
        guard !dirty.isEmpty, !across.isEmpty, !down.isEmpty else { return .empty }
        for index in 0..<Self.ringSize { scaledRowNumbers[index] = -1 }
        let lastSpan = rows.spans[down.upperBound - 1]
        lastRow = lastSpan.start + lastSpan.count - 1
        let pixels = canvas.source
        let output = raster.pixels.baseAddress.unsafelyUnwrapped
        for position in down {
            sumRow(position, across, pixels)
            finishRow(across, output + position * raster.size.width)
        }
        return PixelRect(x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    }

    /// Fills ``sums`` with the linear light of target row `position`.
    private func sumRow(_ position: Int, _ across: Range<Int>, _ pixels: Canvas.Source) {
        let span = rows.spans[position]
        for tap in 0..<span.count {
            let weight = rows.weights[span.weightIndex + tap]
            let row = scaledRow(span.start + tap, across, pixels)
            if tap == 0 {
                for column in across { sums[column] = row[column] * weight }
            } else {
                for column in across { sums[column] += row[column] * weight }
            }
        }
    }

    /// Returns canvas row `y` after horizontal scaling.
    private func scaledRow(
        _ y: Int, _ across: Range<Int>, _ pixels: Canvas.Source
    ) -> UnsafePointer<Light> {
        if scaledRowNumbers[y % Self.ringSize] != y {
            switch pixels {
            case .slots(let slots, let lights): scaleRows(y, across) { lights[Int(slots[$0])] }
            case .colors(let colors): scaleRows(y, across) { transfer.light(RGBA(bits: colors[$0])) }
            }
        }
        return UnsafePointer(ringRow(y))
    }

    private func ringRow(_ y: Int) -> UnsafeMutablePointer<Light> { scaledRows + y % Self.ringSize * target.width }

    /// Scales canvas row `y` horizontally. With a ``batchSize`` of 4, also scales the next three rows if needed.
    /// - Parameter light: returns the linear light of the canvas pixel at an index.
    @inline(__always)
    private func scaleRows(_ y: Int, _ across: Range<Int>, _ light: (Int) -> Light) {
        let isBatch = batchSize == 4 && y + 3 <= lastRow
        for row in y..<y + (isBatch ? 4 : 1) { scaledRowNumbers[row % Self.ringSize] = row }
        let width = source.width
        columns.weights.withUnsafeBufferPointer { weights in
            columns.spans.withUnsafeBufferPointer { spans in
                let first = ringRow(y)
                if isBatch {
                    let (second, third, fourth) = (ringRow(y + 1), ringRow(y + 2), ringRow(y + 3))
                    for column in across {
                        let span = spans[column]
                        var sums = (Light.zero, Light.zero, Light.zero, Light.zero)
                        var pixel = y &* width &+ span.start
                        for tap in 0..<span.count {
                            let weight = weights[span.weightIndex &+ tap]
                            sums.0 += light(pixel) * weight
                            sums.1 += light(pixel &+ width) * weight
                            sums.2 += light(pixel &+ width &+ width) * weight
                            sums.3 += light(pixel &+ width &+ width &+ width) * weight
                            pixel &+= 1
                        }
                        (first[column], second[column], third[column], fourth[column]) = sums
                    }
                } else {
                    for column in across {
                        let span = spans[column]
                        let start = y &* width &+ span.start
                        var sum = Light.zero
                        for tap in 0..<span.count { sum += light(start &+ tap) * weights[span.weightIndex &+ tap] }
                        first[column] = sum
                    }
                }
            }
        }
    }

    private func finishRow(_ across: Range<Int>, _ output: UnsafeMutablePointer<CellColor>) {
        for column in across {
            let sum = sums[column]
            if sum.w < leastCoverage {
                output[column] = .terminalDefault
                continue
            }
            let light = sum.w > 0.9999 ? sum : blended(sum)
            output[column] = transfer.color(light)
        }
    }

    /// Returns the light of a partly transparent pixel.
    private func blended(_ sum: Light) -> Light {
        guard let backdropLight else { return sum / sum.w }
        return sum + backdropLight * (1 - sum.w)
    }
}

/// The taps of a filter along one axis: the source pixels that contribute to each target pixel, with their weights.
///
/// The weights of a target pixel add up to 1.
struct FilterTaps {
    struct Span {
        /// The first source pixel.
        var start: Int
        var count: Int
        /// The index of the first source pixel's weight in `weights`.
        var weightIndex: Int
    }

    let spans: [Span]
    let weights: [Float]

    init(source: Int, target: Int, filter: PictureFit.Filter) {
        var spans: [Span] = []
        var weights: [Float] = []
        spans.reserveCapacity(target)
        for position in 0..<target {
            let (start, taps) = Self.taps(position, source, target, filter)
            spans.append(Span(start: start, count: taps.count, weightIndex: weights.count))
            for tap in taps { weights.append(Float(tap)) }
        }
        self.spans = spans
        self.weights = weights
    }

    private static func taps(
        _ position: Int, _ source: Int, _ target: Int, _ filter: PictureFit.Filter
    ) -> (start: Int, weights: [Double]) {
        let ratio = Double(source) / Double(target)
        switch filter {
        case .pixelated: return (min(source - 1, Int((Double(position) + 0.5) * ratio)), [1])
        case .smooth where target > source:
            let centre = (Double(position) + 0.5) * ratio - 0.5
            let lower = Int(centre.rounded(.down))
            let fraction = centre - Double(lower)
            if lower < 0 { return (0, [1]) }
            if lower >= source - 1 { return (source - 1, [1]) }
            return fraction == 0 ? (lower, [1]) : (lower, [1 - fraction, fraction])
        case .smooth: return area(from: Double(position) * ratio, to: Double(position + 1) * ratio, source)
        }
    }

    /// Returns the source pixels that overlap `from..<to`. The weight of each pixel is its share of the interval.
    private static func area(from: Double, to: Double, _ source: Int) -> (start: Int, weights: [Double]) {
        let start = min(source - 1, Int(from))
        // A rounding error can put `to` slightly past the start of a pixel. The term 1e-9 excludes this pixel.
        let end = max(start + 1, min(source, Int((to - 1e-9).rounded(.up))))
        let length = to - from
        let weights = (start..<end).map { pixel in
            max(0, min(to, Double(pixel + 1)) - max(from, Double(pixel))) / length
        }
        return (start, weights)
    }

    /// Returns the target pixels that depend on any of the source pixels `lower..<upper`.
    func targets(touching lower: Int, _ upper: Int) -> Range<Int> {
        var first = spans.count
        var last = -1
        // The spans are in ascending order, so the first and the last match determine the range. A linear search is
        // fast enough, because an axis has at most 1,600 target pixels.
        for (index, span) in spans.enumerated() where span.start < upper && span.start + span.count > lower {
            first = index
            break
        }
        for index in stride(from: spans.count - 1, through: 0, by: -1) {
            let span = spans[index]
            if span.start < upper && span.start + span.count > lower {
                last = index
                break
            }
        }
        return first <= last ? first..<last + 1 : 0..<0
    }
}
