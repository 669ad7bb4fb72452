/// A picture in half-block pixels: each cell of the terminal shows two, one above the other.
///
/// The height is even; where the picture ends in the upper half of its last row of cells, the
/// lower half is ``CellColor/terminalDefault``.
public struct HalfBlockRaster: ~Copyable {
    /// Columns of cells, and half-rows: `height` is twice the rows of cells.
    public let size: PixelSize
    public let pixels: UnsafeMutableBufferPointer<CellColor>

    /// - Parameter size: of the picture; an odd height is rounded up to whole cells.
    public init(size: PixelSize) {
        self.size = PixelSize(width: size.width, height: (size.height + 1) & ~1)
        pixels = .allocate(capacity: self.size.area)
        pixels.initialize(repeating: .terminalDefault)
    }

    deinit { pixels.deallocate() }

    /// Sets the cells of a recorded update.
    public func apply(_ changes: CellChanges.Slice) {
        changes.forEach { row, column, change in
            let index = row * 2 * size.width + column
            pixels[index] = change.top
            pixels[index + size.width] = change.bottom
        }
    }

    public var cells: CellSize { CellSize(columns: size.width, rows: size.height / 2) }
}
