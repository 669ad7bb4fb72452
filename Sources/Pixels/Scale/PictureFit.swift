/// A size in terminal cells.
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
        /// Averages the covered pixels when shrinking, and interpolates linearly between pixels when enlarging.
        /// Computes in linear light.
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
        self.filter = filter
        self.enlarges = enlarges
        self.cellAspect = cellAspect
    }

    /// Returns the largest size that fits into `box`, has the aspect ratio of `canvas`, and is allowed by ``enlarges``
    /// and ``filter``. The size is at least 1x1.
    /// - Returns: the size in half-block pixels, which are one column wide and half a cell high.
    public func target(for canvas: PixelSize, in box: CellSize) -> PixelSize {
        let columns = max(1, box.columns)
        let halfRows = max(1, box.rows) * 2
        let halfHeight = cellAspect / 2
        let width = Double(max(1, canvas.width))
        let height = Double(max(1, canvas.height))
        var scale = min(Double(columns) / width, Double(halfRows) * halfHeight / height)
        if scale > 1 {
            if !enlarges { scale = 1 } else if filter == .pixelated { scale.round(.down) }
        }
        let targetWidth = Int((width * scale).rounded())
        let targetHeight = Int((height * scale / halfHeight).rounded())
        return PixelSize(width: min(columns, max(1, targetWidth)), height: min(halfRows, max(1, targetHeight)))
    }
}
