/// One decoded frame as stored in the file: palette indices in transmission order, not yet drawn on a canvas.
///
/// A frame is a reference type, and its buffer never shrinks. Decoder and player exchange a few frames during the whole
/// run, so that playback needs no allocation per frame.
public final class IndexedFrame {
    /// The area of the frame in canvas pixels; it may extend beyond the canvas.
    public var rect = PixelRect.empty
    /// Whether the file stores the rows in four passes, with the offsets 0, 4, 2, 1 and the steps 8, 8, 4, 2.
    public var isInterlaced = false
    public var disposal = Disposal.keep
    /// The palette index of transparent pixels, which leave the canvas unchanged; -1 if no pixel is transparent.
    public var transparentIndex = -1
    /// The delay stored in the file, in hundredths of a second; see ``playNanoseconds``.
    public var delayCentiseconds = 0
    /// The number of decoded indices in ``indices``. In a damaged frame this number is below
    /// `rect.width * rect.height`, and the remaining pixels are not drawn.
    public var decodedCount = 0
    /// The number of the frame in the file, from 0.
    public var number = 0
    /// The size of the file's canvas, which is the same for all frames of a file.
    public var canvas = PixelSize(width: 0, height: 0)
    /// The number of colours in ``palette`` that come from the file.
    public var paletteCount = 0

    /// The 256 colours of the frame. The colours from index ``paletteCount`` on are opaque black.
    public let palette: UnsafeMutableBufferPointer<RGBA>
    /// The palette indices of the pixels. The capacity is at least the `count` of the last ``reserve(_:)``.
    public private(set) var indices: UnsafeMutableBufferPointer<UInt8>

    public init() {
        palette = .allocate(capacity: 256)
        palette.initialize(repeating: .opaqueBlack)
        indices = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        palette.deallocate()
        PictureMemory.release(indices)
    }

    /// Ensures capacity for `count` indices. When the buffer grows, its contents are lost.
    public func reserve(_ count: Int) throws(OutOfMemory) { try PictureMemory.grow(&indices, toCount: count) }

    /// The time in nanoseconds for which the frame is displayed. As in browsers, a delay of 0 or 1 hundredths of a
    /// second becomes 100 ms.
    public var playNanoseconds: Int64 {
        Int64(delayCentiseconds < 2 ? 10 : delayCentiseconds) * 10_000_000
    }
}
