import Foundation
import Pixels

/// The expected appearance of a frame in a box of cells. The frame is composed and scaled as a whole, without the
/// optimizations of playback.
struct ExpectedPicture {
    let size: PixelSize
    /// Pixels in the order of a ``PictureRaster``.
    let pixels: [CellColor]

    var cells: CellSize { CellSize(columns: size.width, rows: (size.height + 1) / 2) }

    init(sample: String, frame number: Int, box: CellSize) throws {
        try self.init(
            bytes: try Binary.bytes(sample), frame: number, box: box)
    }

    init(
        bytes: [UInt8], frame number: Int, box: CellSize, enlarges: Bool = true, pixelsPerCell: PixelSize = .halfBlocks
    ) throws {
        let reader = GIFReader(MemoryByteSource(bytes))
        let frame = IndexedFrame()
        _ = try reader.next(into: frame)
        let canvas = try Canvas(size: frame.canvas)
        _ = try canvas.draw(frame)
        while frame.number < number, try reader.next(into: frame) { _ = try canvas.draw(frame) }
        size = PictureFit(enlarges: enlarges).target(for: frame.canvas, in: box, pixelsPerCell: pixelsPerCell)
        let scaler = Scaler(source: frame.canvas, target: size, filter: .smooth, backdrop: .unknownTerminal)
        let raster = PictureRaster(size: size, pixelsPerCell: pixelsPerCell)
        _ = scaler.scale(canvas, dirty: PixelRect(frame.canvas), into: raster)
        pixels = Array(raster.pixels)
    }
}
