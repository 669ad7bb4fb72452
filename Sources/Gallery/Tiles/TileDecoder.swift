import GIFDecode
import Pixels

/// A frame of a tile, ready to be drawn.
struct TileFrame: Sendable {
    /// Half-block pixels, row by row, an even number of rows.
    let pixels: [CellColor]
    /// In nanoseconds.
    let delay: Int64
}

/// A GIF's bytes -> frames of the size that a tile has. Used by the worker alone.
final class TileDecoder {
    /// Nil before the first frame: it copies the file, which the thread that has the keys need not wait for.
    private var reader: GIFReader?
    private var bytes: [UInt8]
    private let frame = IndexedFrame()
    private let target: PixelSize
    private let backdrop: Backdrop
    private var film: Film?

    /// What depends on the canvas, which the first frame tells.
    private struct Film: ~Copyable {
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

    /// In pixels; nil before the first frame.
    var canvas: PixelSize? { film?.canvas.size }

    private func open() -> GIFReader {
        let new = GIFReader(MemoryByteSource(bytes))
        bytes = []
        reader = new
        return new
    }

    /// The next frame; nil at the end of a pass, after which it begins anew.
    func next() throws(GIFError) -> TileFrame? {
        let reader = reader ?? open()
        guard try reader.next(into: frame) else {
            try reader.rewind()
            film?.canvas.clear()
            return nil
        }
        if film == nil {
            film = Film(
                canvas: try Canvas(for: frame),
                scaler: Scaler(source: frame.canvas, target: target, filter: .smooth, backdrop: backdrop),
                raster: HalfBlockRaster(size: target))
        }
        // The first frame of a pass stands on an empty canvas: all of the raster follows it.
        let drawn = try film?.canvas.compose(frame) ?? .empty
        let dirty = frame.number == 0 ? PixelRect(frame.canvas) : drawn
        return TileFrame(pixels: film?.scaled(dirty) ?? [], delay: frame.playNanoseconds)
    }
}
