import GIFDecode
import Pixels

/// Draws one frame as lines of text, for output that is not a terminal.
public enum StillRenderer {
    /// Appends the first picture that is not empty, in at most `size` cells. If all pictures are empty, appends the
    /// last one.
    /// - Throws: ``GIFError`` if the file has no frame to draw.
    public static func render(
        _ reader: GIFReader, size: CellSize, options: PlaybackOptions, into out: inout ByteBuffer
    ) throws(GIFError) {
        let canvas = try firstPicture(reader)
        let target = options.fit.target(for: canvas.size, in: size)
        let backdrop: Backdrop = options.background.map { .solid($0) } ?? .terminal(.black)
        let scaler = Scaler(source: canvas.size, target: target, filter: options.fit.filter, backdrop: backdrop)
        let raster = HalfBlockRaster(size: target)
        _ = scaler.scale(canvas, dirty: PixelRect(canvas.size), into: raster)
        StillEncoder.encode(raster, into: &out)
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
