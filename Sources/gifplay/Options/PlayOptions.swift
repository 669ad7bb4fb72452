import Application
import ArgumentParser
import Pixels

struct PlayOptions: ParsableArguments {
    @Option(size: "Use at most this many columns and rows, such as 80x24")
    var size: PlaybackChange?

    @Flag(help: "Play below the prompt and leave the last frame there")
    var inline = false

    @Flag(help: "Hide the status line")
    var bare = false

    @Flag(
        name: [.customShort("U"), .long], inversion: .prefixedNo,
        help: "Enlarge small GIFs (default: yes, except with --inline)")
    var upscale: Bool?

    @Flag(help: .pixelated)
    var pixelated = false

    @Option(mode: "mode")
    var mode: PlaybackChange?

    @Option(background: "(default: the terminal's own)")
    var background: PlaybackChange?

    @Option(loop: "(default: as the file says)")
    var loop: PlaybackChange?

    @Option(speed: "; 'max' plays every frame without waiting", completions: ["0.5", "2", "max"])
    var speed: PlaybackChange?

    @Option(duration: "Stop each GIF after this time, such as 30s or 2m")
    var duration: PlaybackChange?

    @Option(
        help: ArgumentHelp(
            "Time for each random GIF; with several files, for each that loops forever (default: 10s)",
            valueName: "time"),
        transform: PlaybackChange.by(OptionValue.duration) { $0.switchInterval = $1 })
    var every: PlaybackChange?

    @Option(help: .fidelity)
    var fidelity = Fidelity.standard

    @Option(
        help: ArgumentHelp(
            "Memory for drawn frames, so that later loops need no decoding; 0 turns it off (default: 8M)",
            valueName: "bytes"),
        transform: PlaybackChange.by(OptionValue.count) { $0.player.loopCacheBytes = $1 })
    var loopCache: PlaybackChange?

    @Flag(help: "Quit on any key")
    var screensaver = false

    @Flag(help: "Write all frames, not a still, if the output is not a terminal")
    var animate = false

    @Option(help: .color)
    var color: ColorRule?

    @Option(colors: "depth")
    var colors: PlaybackChange?

    @Option(dither: "pattern")
    var dither: PlaybackChange?

    @Flag(help: .hidden)
    var trace = false

    @Flag(help: .hidden)
    var virtualTime = false

    /// Returns the settings that result from these options and the configuration.
    func settings(_ configured: PlaybackSettings = PlaybackSettings()) -> PlaybackSettings {
        var settings = configured
        settings.apply([size, mode, background, loop, speed, duration, every, loopCache, colors, dither])
        settings.colorRule = color ?? settings.colorRule
        settings.player.screen = inline ? .inline : .full
        settings.player.fit.filter = pixelated ? .pixelated : .smooth
        settings.player.fit.enlarges = upscale ?? !inline
        settings.player.fidelity = fidelity
        settings.player.showsStatus = !bare
        settings.player.showsKeyHint = !screensaver
        settings.player.anyKeyEnds = screensaver
        settings.writesAllFrames = animate
        settings.printsTrace = trace
        return settings
    }
}
