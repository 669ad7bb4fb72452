import Application
import ArgumentParser
import Base
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
    @Option(
        name: [.customShort("s", allowingJoined: true), .long],
        help: ArgumentHelp("Use at most this many columns and rows (default: 80x24)", valueName: "colsxrows"),
        transform: SizeValue.parse)
    var size: SizeValue?

    @Option(
        name: [.customShort("l", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Number of loops, or 'forever' (default: 1 in a cast; in an SVG, that of the GIF)", valueName: "n"),
        completion: .list(["forever"]), transform: LoopValue.parse)
    var loop: LoopValue?

    @Option(
        name: [.customShort("d", allowingJoined: true), .long],
        help: ArgumentHelp("Stop the recording after this time, such as 30s", valueName: "time"),
        transform: DurationValue.parse)
    var duration: DurationValue?

    @Option(
        help: ArgumentHelp("Speed from 0.01 to 100 (default: 1)", valueName: "factor"),
        completion: .list(["0.5", "2"]), transform: SpeedValue.parse)
    var speed: SpeedValue?

    @Option(
        name: [.customShort("b", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Colour behind transparent pixels, such as #1e1e2e (default: the terminal's own; black in an SVG)",
            valueName: "color"),
        transform: ColorValue.parse)
    var background: ColorValue?

    @Option(
        help: ArgumentHelp(
            "Colour accuracy: 'exact'; 'standard' and 'low' omit changes of up to 2 and 6 of 255 levels",
            valueName: "level"))
    var fidelity = FidelityValue.standard

    @Flag(
        name: [.customShort("U"), .long], inversion: .prefixedNo, help: "Enlarge small GIFs (default: yes)")
    var upscale: Bool?

    @Flag(help: "Scale by nearest neighbour, enlarge by whole factors (for pixel art)")
    var pixelated = false

    func validate() throws {
        if speed?.speed == .max { throw ValidationError("--speed max: a recording needs times; use a factor") }
    }

    func playback(_ format: RecordingFormat) -> PlaybackOptions {
        var options = PlaybackOptions()
        options.fit.filter = pixelated ? .pixelated : .smooth
        options.fit.enlarges = upscale ?? true
        options.background = background?.color
        options.loops = loop?.rule ?? (format == .cast ? .times(1) : .file)
        options.speed = speed?.speed ?? .factor(1)
        options.duration = duration?.nanoseconds
        options.fidelity = fidelity.fidelity
        return options
    }
}
