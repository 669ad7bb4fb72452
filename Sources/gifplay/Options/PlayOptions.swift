import Application
import ArgumentParser
import Base
import Pixels

struct PlayOptions: ParsableArguments {
    @Option(size: "Use at most this many columns and rows, such as 80x24")
    var size: PlaybackChange?

    @Flag(help: "Play below the prompt and leave the last frame there")
    var inline = false

    @Flag(help: "Print below the prompt and end; kitty and others repeat the GIF there, others show the last frame")
    var leave = false

    @Option(
        help: ArgumentHelp(
            "Show the newest GIF of a folder, a list or a named pipe as soon as it is written, or that of a URL when it changes",
            valueName: "path"),
        completion: .file())
    var follow: String?

    @Flag(help: "Hide the status line")
    var bare = false

    @Flag(
        name: [.customShort("U"), .long], inversion: .prefixedNo,
        help: "Enlarge small GIFs (default: yes, except with --inline and --leave)")
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
            "Time for each random GIF; with several files, for each that loops forever (default: 10s); time between two "
                + "requests of '--follow URL' (default: 1m)",
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

    @Flag(help: "Write all frames, not a still, if the output is not a terminal; with --mode kitty, they repeat there")
    var animate = false

    @Option(
        help: ArgumentHelp(
            "Send the image to this terminal, such as /dev/tty, and write only the characters that show it",
            valueName: "path"), completion: .file())
    var upload: String?

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

    /// The time between two requests of `--follow URL`, in nanoseconds.
    var followInterval: Int64 {
        var settings = PlaybackSettings()
        settings.switchInterval = 60 * Span.second
        settings.apply([every])
        return settings.switchInterval
    }

    func validate() throws {
        if let follow, FollowedAddress.url(follow) != nil, followInterval < 5 * Span.second {
            throw ValidationError("--every: with --follow \(follow), at least 5s")
        }
        var changed = PlaybackSettings()
        changed.apply([mode])
        guard let upload, mode != nil, ![.only(.kitty), .forced(.kitty)].contains(changed.player.graphics) else {
            return
        }
        throw ValidationError("--upload \(upload): needs --mode kitty")
    }

    /// Returns the settings that result from these options and the configuration.
    func settings(_ configured: PlaybackSettings = PlaybackSettings()) -> PlaybackSettings {
        var settings = configured
        settings.apply([size, mode, background, loop, speed, duration, every, loopCache, colors, dither])
        settings.colorRule = color ?? settings.colorRule
        settings.player.screen = inline ? .inline : .full
        settings.player.fit.filter = pixelated ? .pixelated : .smooth
        settings.player.fit.enlarges = upscale ?? !(inline || leave)
        settings.player.fidelity = fidelity
        settings.player.showsStatus = !bare
        settings.player.showsKeyHint = !screensaver
        settings.player.anyKeyEnds = screensaver
        settings.writesAllFrames = animate || leave && settings.player.graphics != .off
        if follow != nil { settings.switchInterval = 1 }
        if upload != nil { settings.player.graphics = .forced(.kitty) }
        settings.printsTrace = trace
        return settings
    }
}

struct ResultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Play only the result with this number", valueName: "n"), transform: OptionValue.resultNumber
    )
    var pick: Int?

    @Flag(help: "Play a random result")
    var randomPick = false

    @Flag(help: "List the results, play nothing")
    var list = false

    @Flag(help: "With --list: print JSON, one object per line")
    var json = false

    @Option(help: ArgumentHelp("With --list: output format (default: table)", valueName: "format"))
    var format: ListFormat?

    func validate() throws {
        if !list, json || format != nil { throw ValidationError("\(json ? "--json" : "--format"): needs --list") }
        if json, let format, format != .json {
            throw ValidationError("--json: contradicts --format \(format.rawValue)")
        }
        if list, let chooser { throw ValidationError("\(chooser): cannot be combined with --list") }
        if pick != nil, randomPick { throw ValidationError("--pick: cannot be combined with --random-pick") }
    }

    /// The name of the option that chooses among results, if one was given.
    var chooser: String? { pick != nil ? "--pick" : randomPick ? "--random-pick" : nil }

    var choice: ResultChoice {
        if let pick { return .number(pick) }
        return randomPick ? .any : .first
    }
}

enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case url
}
