import ArgumentParser
import GIFDecode

/// Options that limit the memory and time that one file can use.
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

    /// The limits for playback.
    public var limits: DecodeLimits {
        var limits = DecodeLimits()
        if let maxCanvasPixels { limits.canvasPixels = maxCanvasPixels.count }
        if let maxTotalPixels { limits.totalPixels = maxTotalPixels.count }
        if let maxBytes { limits.bytes = maxBytes.count }
        if let maxFrames { limits.frames = maxFrames.count }
        return limits
    }

    /// The limits for `info`, which hashes whole canvases as fast as it can. Its default pixel limit is a quarter of
    /// the one for playback, so that a decompression bomb is reported within seconds.
    public var forInspection: DecodeLimits {
        var limits = limits
        if maxTotalPixels == nil { limits.totalPixels /= 4 }
        return limits
    }
}
