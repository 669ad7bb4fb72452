import GIFDecode
import Pixels

/// A scaled frame of a tile, ready to be drawn.
struct TileFrame: Sendable {
    /// Half-block pixels, row by row, an even number of rows.
    let pixels: [CellColor]
    /// In nanoseconds.
    let delay: Int64
}

/// Decodes the bytes of a GIF into frames of a tile's size. Only the worker uses it.
final class TileDecoder {
    /// Nil before the first frame. Creating the reader copies the file, so the worker's thread does it, which does not
    /// delay the thread that handles keys.
    private var reader: GIFReader?
    private var bytes: [UInt8]
    private let frame = IndexedFrame()
    private let target: PixelSize
    private let backdrop: Backdrop
    private var renderer: FrameRenderer?

    /// The parts that depend on the size of the canvas, which is known from the first frame on.
    private struct FrameRenderer: ~Copyable {
        var canvas: Canvas
        let scaler: Scaler
        let raster: HalfBlockRaster

        func scaled(_ dirty: PixelRect) -> [CellColor] {
            _ = scaler.scale(canvas, dirty: dirty, into: raster)
            return Array(raster.pixels)
        }
    }

    init(_ bytes: [UInt8], target: PixelSize, backdrop: Backdrop) {
        self.bytes = bytes
        self.target = target
        self.backdrop = backdrop
    }

    /// The size of the canvas in pixels; nil before the first frame.
    var canvas: PixelSize? { renderer?.canvas.size }

    private func open() -> GIFReader {
        let new = GIFReader(MemoryByteSource(bytes))
        bytes = []
        reader = new
        return new
    }

    /// Decodes the next frame. Returns nil at the end of a pass; the next call then begins with the first frame again.
    func next() throws(GIFError) -> TileFrame? {
        let reader = reader ?? open()
        guard try reader.next(into: frame) else {
            try reader.rewind()
            renderer?.canvas.clear()
            return nil
        }
        if renderer == nil {
            renderer = FrameRenderer(
                canvas: try Canvas(for: frame),
                scaler: Scaler(source: frame.canvas, target: target, filter: .smooth, backdrop: backdrop),
                raster: HalfBlockRaster(size: target))
        }
        // The first frame of a pass is drawn on an empty canvas, so the whole raster must be updated.
        let drawn = try renderer?.canvas.compose(frame) ?? .empty
        let dirty = frame.number == 0 ? PixelRect(frame.canvas) : drawn
        return TileFrame(pixels: renderer?.scaled(dirty) ?? [], delay: frame.playNanoseconds)
    }
}
