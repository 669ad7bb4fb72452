/// A size in terminal cells.
public struct CellSize: Equatable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// How a canvas is scaled to fit its box.
public struct PictureFit: Equatable, Sendable {
    /// How a target pixel gets its colour.
    public enum Filter: Sendable {
        /// Area average when shrinking, linear interpolation when enlarging, in linear light.
        case smooth
        /// The nearest pixel, enlarged by whole factors only, so that pixel art stays crisp.
        case pixelated
    }

    public var filter: Filter
    /// Whether a canvas smaller than its box grows to fill it.
    public var enlarges: Bool
    /// Height of a cell divided by its width; 2 if the terminal does not report it.
    public var cellAspect: Double

    public init(filter: Filter = .smooth, enlarges: Bool = true, cellAspect: Double = 2) {
        self.filter = filter
        self.enlarges = enlarges
        self.cellAspect = cellAspect
    }

    /// The largest size in which `canvas` fits into `box` with its aspect ratio, as far as ``enlarges`` and ``filter``
    /// allow, at least 1x1.
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
