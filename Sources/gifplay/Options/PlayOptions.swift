import Application
import ArgumentParser
import Base
import Playback

struct PlayOptions: ParsableArguments {
    @Option(
        name: [.customShort("s", allowingJoined: true), .long],
        help: ArgumentHelp("Use at most this many columns and rows, such as 80x24", valueName: "colsxrows"),
        transform: SizeValue.parse)
    var size: SizeValue?

    @Flag(help: "Play below the prompt and leave the last frame there")
    var inline = false

    @Flag(help: "Hide the status line")
    var bare = false

    @Flag(
        name: [.customShort("U"), .long], inversion: .prefixedNo,
        help: "Enlarge small GIFs (default: yes, except with --inline)")
    var upscale: Bool?

    @Flag(help: "Scale by nearest neighbour, enlarge by whole factors (for pixel art)")
    var pixelated = false

    // A string and not a `ModeValue`; ``ColorOptions`` explains the reason.
    @Option(
        name: .customLong("mode"),
        help: ArgumentHelp(
            "Draw with 'half' blocks, or sharper 'quadrant', 'sextant' or 'octant' if the font has them, or pixels by "
                + "'kitty' or 'sixel' graphics; 'auto' uses the best graphics that the terminal reports "
                + "(default: half)", valueName: "mode"),
        completion: ModeValue.completion, transform: { try ModeValue.parse($0).rawValue })
    var modeName: String?

    @Option(
        name: [.customShort("b", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Colour behind transparent pixels, such as #1e1e2e (default: the terminal's own)", valueName: "color"),
        transform: ColorValue.parse)
    var background: ColorValue?

    @Option(
        name: [.customShort("l", allowingJoined: true), .long],
        help: ArgumentHelp("Number of loops, or 'forever' (default: as the file says)", valueName: "n"),
        completion: .list(["forever"]), transform: LoopValue.parse)
    var loop: LoopValue?

    @Option(
        help: ArgumentHelp(
            "Speed from 0.01 to 100; 'max' plays every frame without waiting (default: 1)", valueName: "factor"),
        completion: .list(["0.5", "2", "max"]), transform: SpeedValue.parse)
    var speed: SpeedValue?

    @Option(
        name: [.customShort("d", allowingJoined: true), .long],
        help: ArgumentHelp("Stop each GIF after this time, such as 30s or 2m", valueName: "time"),
        transform: DurationValue.parse)
    var duration: DurationValue?

    @Option(
        help: ArgumentHelp(
            "Time for each random GIF; with several files, for each that loops forever (default: 10s)",
            valueName: "time"),
        transform: DurationValue.parse)
    var every: DurationValue?

    @Option(
        help: ArgumentHelp(
            "Colour accuracy: 'exact'; 'standard' and 'low' omit changes of up to 2 and 6 of 255 levels",
            valueName: "level"))
    var fidelity = FidelityValue.standard

    @Option(
        help: ArgumentHelp(
            "Memory for drawn frames, so that later loops need no decoding; 0 turns it off (default: 8M)",
            valueName: "bytes"),
        transform: CountValue.parse)
    var loopCache: CountValue?

    @Flag(help: "Quit on any key")
    var screensaver = false

    @Flag(help: "Write all frames, not a still, if the output is not a terminal")
    var animate = false

    @Option(help: ColorOptions.colorHelp)
    var color: ColorRule?

    @Option(
        help: ColorOptions.colorsHelp, completion: ColorsValue.completion,
        transform: { try ColorsValue.parse($0).rawValue })
    var colors: String?

    @Option(
        help: ColorOptions.ditherHelp, completion: DitherValue.completion,
        transform: { try DitherValue.parse($0).rawValue })
    var dither: String?

    @Flag(help: .hidden)
    var trace = false

    @Flag(help: .hidden)
    var virtualTime = false

    var depth: ColorOptions { ColorOptions(colors: colors, dither: dither) }

    var mode: ModeValue? {
        get { modeName.flatMap { ModeValue(rawValue: $0) } }
        set { modeName = newValue?.rawValue }
    }

    /// - Parameters:
    ///   - isOneOfMany: whether other GIFs follow. If so, a GIF that loops forever ends after ``switchNanoseconds``.
    ///   - isEndless: whether other GIFs follow forever, each one for ``switchNanoseconds``.
    func playback(isOneOfMany: Bool, isEndless: Bool = false) -> PlaybackOptions {
        var options = PlaybackOptions()
        options.screen = inline ? .inline : .full
        options.size = size?.size
        options.fit.filter = pixelated ? .pixelated : .smooth
        options.fit.enlarges = upscale ?? !inline
        options.mode = mode?.mode ?? .half
        options.graphics = mode?.graphics ?? .off
        options.background = background?.color
        options.loops = loop?.rule ?? .file
        options.speed = speed?.speed ?? .factor(1)
        options.duration = duration?.nanoseconds
        options.fidelity = fidelity.fidelity
        if let loopCache { options.loopCacheBytes = loopCache.count }
        options.showsStatus = !bare
        options.showsKeyHint = !screensaver
        options.anyKeyEnds = screensaver
        options.holdsStills = !inline && loop == nil && duration == nil
        if isOneOfMany { options.endlessLimit = switchNanoseconds }
        if isEndless {
            options.duration = options.duration ?? switchNanoseconds
            if loop == nil { options.loops = .forever }
        }
        return options
    }

    /// Whether the options leave the playback time unlimited.
    var isEndless: Bool { duration == nil && (loop == nil || loop?.rule == .forever) }

    var switchNanoseconds: Int64 { every?.nanoseconds ?? 10 * Span.second }
}
