import Glibc

/// A decoded frame: palette indices in the order of the file, not yet drawn on a canvas.
///
/// A frame is a reference type, and its buffer never shrinks. The decoder and the player reuse a few frames during the
/// whole run, so playback does not allocate memory for each frame.
public final class IndexedFrame {
    /// The area of the frame in canvas pixels; it can extend beyond the canvas.
    public var rect = PixelRect.empty
    /// Whether the rows are interlaced. Four passes begin at rows 0, 4, 2 and 1 and advance by 8, 8, 4 and 2.
    public var isInterlaced = false
    public var disposal = Disposal.keep
    /// The palette index of transparent pixels; -1 if there are none. They leave the canvas unchanged.
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

    /// The 256 colours of the frame. Those beyond the colours of the file are opaque black.
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
    public func reserve(_ count: Int) throws(GIFError) { try PictureMemory.grow(&indices, toCount: count) }

    /// The display time of the frame in nanoseconds. As in browsers, 100 ms replace a delay of 0 ms or 10 ms.
    public var playNanoseconds: Int64 { Int64(delayCentiseconds < 2 ? 10 : delayCentiseconds) * 10_000_000 }
}

/// The disposal method (GIF89a, Graphic Control Extension). It changes the frame's area before the next frame.
public enum Disposal: Equatable, Sendable {
    /// The frame stays on the canvas (codes 0 and 1, and the reserved codes 5 to 7).
    case keep
    /// The area becomes transparent (code 2). GIF89a specifies the background colour, but browsers use
    /// transparency.
    case clear
    /// The area gets back the pixels from before the frame (code 3). Code 4 is the same, as in browsers.
    case restore

    /// - Parameter code: the value of the three disposal bits of the extension, 0 to 7.
    public init(code: Int) {
        switch code {
        case 2: self = .clear
        case 3, 4: self = .restore
        default: self = .keep
        }
    }
}

/// The colour of a canvas pixel: red in the lowest byte, then green, blue and straight (not premultiplied) alpha.
/// On the canvas of a GIF, alpha is 0 or 255, and all four bytes of a transparent pixel are 0.
public struct RGBA: Equatable, Sendable {
    public var bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    @inline(__always)
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        bits = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
    }

    public static let transparent = RGBA(bits: 0)
    public static let opaqueBlack = RGBA(bits: 0xFF00_0000)
}

/// Allocates buffers whose size depends on the size of a picture. The elements must be of a trivial type.
///
/// A failed allocation throws ``GIFError/outOfMemory``. With Swift's own allocation functions, a failure would end the
/// process.
enum PictureMemory {
    /// - Returns: uninitialized memory, which the caller frees with ``release(_:)``.
    static func allocate<Element>(
        _: Element.Type, count: Int
    ) throws(GIFError) -> UnsafeMutableBufferPointer<Element> {
        guard let block = malloc(max(1, count * MemoryLayout<Element>.stride)) else { throw .outOfMemory }
        return UnsafeMutableBufferPointer(start: block.assumingMemoryBound(to: Element.self), count: count)
    }

    /// - Returns: memory of which all bytes are 0. The system provides most of it only when it is first used.
    static func allocateZeros<Element>(
        _: Element.Type, count: Int
    ) throws(GIFError) -> UnsafeMutableBufferPointer<Element> {
        guard let block = calloc(max(1, count), MemoryLayout<Element>.stride) else { throw .outOfMemory }
        return UnsafeMutableBufferPointer(start: block.assumingMemoryBound(to: Element.self), count: count)
    }

    static func release<Element>(_ buffer: UnsafeMutableBufferPointer<Element>) { free(buffer.baseAddress) }

    /// Ensures capacity for `count` elements. When the buffer grows, its contents are lost.
    static func grow<Element>(
        _ buffer: inout UnsafeMutableBufferPointer<Element>, toCount count: Int
    ) throws(GIFError) {
        guard buffer.count < count else { return }
        // Free the old buffer first, because there might not be enough memory for both buffers.
        release(buffer)
        buffer = UnsafeMutableBufferPointer(start: nil, count: 0)
        buffer = try allocate(Element.self, count: count)
    }
}
