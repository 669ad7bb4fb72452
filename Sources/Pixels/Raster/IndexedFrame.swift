/// One decoded frame as the file holds it: palette indices, in transmission order, not yet composed.
///
/// A reference type with a buffer of its own that grows and never shrinks, so that a few of them
/// travel between decoder and player for a whole run without an allocation a frame.
public final class IndexedFrame {
    /// Where the frame lies; may reach beyond the canvas.
    public var rect = PixelRect.empty
    /// Rows come in four passes (offsets 0, 4, 2, 1; steps 8, 8, 4, 2).
    public var isInterlaced = false
    public var disposal = Disposal.keep
    /// The index that leaves the canvas as it is; -1 when there is none.
    public var transparentIndex = -1
    /// As the file says it, in hundredths of a second; see ``playNanoseconds``.
    public var delayCentiseconds = 0
    /// How many indices of the buffer were decoded, in transmission order. Fewer than
    /// `rect.width * rect.height` in a damaged frame: the rest of it is not drawn.
    public var decodedCount = 0
    /// Position in the file, from 0.
    public var number = 0
    /// The canvas of the file, the same for all its frames.
    public var canvas = PixelSize(width: 0, height: 0)
    /// How many colours of ``palette`` are the file's.
    public var paletteCount = 0

    /// 256 colours as ``RGBA``; those past the file's palette are opaque black.
    public let palette: UnsafeMutableBufferPointer<RGBA>
    /// At least `rect.width * rect.height` bytes after ``reserve(_:)``.
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

    /// Makes room for `count` indices. What the buffer held is lost when it grows.
    public func reserve(_ count: Int) throws(OutOfMemory) { try PictureMemory.grow(&indices, toCount: count) }

    /// How long the frame stands, as browsers play it: 0 and 1 hundredths become 100 ms.
    public var playNanoseconds: Int64 {
        Int64(delayCentiseconds < 2 ? 10 : delayCentiseconds) * 10_000_000
    }
}
