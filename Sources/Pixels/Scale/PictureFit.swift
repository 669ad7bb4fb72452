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
