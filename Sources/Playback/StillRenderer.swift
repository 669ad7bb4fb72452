import GIFDecode
import Pixels

/// Draws one frame as plain lines, for output that is no terminal.
public enum StillRenderer {
    /// The first frame of which anything is drawn (else the last one), in at most `size` cells.
    public static func render(
        _ reader: GIFReader, size: CellSize, options: PlaybackOptions, into out: inout ByteBuffer
    ) throws(GIFError) {
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        var canvas = Canvas(size: frame.canvas)
        _ = canvas.draw(frame)
        while canvas.isEmpty, try reader.next(into: frame) { _ = canvas.draw(frame) }
        let target = options.fit.target(for: frame.canvas, in: size)
        let backdrop: Backdrop = options.background.map { .solid($0) } ?? .terminal(.black)
        let scaler = Scaler(source: frame.canvas, target: target, filter: options.fit.filter, backdrop: backdrop)
        let raster = HalfBlockRaster(size: target)
        _ = scaler.scale(canvas, dirty: PixelRect(frame.canvas), into: raster)
        StillEncoder.encode(raster, into: &out)
    }
}
