/// A decoded frame: palette indices in the order of the file, not yet drawn on a canvas.
///
/// A frame is a reference type, and its buffer never shrinks. The decoder and the player reuse a few frames during the
/// whole run, so playback does not allocate memory for each frame.
public final class IndexedFrame {
    /// The area of the frame in canvas pixels; it can extend beyond the canvas.
    public var rect = PixelRect.empty
    /// Whether the rows are interlaced. Interlaced rows are stored in four passes, which begin at rows 0, 4, 2 and 1
    /// and advance by 8, 8, 4 and 2 rows.
    public var isInterlaced = false
    public var disposal = Disposal.keep
    /// The palette index of transparent pixels; -1 if the frame has no transparent pixels. A transparent pixel leaves
    /// the canvas unchanged.
    public var transparentIndex = -1
    /// The delay stored in the file, in hundredths of a second; see ``playNanoseconds``.
    public var delayCentiseconds = 0
    /// The number of decoded indices in ``indices``. In a damaged frame, this number is below the number of pixels in
    /// ``rect``, and the remaining pixels are not drawn.
    public var decodedCount = 0
    /// The number of the frame in the file, counted from 0.
    public var number = 0
    /// The size of the file's canvas, which is the same for all frames of a file.
    public var canvas = PixelSize(width: 0, height: 0)
    /// The number of colours in ``palette`` that come from the file.
    public var paletteCount = 0

    /// The 256 colours of the frame. The colours from index ``paletteCount`` on are opaque black.
    public let palette: UnsafeMutableBufferPointer<RGBA>
    /// The palette indices of the pixels. The capacity is at least the last `count` passed to ``reserve(_:)``.
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

    /// The time in nanoseconds for which the frame is displayed. As in browsers, a delay of 0 ms or 10 ms is replaced
    /// with 100 ms.
    public var playNanoseconds: Int64 {
        Int64(delayCentiseconds < 2 ? 10 : delayCentiseconds) * 10_000_000
    }
}
