/// Limits on the resources that a file may use. With the defaults every GIF that is not malicious plays.
public struct DecodeLimits: Equatable, Sendable {
    /// Width times height of the canvas, and of each frame. The default is 4096 x 4096: 64 MiB as colours.
    public var canvasPixels = 4096 * 4096
    /// Pixels of all frames together. ``pixelsPerByte`` raises this limit with the size of the file.
    public var totalPixels = 256 << 20
    /// Pixels that each byte of the file adds to ``totalPixels``. Real GIFs have less than 100 pixels per byte, an LZW
    /// bomb has 1500.
    public var pixelsPerByte = 128
    /// Bytes that are read from a file.
    public var bytes = 1 << 30
    public var frames = 1_000_000

    public init() {}
}
