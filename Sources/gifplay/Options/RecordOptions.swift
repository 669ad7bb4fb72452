import Application
import ArgumentParser
import Pixels
import Playback

enum RecordingFormat: String, ExpressibleByArgument, CaseIterable {
    /// asciicast, version 2.
    case cast
    case svg

    /// By the ending of the file name; asciicast for standard output. Nil for other endings.
    init?(path: String) {
        guard path != "-" else {
            self = .cast
            return
        }
        guard let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}

struct RecordOptions: ParsableArguments {
    @Option(size: "Use at most this many columns and rows (default: 80x24)")
    var size: PlaybackChange?

    @Option(loop: "(default: 1 in a cast; in an SVG, that of the GIF)")
    var loop: PlaybackChange?

    @Option(duration: "Stop the recording after this time, such as 30s")
    var duration: PlaybackChange?

    @Option(speed: "", completions: ["0.5", "2"])
    var speed: PlaybackChange?

    @Option(background: "(default: the terminal's own; black in an SVG)")
    var background: PlaybackChange?

    @Option(help: .fidelity)
    var fidelity = Fidelity.standard

    @Flag(
        name: [.customShort("U"), .long], inversion: .prefixedNo, help: "Enlarge small GIFs (default: yes)")
    var upscale: Bool?

    @Flag(help: .pixelated)
    var pixelated = false

    func validate() throws {
        if playback(.svg).speed == .max { throw ValidationError("--speed max: a recording needs times; use a factor") }
    }

    func playback(_ format: RecordingFormat) -> PlaybackOptions {
        var settings = PlaybackSettings()
        if format == .cast { settings.player.loops = .times(1) }
        settings.apply([size, loop, duration, speed, background])
        settings.player.fit.filter = pixelated ? .pixelated : .smooth
        settings.player.fit.enlarges = upscale ?? true
        settings.player.fidelity = fidelity
        return settings.player
    }
}
