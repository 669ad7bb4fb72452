import GIFDecode
import Pixels

struct TileFrame: Sendable {
    /// For an image, the pixels of its cells, row by row. Otherwise, two values for each cell: for each row of cells,
    /// all upper values come before all lower values. The values are the colours of half-blocks or encoded patterns of
    /// subcells.
    let pixels: [CellColor]
    /// The display time of the frame in nanoseconds.
    let delay: Int64
    var mode = PictureMode.half
    /// The position in the loop: the number of the frame from 0, and the time in nanoseconds at which it begins.
    var number = 0
    var start: Int64 = 0
}

/// Decodes the bytes of a GIF into frames of a tile's size. Only the worker uses it.
final class TileDecoder {
    /// The reader of the GIF; nil before the first frame. Creating the reader copies the file. The worker's thread
    /// creates the reader, so that the copy does not delay the thread that handles keys.
    private var reader: GIFReader?
    private var bytes: [UInt8]
    private let frame = IndexedFrame()
    private var elapsed: Int64 = 0
    private let target: PixelSize
    private let backdrop: Backdrop
    private let mode: PictureMode
    private let cellFitter: ScreenCellFitter
    /// Nil before the first frame, because the size of the canvas is not known earlier.
    private var picture: ScaledPicture?

    init(_ bytes: [UInt8], _ request: TileRequest, backdrop: Backdrop) {
        self.bytes = bytes
        self.backdrop = backdrop
        mode = request.mode
        cellFitter = ScreenCellFitter(mode)
        target = request.pixels
    }

    var canvas: PixelSize? { picture?.canvasSize }

    private func open() -> GIFReader {
        let new = GIFReader(MemoryByteSource(bytes))
        bytes = []
        reader = new
        return new
    }

    /// Returns nil after the last frame of the file, and then the first frame again.
    func next() throws(GIFError) -> TileFrame? {
        let reader = reader ?? open()
        guard try reader.next(into: frame) else {
            try reader.rewind()
            picture?.clear()
            elapsed = 0
            return nil
        }
        if picture == nil {
            picture = ScaledPicture(
                try Canvas(for: frame), target: target, pixelsPerCell: mode.pixelsPerCell, filter: .smooth,
                backdrop: backdrop)
        }
        do { try picture?.draw(frame) } catch { throw .outOfMemory }
        picture?.update()
        defer { elapsed += frame.playNanoseconds }
        return TileFrame(
            pixels: picture?.cells(cellFitter) ?? [], delay: frame.playNanoseconds, mode: mode, number: frame.number,
            start: elapsed)
    }
}
