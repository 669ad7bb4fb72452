/// Stills: pictures as lines of text, or as images, for files, pagers and previews.
extension PictureMode {
    /// Appends one line for each row of cells. Each line ends with a sequence that resets the colours. An image begins at
    /// the cursor, and a line feed follows it. Appends no cursor moves.
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
        case .kitty:
            encodeImages(raster, rowsPerImage: raster.cells.rows, into: &out) { file, cells, out in
                KittyImageWriter.appendStill(file, cells, into: &out)
            }
        case .iterm2(let cell, _):
            let rows = max(1, Self.largestImage / (raster.size.width * cell.height))
            encodeImages(raster, rowsPerImage: rows, into: &out) { file, cells, out in
                ITerm2Encoder.append(file, cells, movesCursor: true, into: &out)
            }
        case .sixel:
            let encoder = makeEncoder(size: raster.size, addressing: .inline(idleRow: 0))
            encoder.assumeCleared()
            var nothing: CellChanges?
            encoder.encode(
                raster, dirty: PixelRect(raster.size), fidelity: .exact, into: &out, recording: &nothing)
            out.append("\n")
        }
    }

    /// The largest image of iTerm2 in pixels. Even if PNG saves nothing, its sequence is shorter than 1 MiB, which is the
    /// limit of iTerm2 and of tmux.
    private static let largestImage = 250_000

    /// Appends PNG files, one below the other.
    private func encodeImages(
        _ raster: borrowing PictureRaster, rowsPerImage: Int, into out: inout ByteBuffer,
        append: (UnsafeBufferPointer<UInt8>, CellSize, inout ByteBuffer) -> Void
    ) {
        let png = PNGEncoder()
        let strips = PictureStrips(size: raster.size, pixelsPerCell: pixelsPerCell, rowsPerStrip: rowsPerImage)
        strips.update(raster, dirty: PixelRect(raster.size), tolerance: Fidelity.exact.tolerance) { strip in
            guard let file = png.encode(strip.pixels, strip.size) else { return }
            append(file, strip.cells, &out)
            out.append("\n")
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

extension KittyImageWriter {
    /// Appends the commands that show a PNG file at the cursor. The terminal gives the image a number that no other
    /// image has, moves the cursor to the end of the image's last row, and does not reply.
    static func appendStill(_ file: UnsafeBufferPointer<UInt8>, _ cells: CellSize, into out: inout ByteBuffer) {
        for start in stride(from: 0, to: file.count, by: chunkSize) {
            let end = min(start + chunkSize, file.count)
            let keys = start == 0 ? "a=T,f=100,c=\(cells.columns),r=\(cells.rows)," : ""
            out.append("\u{1B}_G\(keys)q=2,m=\(end < file.count ? 1 : 0);")
            Base64.append(file[start..<end], into: &out)
            out.append("\u{1B}\\")
        }
    }
}
