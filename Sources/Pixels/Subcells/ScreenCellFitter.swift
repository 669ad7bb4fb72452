/// Converts rasters to the picture cells of a ``ScreenGrid``, two values per cell.
public struct ScreenCellFitter: ~Copyable {
    private let grid: SubcellGrid?
    private let fitter: SubcellFitter

    public init(_ mode: PictureMode) {
        if case .subcells(let grid) = mode { self.grid = grid } else { grid = nil }
        fitter = SubcellFitter(grid ?? .quadrant)
    }

    /// Returns two values per cell. For each row of cells, all upper values come before all lower values. The values
    /// are the colours of half-blocks, or subcell patterns encoded as in ``ScreenCell``.
    public func cells(of raster: borrowing PictureRaster) -> [CellColor] {
        guard grid != nil else { return Array(raster.pixels) }
        let columns = raster.cells.columns
        var cells = Array(repeating: CellColor.terminalDefault, count: columns * raster.cells.rows * 2)
        for row in 0..<raster.cells.rows {
            for column in 0..<columns {
                let cell = ScreenCell(fitter.fit(raster, row: row, column: column))
                cells[row * 2 * columns + column] = CellColor(bits: cell.upper)
                cells[(row * 2 + 1) * columns + column] = CellColor(bits: cell.lower)
            }
        }
        return cells
    }
}

extension PictureMode {
    /// Converts the size of a picture from half-blocks to the pixels of this mode. Both sizes fill the same cells.
    public func target(_ halfBlocks: PixelSize) -> PixelSize {
        let cell = pixelsPerCell
        return PixelSize(width: halfBlocks.width * cell.width, height: (halfBlocks.height * cell.height + 1) / 2)
    }
}

extension ScreenCell {
    /// Creates a cell with a pattern. Bits 27 to 30 of each colour, which are 0 in every ``CellColor``, hold one half of
    /// the mask. The mask of a half-block cell is 0.
    init(_ pattern: SubcellPattern) {
        // A cell of one colour gets the mask 0, so that it equals a half-block cell, such as a blank cell.
        let mask = pattern.marked == pattern.rest ? 0 : UInt32(pattern.mask)
        self.init(
            top: CellColor(bits: pattern.marked.bits | (mask & 15) << 27),
            bottom: CellColor(bits: pattern.rest.bits | (mask >> 4) << 27))
    }

    /// The subcells of a picture cell that the colour ``top`` fills; 0 for half-blocks.
    @inline(__always)
    var mask: UInt8 { UInt8(truncatingIfNeeded: upper >> 27 & 15 | lower >> 23 & 0xF0) }
    @inline(__always)
    var top: CellColor { CellColor(bits: upper & 0x7FF_FFFF) }
    @inline(__always)
    var bottom: CellColor { CellColor(bits: lower & 0x7FF_FFFF) }

    /// Returns whether a terminal that shows the picture cell `other` needs an update to show this picture cell.
    @inline(__always)
    func pictureDiffers(from other: ScreenCell, by tolerance: ColorTolerance) -> Bool {
        if mask == other.mask {
            return top.differs(from: other.top, by: tolerance) || bottom.differs(from: other.bottom, by: tolerance)
        }
        // Half-block cells with two colours also have the mask 0. They cannot be compared with a pattern.
        guard mask != 0 || top == bottom, other.mask != 0 || other.top == other.bottom else { return true }
        let pattern = SubcellPattern(mask: mask, marked: top, rest: bottom)
        let otherPattern = SubcellPattern(mask: other.mask, marked: other.top, rest: other.bottom)
        // The grid is unknown here, so eight subcells are compared. At worst, an unchanged cell is sent.
        return pattern.differs(from: otherPattern, by: tolerance, .max)
    }
}

extension CellColor {
    /// Returns 5/8 of this colour and 3/8 of `ground`. Bits of a pattern stay; see ``ScreenCell/mask``.
    func faded(into ground: CellColor) -> CellColor {
        guard bits & 0x700_0000 == 0 else { return self }
        let own = (bits & 0xFE_FEFE) >> 1 + (bits & 0xF8_F8F8) >> 3
        let other = (ground.bits & 0xFC_FCFC) >> 2 + (ground.bits & 0xF8_F8F8) >> 3
        return CellColor(bits: bits & 0x7800_0000 | (own + other))
    }
}
