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

    public func cells(_ pixelsPerCell: PixelSize) -> CellSize {
        CellSize(
            columns: (width + pixelsPerCell.width - 1) / pixelsPerCell.width,
            rows: (height + pixelsPerCell.height - 1) / pixelsPerCell.height)
    }
}

/// A canvas, and a raster that shows the canvas at another size.
public final class ScaledPicture {
    private let canvas: Canvas
    private var scaler: Scaler
    public private(set) var raster: PictureRaster
    /// The area of the canvas that the raster does not show yet.
    private var dirty: PixelRect

    /// - Parameters:
    ///   - target: the size of the picture in pixels of the raster.
    ///   - pixelsPerCell: the number of pixels that a cell shows in each direction.
    public init(
        _ canvas: Canvas, target: PixelSize, pixelsPerCell: PixelSize = .halfBlocks,
        filter: PictureFit.Filter, backdrop: Backdrop
    ) {
        dirty = PixelRect(canvas.size)
        scaler = Scaler(source: canvas.size, target: target, filter: filter, backdrop: backdrop)
        raster = PictureRaster(size: target, pixelsPerCell: pixelsPerCell)
        self.canvas = canvas
    }

    public var canvasSize: PixelSize { canvas.size }
    public var isEmpty: Bool { canvas.isEmpty }
    /// A copy of the raster's pixels, row by row.
    public var pixels: [CellColor] { Array(raster.pixels) }

    /// Returns two values for each cell of the raster, for ``ScreenGrid/draw(_:width:row:column:visible:)``.
    public func cells(_ fitter: borrowing ScreenCellFitter) -> [CellColor] { fitter.cells(of: raster) }

    /// Replaces the size, the filter and the backdrop of the picture. The canvas does not change.
    public func scale(
        to target: PixelSize, pixelsPerCell: PixelSize = .halfBlocks, filter: PictureFit.Filter, backdrop: Backdrop
    ) {
        scaler = Scaler(source: canvas.size, target: target, filter: filter, backdrop: backdrop)
        raster = PictureRaster(size: target, pixelsPerCell: pixelsPerCell)
        invalidate()
    }

    /// Makes the next ``update()`` compute the whole raster.
    public func invalidate() { dirty = PixelRect(canvas.size) }

    /// Makes the canvas transparent, like a new canvas.
    public func clear() {
        canvas.clear()
        invalidate()
    }

    /// Draws the next frame on the canvas, but does not change the raster.
    public func draw(_ frame: IndexedFrame) throws(GIFError) { dirty = dirty.union(try canvas.draw(frame)) }

    /// Scales the changed area of the canvas into ``raster``.
    /// - Returns: the area of the raster that was computed.
    @discardableResult
    public func update() -> PixelRect {
        defer { dirty = .empty }
        return scaler.scale(canvas, dirty: dirty, into: raster)
    }
}
