/// One decoded frame as stored in the file: palette indices in transmission order, not yet composed.
///
/// It is a reference type whose buffer grows and never shrinks. A few frames are passed back and forth between decoder
/// and player for a whole run, without an allocation per frame.
public final class IndexedFrame {
    /// The area of the frame in canvas pixels; it may extend beyond the canvas.
    public var rect = PixelRect.empty
    /// Whether the rows come in four passes (offsets 0, 4, 2, 1; steps 8, 8, 4, 2).
    public var isInterlaced = false
    public var disposal = Disposal.keep
    /// The palette index of transparent pixels, which leave the canvas unchanged; -1 if there is none.
    public var transparentIndex = -1
    /// The delay stored in the file, in hundredths of a second; see ``playNanoseconds``.
    public var delayCentiseconds = 0
    /// Number of decoded indices in ``indices``. In a damaged frame it is below `rect.width * rect.height`, and the
    /// remaining pixels are not drawn.
    public var decodedCount = 0
    /// Number of the frame in the file, from 0.
    public var number = 0
    /// Size of the file's canvas, the same for all its frames.
    public var canvas = PixelSize(width: 0, height: 0)
    /// Number of colours in ``palette`` that come from the file.
    public var paletteCount = 0

    /// 256 colours; those after ``paletteCount`` are opaque black.
    public let palette: UnsafeMutableBufferPointer<RGBA>
    /// Palette indices. The buffer holds at least as many as the last ``reserve(_:)`` asked for.
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

    /// How long the frame is displayed. As in browsers, delays of 0 and 1 hundredths become 100 ms.
    public var playNanoseconds: Int64 {
        Int64(delayCentiseconds < 2 ? 10 : delayCentiseconds) * 10_000_000
    }
}
