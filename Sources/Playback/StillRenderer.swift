import GIFDecode
import Pixels

/// Draws one frame as lines of text, for output that is not a terminal.
public enum StillRenderer {
    /// Appends the first picture that is not empty, in at most `size` cells. If all pictures are empty, appends the
    /// last one.
    /// - Parameter colors: the colours and characters of the terminal for which the text is intended.
    /// - Throws: ``GIFError`` if the file has no frame to draw.
    public static func render(
        _ reader: GIFReader, size: CellSize, options: PlaybackOptions, colors: ColorFormat = .standard,
        into out: inout ByteBuffer
    ) throws(GIFError) {
        let canvas = try firstPicture(reader)
        let mode = options.mode.adapted(to: colors)
        let pixelsPerCell = mode.pixelsPerCell
        let target = options.fit.target(for: canvas.size, in: size, pixelsPerCell: pixelsPerCell)
        let backdrop: Backdrop = options.background.map { .solid($0) } ?? .unknownTerminal
        var picture = ScaledPicture(
            canvas, target: target, pixelsPerCell: pixelsPerCell, filter: options.fit.filter, backdrop: backdrop)
        picture.update()
        mode.encodeStill(picture.raster, colors: colors, into: &out)
    }

    private static func firstPicture(_ reader: GIFReader) throws(GIFError) -> Canvas {
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        var canvas = try Canvas(for: frame)
        try canvas.compose(frame)
        while canvas.isEmpty, try reader.next(into: frame) { try canvas.compose(frame) }
        return canvas
    }
}
