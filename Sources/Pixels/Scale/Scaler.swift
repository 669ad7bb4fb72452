/// Canvas pixels -> half-block pixels: weighted averages in linear light, blended over the backdrop.
///
/// Weights are computed once per (canvas, target) pair; a call scales only the target pixels that
/// the dirty rectangle reaches. Colours are premultiplied by nature here: a GIF's alpha is 0 or 255
/// and a transparent pixel is black.
public final class Scaler {
    typealias Light = SIMD4<Float>

    public let source: PixelSize
    public let target: PixelSize

    private let columns: FilterTaps
    private let rows: FilterTaps
    private let backdrop: Backdrop
    private let backdropLight: Light
    private let transfer: TransferFunction

    /// One canvas row in linear light.
    private let sourceRow: UnsafeMutablePointer<Light>
    /// The two canvas rows last scaled across, by `y & 1`: neighbouring targets share them.
    private let scaledRows: UnsafeMutablePointer<Light>
    private var scaledRowNumbers = (-1, -1)
    private let sums: UnsafeMutablePointer<Light>

    public init(source: PixelSize, target: PixelSize, filter: Fit.Filter, backdrop: Backdrop) {
        self.source = source
        self.target = target
        self.backdrop = backdrop
        transfer = .shared
        columns = FilterTaps(source: source.width, target: target.width, filter: filter)
        rows = FilterTaps(source: source.height, target: target.height, filter: filter)
        let color: CellColor
        switch backdrop {
        case .terminal(let known): color = known
        case .solid(let chosen): color = chosen
        }
        backdropLight = Light(
            transfer.linear[color.red], transfer.linear[color.green], transfer.linear[color.blue], 1)
        sourceRow = .allocate(capacity: source.width)
        scaledRows = .allocate(capacity: target.width * 2)
        sums = .allocate(capacity: target.width)
    }

    deinit {
        sourceRow.deallocate()
        scaledRows.deallocate()
        sums.deallocate()
    }

    /// Brings `raster` up to date with what changed of `canvas`.
    /// - Parameters:
    ///   - dirty: in canvas pixels.
    ///   - raster: of ``target``'s size (its height may be one more).
    /// - Returns: what of the raster was computed anew.
    public func scale(
        _ canvas: borrowing Canvas, dirty: PixelRect, into raster: borrowing HalfBlockRaster
    ) -> PixelRect {
        precondition(canvas.size == source && raster.size.width == target.width && raster.size.height >= target.height)
        let across = columns.targets(touching: dirty.x, dirty.maxX)
        let down = rows.targets(touching: dirty.y, dirty.maxY)
        guard !dirty.isEmpty, !across.isEmpty, !down.isEmpty else { return .empty }
        scaledRowNumbers = (-1, -1)
        let pixels = canvas.pixels.baseAddress.unsafelyUnwrapped
        let output = raster.pixels.baseAddress.unsafelyUnwrapped
        for position in down {
            sumRow(position, across, pixels)
            finishRow(across, output + position * target.width)
        }
        return PixelRect(x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    }

    /// Fills `sums` with the light of target row `position`.
    private func sumRow(_ position: Int, _ across: Range<Int>, _ pixels: UnsafePointer<RGBA>) {
        let span = rows.spans[position]
        for column in across { sums[column] = .zero }
        for tap in 0..<span.count {
            let weight = rows.weights[span.weight + tap]
            let row = scaledRow(span.start + tap, across, pixels)
            for column in across { sums[column] += row[column] * weight }
        }
    }

    /// Canvas row `y`, scaled across.
    private func scaledRow(
        _ y: Int, _ across: Range<Int>, _ pixels: UnsafePointer<RGBA>
    ) -> UnsafePointer<Light> {
        let odd = y & 1 == 1
        let row = scaledRows + (odd ? target.width : 0)
        if (odd ? scaledRowNumbers.1 : scaledRowNumbers.0) == y { return UnsafePointer(row) }
        if odd { scaledRowNumbers.1 = y } else { scaledRowNumbers.0 = y }
        linearise(pixels + y * source.width, across)
        columns.weights.withUnsafeBufferPointer { weights in
            columns.spans.withUnsafeBufferPointer { spans in
                for column in across {
                    let span = spans[column]
                    var sum = Light.zero
                    for tap in 0..<span.count {
                        sum += sourceRow[span.start + tap] * weights[span.weight + tap]
                    }
                    row[column] = sum
                }
            }
        }
        return UnsafePointer(row)
    }

    /// Fills `sourceRow` where the target columns `across` will read it.
    @inline(__always)
    private func linearise(_ pixels: UnsafePointer<RGBA>, _ across: Range<Int>) {
        let last = columns.spans[across.upperBound - 1]
        let linear = transfer.linear
        for x in columns.spans[across.lowerBound].start..<last.start + last.count {
            let pixel = pixels[x].bits
            sourceRow[x] = Light(
                linear[Int(pixel & 0xFF)], linear[Int(pixel >> 8 & 0xFF)], linear[Int(pixel >> 16 & 0xFF)],
                linear[Int(pixel >> 24)])
        }
    }

    private func finishRow(_ across: Range<Int>, _ output: UnsafeMutablePointer<CellColor>) {
        for column in across {
            let sum = sums[column]
            if sum.w < Self.invisible, case .terminal = backdrop {
                output[column] = .terminalDefault
                continue
            }
            let light = sum.w > 0.9999 ? sum : sum + backdropLight * (1 - sum.w)
            output[column] = CellColor(
                bits: transfer.encoded(light.x) << 16 | transfer.encoded(light.y) << 8 | transfer.encoded(light.z))
        }
    }

    /// Coverage below which a pixel counts as transparent: less than half a level of 255.
    private static let invisible: Float = 0.5 / 255
}
