/// How much of the machine a file may ask for. The defaults play every honest GIF.
public struct DecodeLimits: Equatable, Sendable {
    /// Width times height of the canvas, and of any frame. 4096 x 4096: 64 MiB of pixels.
    public var canvasPixels = 4096 * 4096
    /// Pixels of all frames together, beyond what ``pixelsPerByte`` allows anyway.
    public var totalPixels = 256 << 20
    /// What each byte of the file adds to ``totalPixels``: real GIFs unpack less than a hundredfold,
    /// an LZW bomb fifteen-hundredfold.
    public var pixelsPerByte = 128
    /// Bytes read of a file.
    public var bytes = 1 << 30
    public var frames = 1_000_000

    public init() {}
}
