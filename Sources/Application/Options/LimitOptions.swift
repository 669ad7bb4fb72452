import ArgumentParser
import GIFDecode

/// Options that limit the memory and time that one file can use.
public struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Maximum pixels of the canvas and of each frame", valueName: "n"),
        transform: LimitValue.parse)
    public var maxCanvasPixels: LimitValue?

    @Option(
        help: ArgumentHelp(
            "Maximum pixels to decode in one loop; 128 for each byte of the file are added", valueName: "n"),
        transform: LimitValue.parse)
    public var maxTotalPixels: LimitValue?

    @Option(help: ArgumentHelp("Maximum bytes to read from a file", valueName: "n"), transform: LimitValue.parse)
    public var maxBytes: LimitValue?

    @Option(help: ArgumentHelp("Maximum frames to play from a file", valueName: "n"), transform: LimitValue.parse)
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
    public var inspectionLimits: DecodeLimits {
        var limits = limits
        if maxTotalPixels == nil { limits.totalPixels /= 4 }
        return limits
    }
}
