import Application
import ArgumentParser
import Base
import Playback

/// The playback options of the command line.
struct PlayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The cells that the picture may take, as 80x24.", valueName: "colsxrows"),
        transform: SizeValue.parse)
    var size: SizeValue?

    @Flag(help: "Play in the flow of text and leave the last frame there.")
    var inline = false

    @Flag(help: "No status line.")
    var bare = false

    @Flag(inversion: .prefixedNo, help: "Enlarge small GIFs; the default when the pane is filled, not with --inline.")
    var upscale: Bool?

    @Flag(help: "Crisp pixels, enlarged by whole factors.")
    var pixelated = false

    @Option(
        help: ArgumentHelp(
            "What lies behind transparent pixels, as #1e1e2e; the terminal's own otherwise.", valueName: "color"),
        transform: ColorValue.parse)
    var background: ColorValue?

    @Option(
        name: [.customLong("loop")],
        help: ArgumentHelp("Passes to play: a number or 'forever'; as the file says otherwise.", valueName: "n"),
        transform: LoopValue.parse)
    var loop: LoopValue?

    @Option(
        help: ArgumentHelp("Twice as fast is 2; 'max' waits for nothing and drops nothing.", valueName: "factor"),
        transform: SpeedValue.parse)
    var speed: SpeedValue?

    @Option(
        help: ArgumentHelp("Stop each GIF after this long, as 30s or 2m.", valueName: "time"),
        transform: DurationValue.parse)
    var duration: DurationValue?

    @Option(
        help: ArgumentHelp(
            "When to turn to the next at random, or from one that loops forever. (default: 10s)", valueName: "time"),
        transform: DurationValue.parse)
    var every: DurationValue?

    @Option(
        help: ArgumentHelp("exact sends every change, standard those over 2 of 255, low over 6.", valueName: "level"))
    var fidelity = FidelityValue.standard

    @Option(
        help: ArgumentHelp("Memory for the encoded frames of a loop; 0 decodes every pass.", valueName: "bytes"),
        transform: CountValue.parse)
    var loopCache: CountValue?

    @Flag(help: "Any key ends it.")
    var screensaver = false

    @Flag(help: "Write all frames where the output is no terminal, not a still.")
    var animate = false

    @Option(
        help: ArgumentHelp(
            "auto or always: always draws although NO_COLOR is set; never is refused, as all is color. (default: auto)",
            valueName: "when"))
    var color: ColorRule?

    @Flag(help: .hidden)
    var trace = false

    @Flag(help: .hidden)
    var virtualTime = false

    /// - Parameter isOneOfMany: whether other GIFs follow; GIFs that loop forever then end after ``turnNanoseconds``.
    func playback(isOneOfMany: Bool) -> PlaybackOptions {
        var options = PlaybackOptions()
        options.screen = inline ? .inline : .full
        options.size = size?.size
        options.fit.filter = pixelated ? .pixelated : .smooth
        options.fit.enlarges = upscale ?? !inline
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
        if isOneOfMany { options.endlessLimit = turnNanoseconds }
        return options
    }

    var turnNanoseconds: Int64 { every?.nanoseconds ?? 10 * Span.second }
}
