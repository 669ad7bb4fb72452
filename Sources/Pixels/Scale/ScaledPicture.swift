/// A canvas, and a raster that shows the canvas at another size.
public struct ScaledPicture: ~Copyable {
    private var canvas: Canvas
    private var scaler: Scaler
    public private(set) var raster: PictureRaster
    /// The area of the canvas that the raster does not show yet.
    private var dirty: PixelRect

    /// - Parameters:
    ///   - target: the size of the picture in pixels of the raster.
    ///   - pixelsPerCell: the number of pixels that a cell shows in each direction.
    public init(
        _ canvas: consuming Canvas, target: PixelSize, pixelsPerCell: PixelSize = .halfBlocks,
        filter: PictureFit.Filter, backdrop: Backdrop
    ) {
        dirty = PixelRect(canvas.size)
        scaler = Scaler(source: canvas.size, target: target, filter: filter, backdrop: backdrop)
        raster = PictureRaster(size: target, pixelsPerCell: pixelsPerCell)
        self.canvas = canvas
    }

    public var canvasSize: PixelSize { canvas.size }
    /// A copy of the raster's pixels, row by row.
    public var pixels: [CellColor] { Array(raster.pixels) }

    /// Returns two values for each cell of the raster, for ``ScreenGrid/draw(_:width:row:column:visible:)``.
    public func cells(_ fitter: borrowing ScreenCellFitter) -> [CellColor] { fitter.cells(of: raster) }

    /// Replaces the size, the filter and the backdrop of the picture. The canvas does not change.
    public mutating func scale(
        to target: PixelSize, pixelsPerCell: PixelSize = .halfBlocks, filter: PictureFit.Filter, backdrop: Backdrop
    ) {
        scaler = Scaler(source: canvas.size, target: target, filter: filter, backdrop: backdrop)
        raster = PictureRaster(size: target, pixelsPerCell: pixelsPerCell)
        invalidate()
    }

    /// Makes the next ``update()`` compute the whole raster.
    public mutating func invalidate() {
        dirty = PixelRect(canvas.size)
    }

    /// Makes the canvas transparent, like a new canvas.
    public mutating func clear() {
        canvas.clear()
        invalidate()
    }

    /// Draws the next frame on the canvas, but does not change the raster.
    public mutating func draw(_ frame: IndexedFrame) throws(OutOfMemory) {
        dirty = dirty.union(try canvas.draw(frame))
    }

    /// Scales the changed area of the canvas into ``raster``.
    /// - Returns: the area of the raster that was computed.
    @discardableResult
    public mutating func update() -> PixelRect {
        defer { dirty = .empty }
        return scaler.scale(canvas, dirty: dirty, into: raster)
    }
}
