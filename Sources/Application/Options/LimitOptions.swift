import ArgumentParser
import GIFDecode

/// Options that limit the memory and time that one file can use.
public struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Maximum number of pixels in the canvas and in each frame", valueName: "n"),
        transform: OptionValue.limit)
    public var maxCanvasPixels: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum number of decoded pixels per loop, plus 128 for each byte of the file (default: none; info: 64M)",
            valueName: "n"),
        transform: OptionValue.limit)
    public var maxTotalPixels: Int?

    @Option(help: ArgumentHelp("Maximum bytes to read from a file", valueName: "n"), transform: OptionValue.limit)
    public var maxBytes: Int?

    @Option(
        help: ArgumentHelp("Maximum frames to play from a file (default: none; info: 1M)", valueName: "n"),
        transform: OptionValue.limit)
    public var maxFrames: Int?

    public init() {}

    public var limits: DecodeLimits {
        var limits = DecodeLimits()
        if let maxCanvasPixels { limits.canvasPixels = maxCanvasPixels }
        limits.totalPixels = maxTotalPixels
        if let maxBytes { limits.bytes = maxBytes }
        if let maxFrames { limits.frames = maxFrames }
        return limits
    }

    /// The limits for the command `info`, which hashes the canvas of every frame: within seconds, it reports a
    /// decompression bomb as well. It counts the frames beyond them.
    public var inspectionLimits: DecodeLimits {
        var limits = limits
        limits.skipsExcess = true
        limits.totalPixels = maxTotalPixels ?? 64 << 20
        limits.frames = maxFrames ?? 1 << 20
        return limits
    }

    /// The limits for a still, which needs only the frames up to the first one that is not empty.
    public static func stillLimits(_ limits: DecodeLimits) -> DecodeLimits {
        var limits = limits
        limits.totalPixels = limits.totalPixels ?? 256 << 20
        return limits
    }
}
