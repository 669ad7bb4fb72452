/// Encodes a raster as lines of text for files, pagers and previews.
public enum StillEncoder {
    /// Appends one line for each row of cells. Each line ends with a sequence that resets the colours. The lines
    /// contain no cursor moves.
    public static func encode(_ raster: borrowing PictureRaster, into out: inout ByteBuffer) {
        let width = raster.size.width
        var plan = CellPlan(capacity: width)
        for row in 0..<raster.size.height / 2 {
            plan.begin()
            for column in 0..<width {
                let index = row * 2 * width + column
                plan.add(
                    CellPosition(row: 0, column: Int32(truncatingIfNeeded: column)),
                    CellPlan.Half(exactly: raster.pixels[index]),
                    CellPlan.Half(exactly: raster.pixels[index + width]))
            }
            plan.finish()
            out.reserve((width + 1) * CellWriter.longestCell)
            var writer = CellWriter(.absolute(row: 1, column: 1), width: width)
            writer.assumeAtFirstCell()
            for number in 0..<plan.count {
                let cell = plan[number]
                writer.write(
                    row: 0, column: number, cell.glyph, plan.color(cell.foreground), plan.color(cell.background), &out)
            }
            writer.finish(&out)
            out.append("\n")
        }
    }
}
