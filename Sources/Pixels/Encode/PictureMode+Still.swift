/// Stills: pictures as lines of text for files, pagers and previews.
extension PictureMode {
    /// Appends one line for each row of cells. Each line ends with a sequence that resets the colours. The lines
    /// contain no cursor moves. Appends nothing in the kitty and sixel modes, because they have no text.
    /// - Parameter colors: the colours of the terminal for which the text is intended.
    public func encodeStill(
        _ raster: borrowing PictureRaster, colors: ColorFormat = .standard, into out: inout ByteBuffer
    ) {
        switch self {
        case .half:
            guard let reducer = makeReducer(size: raster.size, colors, background: nil) else {
                return Self.encodeHalfBlocks(raster, into: &out)
            }
            _ = reducer.reduce(raster, dirty: PixelRect(raster.size), fidelity: .exact)
            Self.encodeHalfBlocks(reducer.raster, into: &out)
        case .subcells(let grid):
            let fitter = SubcellFitter(grid)
            let palette = Palette(colors, background: nil)
            Self.encode(raster.cells, grid, into: &out) { row, column in
                let pattern = fitter.fit(raster, row: row, column: column)
                return palette.map { pattern.reduced($0, row, column, grid.all) } ?? pattern
            }
        case .kitty, .sixel: break
        }
    }

    static func encodeHalfBlocks(_ raster: borrowing PictureRaster, into out: inout ByteBuffer) {
        let width = raster.size.width
        // The two upper quadrants of a cell are its upper half.
        encode(raster.cells, .quadrant, into: &out) { row, column in
            let upper = row * 2 * width + column
            return SubcellPattern(mask: 0b0011, marked: raster.pixels[upper], rest: raster.pixels[upper + width])
        }
    }

    private static func encode(
        _ cells: CellSize, _ grid: SubcellGrid, into out: inout ByteBuffer,
        pattern: (_ row: Int, _ column: Int) -> SubcellPattern
    ) {
        let glyphs = PackedGlyph.table(grid)
        var plan = CellPlan(capacity: cells.columns)
        var masks = Array(repeating: UInt8(0), count: cells.columns)
        for row in 0..<cells.rows {
            plan.begin()
            for column in 0..<cells.columns {
                let pattern = pattern(row, column)
                masks[column] = pattern.mask
                let (marked, rest) = (CellPlan.Half(exactly: pattern.marked), CellPlan.Half(exactly: pattern.rest))
                let glyphs = (marked: glyphs[Int(pattern.mask)], rest: glyphs[Int(~pattern.mask & grid.all)])
                let drawing = plan.cheapestDrawing(marked, rest, CellPlan.Kind(marked, rest, glyphs))
                plan.add(CellPosition(row: 0, column: Int32(truncatingIfNeeded: column)), marked, rest, drawing)
            }
            plan.finish()
            out.reserve((cells.columns + 1) * CellWriter.longestCell)
            var writer = CellWriter(.absolute(row: 1, column: 1), width: cells.columns)
            writer.assumeAtFirstCell()
            for column in 0..<plan.count {
                let cell = plan[column]
                let (foreground, background) = (plan.color(cell.foreground), plan.color(cell.background))
                if cell.glyph == .space {
                    writer.write(row: 0, column: column, .space, foreground, background, &out)
                } else {
                    let mask = cell.glyph == .upper ? masks[column] : ~masks[column] & grid.all
                    writer.write(row: 0, column: column, glyphs[Int(mask)], foreground, background, &out)
                }
            }
            writer.finish(&out)
            out.append("\n")
        }
    }
}
