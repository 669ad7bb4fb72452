/// A raster -> lines of text that show it anywhere: in a file, a pager, a preview.
public enum StillEncoder {
    /// Appends one line for each row of cells. Colours end with each line; nothing moves the cursor.
    public static func encode(_ raster: borrowing HalfBlockRaster, into out: inout ByteBuffer) {
        let width = raster.size.width
        for row in 0..<raster.size.height / 2 {
            out.reserve((width + 1) * CellWriter.longestCell)
            var writer = CellWriter(.absolute(row: 1, column: 1), tolerance: 0)
            for column in 0..<width {
                let index = row * 2 * width + column
                _ = writer.write(raster.pixels[index], raster.pixels[index + width], &out)
            }
            writer.finish(&out)
            out.append("\n")
        }
    }
}
