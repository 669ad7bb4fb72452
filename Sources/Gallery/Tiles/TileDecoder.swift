import GIFDecode
import Pixels

/// A scaled frame of a tile, ready to be drawn.
struct TileFrame: Sendable {
    /// The half-block pixels, row by row. The number of rows is even.
    let pixels: [CellColor]
    /// The display time of the frame in nanoseconds.
    let delay: Int64
}

/// Decodes the bytes of a GIF into frames of a tile's size. Only the worker uses it.
final class TileDecoder {
    /// The reader of the GIF; nil before the first frame. Creating the reader copies the file. The worker's thread
    /// creates the reader, so that the copy does not delay the thread that handles keys.
    private var reader: GIFReader?
    private var bytes: [UInt8]
    private let frame = IndexedFrame()
    private let target: PixelSize
    private let backdrop: Backdrop
    private var renderer: FrameRenderer?

    /// The parts of the decoder that depend on the size of the canvas. The size is known when the first frame is read.
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

    /// Returns the next frame, or nil after the last frame of the file. After nil, the next call returns the first
    /// frame again.
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
