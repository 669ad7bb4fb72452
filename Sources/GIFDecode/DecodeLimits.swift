/// Limits on the resources that a file can use. Real GIFs do not reach the default limits.
public struct DecodeLimits: Equatable, Sendable {
    /// The maximum number of pixels of the canvas, and of each frame. By default, the colours of the canvas take at
    /// most 64 MiB.
    public var canvasPixels = 4096 * 4096
    /// The limit on the number of pixels of all frames together. Each byte of the file raises this limit by
    /// ``pixelsPerByte``.
    public var totalPixels = 256 << 20
    /// The number of pixels that each byte of the file adds to ``totalPixels``. Real GIFs have fewer than 100 pixels
    /// per byte; an LZW bomb (a small file that decodes to a huge picture) has 1500 pixels per byte.
    public var pixelsPerByte = 128
    /// The maximum number of bytes that are read from a file.
    public var bytes = 1 << 30
    public var frames = 1_000_000

    public init() {}
}
