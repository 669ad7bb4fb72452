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
            "Maximum number of decoded pixels per loop, plus 128 for each byte of the file", valueName: "n"),
        transform: OptionValue.limit)
    public var maxTotalPixels: Int?

    @Option(help: ArgumentHelp("Maximum bytes to read from a file", valueName: "n"), transform: OptionValue.limit)
    public var maxBytes: Int?

    @Option(help: ArgumentHelp("Maximum frames to play from a file", valueName: "n"), transform: OptionValue.limit)
    public var maxFrames: Int?

    public init() {}

    public var limits: DecodeLimits {
        var limits = DecodeLimits()
        if let maxCanvasPixels { limits.canvasPixels = maxCanvasPixels }
        if let maxTotalPixels { limits.totalPixels = maxTotalPixels }
        if let maxBytes { limits.bytes = maxBytes }
        if let maxFrames { limits.frames = maxFrames }
        return limits
    }

    /// The limits for the command `info`, which hashes the whole canvas of every frame. By default, `info` decodes only
    /// a quarter of the total pixels that playback allows, so that it reports a decompression bomb within seconds.
    public var inspectionLimits: DecodeLimits {
        var limits = limits
        if maxTotalPixels == nil { limits.totalPixels /= 4 }
        return limits
    }
}
