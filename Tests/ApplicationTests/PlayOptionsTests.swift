import Base
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite struct PlayOptionsTests {
    private func playback(_ arguments: String..., position: ListPosition = .last) throws -> PlaybackOptions {
        try playbackSettings(arguments).options(for: position)
    }

    /// The settings of a configuration file and of options.
    private func configured(_ text: String, _ arguments: [String] = []) throws -> Settings {
        try ConfigurationFolder(text).withEnvironment {
            try Settings(Invocation(arguments), environment: $0)
        }
    }

    @Test("Without options, a GIF fills the pane and plays as the file says")
    func defaults() throws {
        let options = try playback()
        #expect(options.screen == .full && options.size == nil && options.background == nil)
        #expect(options.loops == .file && options.speed == .factor(1) && options.duration == nil)
        #expect(options.fidelity == .standard)
        #expect(options.loopCacheBytes == PlaybackOptions().loopCacheBytes)
        #expect(options.fit.filter == .smooth && options.fit.enlarges && options.hold == .all)
        #expect(options.showsStatus && options.showsKeyHint && !options.anyKeyEnds && options.endlessLimit == nil)
    }

    @Test("Each option changes its own setting")
    func values() throws {
        #expect(try playback("--size", "80x24").size == CellSize(columns: 80, rows: 24))
        #expect(try playback("--background", "white").background == CellColor(red: 255, green: 255, blue: 255))
        #expect(try playback("--loop", "3").loops == .times(3))
        #expect(try playback("--speed", "max").speed == .max)
        #expect(try playback("--duration", "2m").duration == 120 * Span.second)
        #expect(try playback("--fidelity", "low").fidelity == .low)
        #expect(try playback("--loop-cache", "0").loopCacheBytes == 0)
        #expect(try playback("--pixelated").fit.filter == .pixelated)
        #expect(try !playback("--bare").showsStatus)
    }

    @Test("With '--inline', nothing waits for a key, and small GIFs are enlarged only with '--upscale'")
    func inline() throws {
        let inline = try playback("--inline")
        #expect(inline.screen == .inline && !inline.fit.enlarges && inline.hold == .never)
        #expect(try playback("--inline", "--upscale").fit.enlarges && playback("--inline", "-U").fit.enlarges)
        #expect(try !playback("--no-upscale").fit.enlarges)
    }

    @Test("The last frame of the last GIF is held, unless an option ends playback; stills are held before others, too")
    func hold() throws {
        for arguments in [["--loop", "1"], ["--loop", "forever"], ["--duration", "1s"]] {
            for position in [ListPosition.last, .inList, .feed] {
                #expect(try playbackSettings(arguments).options(for: position).hold == .never)
            }
        }
        #expect(try playback(position: .inList).hold == .stills && playback("--screensaver").hold == .stills)
    }

    @Test("Random GIFs repeat for the interval; the configured number of loops applies to all others")
    func configuredLoops() throws {
        for (line, loops) in [("", LoopRule.file), ("--loop forever", .forever), ("--loop 3", .times(3))] {
            let settings = try configured(line)
            #expect(settings.options(for: .last).loops == loops && settings.options(for: .inList).loops == loops)
            #expect(settings.options(for: .feed).loops == .forever && settings.options(for: .last).hold == .all)
            #expect(settings.options(for: .feed).duration == 10 * Span.second)
            #expect(try configured(line, ["-l2"]).options(for: .feed).loops == .times(2))
            // Output to a pipe plays once.
            #expect(settings.player.loops == .file)
        }
    }

    @Test("With '--screensaver', any key ends playback, and no key hint is displayed")
    func screensaver() throws {
        let options = try playback("--screensaver")
        #expect(options.anyKeyEnds && !options.showsKeyHint)
    }

    @Test("In a list, a GIF that loops forever ends after the interval, which is 10 s by default")
    func interval() throws {
        #expect(try playback(position: .inList).endlessLimit == 10 * Span.second)
        #expect(try playback("--every", "2s", position: .inList).endlessLimit == 2 * Span.second)
        #expect(try playback("--every", "2s").endlessLimit == nil)
    }

    @Test("Options override the configured mode, colours and interval, which otherwise apply")
    func configured() throws {
        let text = "--mode kitty\n--colors 256\n--dither none\n--color always\n--every 5s"
        let file = try configured(text)
        #expect(file.player.drawing.graphics == .only(.kitty) && file.colorRule == .always)
        #expect(file.colors == ColorPreference(depth: .indexed, dithering: Dithering.none))
        #expect(file.switchInterval == 5 * Span.second)
        let arguments = ["--mode=sextant", "--colors=auto", "--dither=ordered", "--color=auto", "--every=2s"]
        let options = try configured(text, arguments)
        #expect(options.player.drawing.characters == .subcells(.sextant) && options.player.drawing.graphics == .off)
        #expect(options.colors == ColorPreference(depth: nil, dithering: .ordered) && options.colorRule == .auto)
        #expect(options.switchInterval == 2 * Span.second)
    }

    @Test("By default, a recording enlarges the GIF, and an asciicast contains one loop iteration")
    func recording() throws {
        func options(_ arguments: [String], _ format: RecordingFormat) throws -> PlaybackOptions {
            RecordCommand.options(try RecordCommand.parse(["-o", "a.cast"] + arguments).given, format)
        }
        #expect(try options([], .cast).loops == .times(1) && options([], .svg).loops == .file)
        #expect(try options([], .svg).fit.enlarges && options([], .svg).fit.filter == .smooth)
        let other = try options(
            [
                "--loop", "2", "--duration", "3s", "--speed", "2", "--fidelity", "exact", "--no-upscale", "--pixelated",
                "--background", "#010203",
            ], .cast)
        #expect(other.duration == 3 * Span.second)
        #expect(other.loops == .times(2) && other.speed == .factor(2))
        #expect(other.fidelity == .exact && !other.fit.enlarges && other.fit.filter == .pixelated)
        #expect(other.background == CellColor(red: 1, green: 2, blue: 3))
    }

    @Test("A recording at maximum speed is refused, because it would have no frame times")
    func recordingSpeed() {
        let error = thrown(Failure.self) { try RecordCommand.parse(["-o-", "--speed", "max"]) }
        #expect(error?.message == "--speed max: a recording needs times; use a factor" && error?.status == .usage)
    }

    @Test(
        "The ending of the file name determines the format of a recording",
        arguments: [
            ("a.cast", .cast), ("folder.svg/a.SVG", .svg), ("-", .cast), ("a.b.svg", .svg), ("a.gif", nil),
            ("cast", nil), ("a.svg/cast", nil), ("", nil),
        ] as [(String, RecordingFormat?)])
    func format(path: String, format: RecordingFormat?) {
        #expect(RecordingFormat(path: path) == format)
    }
}
