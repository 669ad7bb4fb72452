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

public struct CellSize: Equatable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The rules by which a canvas is scaled to fit into a box of cells.
public struct PictureFit: Equatable, Sendable {
    /// The method that computes the colour of a target pixel.
    public enum Filter: Sendable {
        /// Averages the covered pixels when shrinking, interpolates linearly when enlarging, in linear light.
        case smooth
        /// Uses the nearest source pixel, and enlarges only by integer factors, so that pixel art stays crisp.
        case pixelated
    }

    public var filter: Filter
    /// Whether a canvas that is smaller than its box is enlarged to fill the box.
    public var enlarges: Bool
    /// The height of a cell divided by its width; 2 if the terminal does not report the size of a cell.
    public var cellAspect: Double

    public init(filter: Filter = .smooth, enlarges: Bool = true, cellAspect: Double = 2) {
        (self.filter, self.enlarges, self.cellAspect) = (filter, enlarges, cellAspect)
    }

    /// Returns the largest size that fits into `box`, has the aspect ratio of `canvas`, and is allowed by ``enlarges``
    /// and ``filter``. The size is at least 1x1.
    /// - Parameter pixelsPerCell: the number of pixels that a cell shows in each direction.
    /// - Returns: the size in pixels of the raster.
    public func target(
        for canvas: PixelSize, in box: CellSize, pixelsPerCell: PixelSize = .halfBlocks
    ) -> PixelSize {
        let columns = max(1, box.columns) * pixelsPerCell.width
        let rows = max(1, box.rows) * pixelsPerCell.height
        // The unit of length is the width of a cell.
        let pixelWidth = 1 / Double(pixelsPerCell.width)
        let pixelHeight = cellAspect / Double(pixelsPerCell.height)
        let width = Double(max(1, canvas.width))
        let height = Double(max(1, canvas.height))
        var scale = min(Double(columns) * pixelWidth / width, Double(rows) * pixelHeight / height)
        // At the natural scale, a canvas pixel is as wide as the group of adjacent raster pixels in a row that is
        // closest to a square. Quadrants are half as wide as high, so it is as wide as two of them.
        let natural = pixelWidth * max(1, (pixelHeight / pixelWidth).rounded())
        var isExact = filter == .pixelated
        if scale > natural {
            if !enlarges {
                (scale, isExact) = (natural, true)
            } else if filter == .pixelated {
                scale = (scale / natural).rounded(.down) * natural
            }
        }
        // A partly filled cell would use one of its two colours for the background, so the picture ends with a whole
        // cell, unless that would make it visibly narrower or flatter.
        func rounded(_ length: Double, _ cell: Int) -> Int {
            let whole = (length / Double(cell)).rounded() * Double(cell)
            let fits = !isExact && pixelsPerCell.width == 2 && abs(whole - length) < length / 32
            return Int(fits ? whole : length.rounded())
        }
        let targetWidth = rounded(width * scale / pixelWidth, pixelsPerCell.width)
        let targetHeight = rounded(height * scale / pixelHeight, pixelsPerCell.height)
        return PixelSize(width: min(columns, max(1, targetWidth)), height: min(rows, max(1, targetHeight)))
    }
}
