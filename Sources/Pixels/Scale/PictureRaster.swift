/// The pixels of a picture for an encoder. Each cell of the terminal shows a block of ``pixelsPerCell`` pixels.
///
/// The raster covers whole cells. The pixels outside the picture are ``CellColor/terminalDefault``.
public struct PictureRaster: ~Copyable {
    /// The size in pixels, a multiple of ``pixelsPerCell``.
    public let size: PixelSize
    public let pixelsPerCell: PixelSize
    /// The pixels, row by row.
    public let pixels: UnsafeMutableBufferPointer<CellColor>

    /// - Parameters:
    ///   - size: the size of the picture in pixels; rounded up to whole cells.
    ///   - pixelsPerCell: the number of pixels that a cell shows in each direction.
    public init(size: PixelSize, pixelsPerCell: PixelSize = .halfBlocks) {
        let cells = size.cells(pixelsPerCell)
        self.size = PixelSize(width: cells.columns * pixelsPerCell.width, height: cells.rows * pixelsPerCell.height)
        self.pixelsPerCell = pixelsPerCell
        pixels = .allocate(capacity: self.size.area)
        pixels.initialize(repeating: .terminalDefault)
    }

    deinit { pixels.deallocate() }

    public var cells: CellSize { size.cells(pixelsPerCell) }
}

extension PixelSize {
    /// The number of pixels in a half-block cell: two, one above the other.
    public static let halfBlocks = PixelSize(width: 1, height: 2)

    /// Returns the number of cells that a picture of this size occupies.
    public func cells(_ pixelsPerCell: PixelSize) -> CellSize {
        CellSize(
            columns: (width + pixelsPerCell.width - 1) / pixelsPerCell.width,
            rows: (height + pixelsPerCell.height - 1) / pixelsPerCell.height)
    }
}
