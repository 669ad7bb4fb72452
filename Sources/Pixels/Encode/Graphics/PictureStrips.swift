/// The horizontal strips of a picture, each of which is sent as an image of whole cells, and a record of the pixels that
/// the terminal shows. An update sends only the strips that have changed.
struct PictureStrips: ~Copyable {
    struct Strip {
        var number: Int
        /// The number of rows of cells above the strip.
        var row: Int
        var cells: CellSize
        var size: PixelSize
        var pixels: UnsafeBufferPointer<CellColor>
    }

    let size: PixelSize
    let cells: CellSize
    let rowsPerStrip: Int
    private let pixelsPerCell: PixelSize
    let shown: UnsafeMutableBufferPointer<CellColor>

    /// The maximum number of strips, unless the caller chooses their height.
    static let maximumCount = 16

    /// - Parameter size: the ``PictureRaster/size`` of all rasters.
    init(size: PixelSize, pixelsPerCell: PixelSize, rowsPerStrip: Int? = nil) {
        self.size = size
        self.pixelsPerCell = pixelsPerCell
        cells = size.cells(pixelsPerCell)
        self.rowsPerStrip = rowsPerStrip ?? (cells.rows + Self.maximumCount - 1) / Self.maximumCount
        shown = .allocate(capacity: size.area)
        shown.initialize(repeating: .unknown)
    }

    deinit { shown.deallocate() }

    var count: Int { (cells.rows + rowsPerStrip - 1) / rowsPerStrip }
    private var height: Int { rowsPerStrip * pixelsPerCell.height }

    func assumeCleared() { shown.update(repeating: .terminalDefault) }

    /// Makes the next update send all strips.
    func forget() { shown.update(repeating: .unknown) }

    func forget(_ number: Int) {
        let area = height * size.width
        for index in number * area..<min((number + 1) * area, size.area) { shown[index] = .unknown }
    }

    /// Calls `send` for each strip that differs from the record by more than `tolerance`, and records its pixels.
    /// - Parameter dirty: the only area of the raster that can differ.
    func update(
        _ raster: borrowing PictureRaster, dirty: PixelRect, tolerance: ColorTolerance, send: (Strip) -> Void
    ) {
        precondition(raster.size == size)
        let area = dirty.intersection(PixelRect(size))
        guard !area.isEmpty else { return }
        let pixels = UnsafeBufferPointer(raster.pixels)
        for number in area.y / height..<(area.maxY + height - 1) / height {
            let strip = PixelRect(x: 0, y: number * height, width: size.width, height: height)
                .intersection(PixelRect(size))
            guard hasChanged(pixels, area.intersection(strip), tolerance) else { continue }
            record(pixels, strip)
            let stripSize = PixelSize(width: strip.width, height: strip.height)
            send(
                Strip(
                    number: number, row: number * rowsPerStrip, cells: stripSize.cells(pixelsPerCell), size: stripSize,
                    pixels: .init(rebasing: pixels[strip.y * size.width..<strip.maxY * size.width])))
        }
    }

    func record(_ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect) {
        for y in area.y..<area.maxY {
            let row = y * size.width + area.x..<y * size.width + area.maxX
            _ = UnsafeMutableBufferPointer(rebasing: shown[row]).update(fromContentsOf: pixels[row])
        }
    }

    private func hasChanged(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, _ tolerance: ColorTolerance
    ) -> Bool {
        (area.y..<area.maxY).contains { y in
            (y * size.width + area.x..<y * size.width + area.maxX).contains {
                pixels[$0].differs(from: shown[$0], by: tolerance)
            }
        }
    }

    /// Returns the smallest rectangle that contains all pixels of `area` that differ from the record.
    func changedArea(
        _ pixels: UnsafeBufferPointer<CellColor>, _ area: PixelRect, _ tolerance: ColorTolerance
    ) -> PixelRect {
        var changed = PixelRect.empty
        for y in area.y..<area.maxY {
            let row = y * size.width
            var (first, end) = (area.x, area.maxX)
            while first < end, !pixels[row + first].differs(from: shown[row + first], by: tolerance) { first += 1 }
            guard first < end else { continue }
            while !pixels[row + end - 1].differs(from: shown[row + end - 1], by: tolerance) { end -= 1 }
            changed = changed.union(PixelRect(x: first, y: y, width: end - first, height: 1))
        }
        return changed
    }
}
