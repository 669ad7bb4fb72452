import ArgumentParser
import GIFDecode

/// How much of the machine a file may ask for.
public struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The largest canvas and frame that is decoded.", valueName: "n"), transform: LimitValue.parse
    )
    public var maxCanvasPixels: LimitValue?

    @Option(
        help: ArgumentHelp(
            "Pixels decoded of a file in one pass, besides 128 for each byte of it.", valueName: "n"),
        transform: LimitValue.parse)
    public var maxTotalPixels: LimitValue?

    @Option(help: ArgumentHelp("Bytes read of a file.", valueName: "n"), transform: LimitValue.parse)
    public var maxBytes: LimitValue?

    @Option(help: ArgumentHelp("Frames played of a file.", valueName: "n"), transform: LimitValue.parse)
    public var maxFrames: LimitValue?

    public init() {}

    /// For playing.
    public var limits: DecodeLimits {
        var limits = DecodeLimits()
        if let maxCanvasPixels { limits.canvasPixels = maxCanvasPixels.count }
        if let maxTotalPixels { limits.totalPixels = maxTotalPixels.count }
        if let maxBytes { limits.bytes = maxBytes.count }
        if let maxFrames { limits.frames = maxFrames.count }
        return limits
    }

    /// For `info`, which hashes whole canvases without a clock to pace it: a quarter of the pixels,
    /// so that a bomb is told of within seconds.
    public var forInspection: DecodeLimits {
        var limits = limits
        if maxTotalPixels == nil { limits.totalPixels /= 4 }
        return limits
    }
}
