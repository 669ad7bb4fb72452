/// Limits on the resources that a file may use. The default limits allow every GIF that is not malicious.
public struct DecodeLimits: Equatable, Sendable {
    /// The maximum number of pixels of the canvas, and of each frame. The default is 4096 x 4096 pixels, whose colours
    /// take 64 MiB.
    public var canvasPixels = 4096 * 4096
    /// The maximum number of pixels of all frames together. ``pixelsPerByte`` adds pixels for each byte of the file.
    public var totalPixels = 256 << 20
    /// The number of pixels by which each byte of the file raises the limit ``totalPixels``. Real GIFs have less than
    /// 100 pixels per byte; an LZW bomb (a small file that decodes to a huge picture) has 1500 pixels per byte.
    public var pixelsPerByte = 128
    /// The maximum number of bytes that are read from a file.
    public var bytes = 1 << 30
    public var frames = 1_000_000

    public init() {}
}
