/// The horizontal strips of a picture, each of which is sent as an image of whole cells, and a record of the pixels that
/// the terminal shows. An update sends only the strips that have changed.
struct PictureStrips: ~Copyable {
    struct Strip {
        /// The number of rows of cells above the strip.
        var row: Int
        var cells: CellSize
        var size: PixelSize
        var pixels: UnsafeBufferPointer<CellColor>
    }

    private let size: PixelSize
    private let pixelsPerCell: PixelSize
    private let rowsPerStrip: Int
    private let shown: UnsafeMutableBufferPointer<CellColor>

    /// - Parameter size: the ``PictureRaster/size`` of all rasters.
    init(size: PixelSize, pixelsPerCell: PixelSize, rowsPerStrip: Int) {
        self.size = size
        self.pixelsPerCell = pixelsPerCell
        self.rowsPerStrip = rowsPerStrip
        shown = .allocate(capacity: size.area)
        shown.initialize(repeating: .unknown)
    }

    deinit { shown.deallocate() }

    func assumeCleared() { shown.update(repeating: .terminalDefault) }

    /// Makes the next update of each strip send it.
    func forget() { shown.update(repeating: .unknown) }

    /// Calls `send` for each strip that differs from the record by more than `tolerance`, and records its pixels.
    /// - Parameter dirty: the only area of the raster that can differ.
    func update(
        _ raster: borrowing PictureRaster, dirty: PixelRect, tolerance: ColorTolerance, send: (Strip) -> Void
    ) {
        precondition(raster.size == size)
        let area = dirty.intersection(PixelRect(size))
        guard !area.isEmpty else { return }
        let pixels = UnsafeBufferPointer(raster.pixels)
        let height = rowsPerStrip * pixelsPerCell.height
        for top in stride(from: area.y / height * height, to: area.maxY, by: height) {
            let strip = PixelRect(x: 0, y: top, width: size.width, height: height).intersection(PixelRect(size))
            guard hasChanged(pixels, area.intersection(strip), tolerance) else { continue }
            let part = UnsafeBufferPointer(rebasing: pixels[top * size.width..<strip.maxY * size.width])
            _ = UnsafeMutableBufferPointer(rebasing: shown[(top * size.width)...]).update(from: part)
            let stripSize = PixelSize(width: size.width, height: strip.height)
            send(
                Strip(
                    row: top / pixelsPerCell.height, cells: stripSize.cells(pixelsPerCell), size: stripSize,
                    pixels: part))
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
}
