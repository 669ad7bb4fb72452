/// A picture of half-block pixels. Each cell of the terminal shows two half-block pixels, one above the other.
///
/// The height of the raster is even. If the height of the picture is odd, the lower half of the last cell row is
/// ``CellColor/terminalDefault``.
public struct HalfBlockRaster: ~Copyable {
    /// The width is the number of cell columns; the height is twice the number of cell rows.
    public let size: PixelSize
    public let pixels: UnsafeMutableBufferPointer<CellColor>

    /// - Parameter size: the size of the picture; an odd height is rounded up to whole cells.
    public init(size: PixelSize) {
        self.size = PixelSize(width: size.width, height: (size.height + 1) & ~1)
        pixels = .allocate(capacity: self.size.area)
        pixels.initialize(repeating: .terminalDefault)
    }

    deinit { pixels.deallocate() }

    /// Sets the cells in `changes` to the colours of the recorded update.
    public func apply(_ changes: CellChanges.Slice) {
        changes.forEach { row, column, change in
            let index = row * 2 * size.width + column
            pixels[index] = change.top
            pixels[index + size.width] = change.bottom
        }
    }

    public var cells: CellSize { CellSize(columns: size.width, rows: size.height / 2) }
}
