import Base
import Pixels
import Playback
import Testing

@testable import Application

@Suite struct OptionValueTests {
    private func depth(_ text: String) throws(Failure) -> ColorDepth? {
        try OptionValue.choice(text, of: OptionValue.depths)
    }

    private func fidelity(_ text: String) throws(Failure) -> Fidelity {
        try OptionValue.choice(text, of: OptionValue.fidelities)
    }

    private func dithering(_ text: String) throws(Failure) -> Dithering { try OptionValue.choice(text) }

    @Test(
        "Durations are parsed with or without a unit",
        arguments: [
            ("10", 10_000), ("1.5s", 1500), ("250ms", 250), ("2m", 120_000), ("1h", 3_600_000), ("1ms", 1),
            ("100000h", 360_000_000_000), (".5", 500),
        ])
    func durations(text: String, milliseconds: Int64) {
        #expect((try? OptionValue.duration(text)) == milliseconds * Span.millisecond)
    }

    @Test(
        "Invalid durations are rejected",
        arguments: [
            "", "0", "-1", "s", "1d", "nan", "inf", "1e99h", "1e3", "0x10", "+5", "5.", ".", "1.2.3", "0.5ms",
            "100001h",
            "99999999h", "1_000", "٣",
        ])
    func badDurations(text: String) {
        #expect((try? OptionValue.duration(text)) == nil)
    }

    @Test(
        "Counts are parsed with or without a binary unit",
        arguments: [
            ("0", 0), ("4096", 4096), ("512K", 512 << 10), ("8m", 8 << 20), ("1G", 1 << 30), ("1024G", 1 << 40),
        ])
    func counts(text: String, count: Int) {
        #expect((try? OptionValue.count(text)) == count)
    }

    @Test(
        "Invalid counts are rejected", arguments: ["", "-1", "k", "1.5M", "99999999999G", "1025G", "+1", "0x10", "1e3"])
    func badCounts(text: String) {
        #expect((try? OptionValue.count(text)) == nil)
    }

    @Test("Colours are parsed from hexadecimal digits or names", arguments: ["#1e1e2e", "1E1E2E"])
    func colours(text: String) {
        #expect((try? OptionValue.color(text)) == CellColor(red: 0x1E, green: 0x1E, blue: 0x2E))
        #expect((try? OptionValue.color("fff")) == (try? OptionValue.color("white")))
        #expect((try? OptionValue.color("pink")) == nil && (try? OptionValue.color("#12345")) == nil)
        for text in ["+12345", "-00000", "0x1234", "#+1234"] { #expect((try? OptionValue.color(text)) == nil) }
    }

    @Test("Sizes are parsed as columns and rows")
    func sizes() {
        #expect((try? OptionValue.size("80x24")) == CellSize(columns: 80, rows: 24))
        #expect((try? OptionValue.size("80X24")) != nil)
        for text in ["80", "x24", "65535x65535", "+8x4", "8.x4", "0x5", "80x24x1", "-1x5", "99999x1"] {
            #expect((try? OptionValue.size(text)) == nil)
        }
    }

    @Test("Loop counts and speeds are parsed, and values outside their limits are rejected")
    func loopsAndSpeeds() {
        #expect((try? OptionValue.loops("3")) == .times(3) && (try? OptionValue.loops("forever")) == .forever)
        #expect((try? OptionValue.loops("0")) == nil && (try? OptionValue.loops("x")) == nil)
        #expect((try? OptionValue.speed("max")) == .max && (try? OptionValue.speed("0.5")) == .factor(0.5))
        for text in ["99999999999999999999999", "1000000001", "+3", "3."] {
            #expect((try? OptionValue.loops(text)) == nil)
        }
        for text in ["0", "-1", "nan", "1000", "0x10", "1e1", "+5", "5."] {
            #expect((try? OptionValue.speed(text)) == nil)
        }
    }

    @Test("A limit is a count of at least 1")
    func limits() {
        #expect((try? OptionValue.limit("1")) == 1)
        #expect((try? OptionValue.limit("2K")) == 2048)
        for text in ["0", "0K", "-1", "x"] { #expect((try? OptionValue.limit(text)) == nil) }
    }

    @Test("The command line offers every fidelity of the player except the coarsest one")
    func fidelities() throws {
        #expect(try ["exact", "standard", "low"].map(fidelity) == [.exact, .standard, .low])
        #expect((try? fidelity("coarse")) == nil && (try? fidelity("2")) == nil)
    }

    @Test("A mode, a colour depth and a dithering are parsed by their names; the depth 'auto' is nil")
    func choices() throws {
        #expect(OptionValue.depths.map(\.value) == [nil, .direct, .indexed, .sixteen, .eight, ColorDepth.none])
        #expect(try OptionValue.depths.allSatisfy { try depth($0.key) == $0.value })
        let names = ["half", "quadrant", "sextant", "octant", "kitty", "iterm2", "sixel", "auto"]
        #expect(OptionValue.modes.map(\.key) == names)
        let characters: [PictureMode] = [
            .half, .subcells(.quadrant), .subcells(.sextant), .subcells(.octant), .half, .half, .half, .half,
        ]
        #expect(try names.map { try OptionValue.mode($0).characters } == characters)
        #expect(
            try names.map { try OptionValue.mode($0).graphics }
                == [.off, .off, .off, .off, .only(.kitty), .only(.iterm2), .only(.sixel), .auto])
        #expect(try OptionValue.mode("sixel!").graphics == .forced(.sixel))
        #expect(throws: (any Error).self) { try OptionValue.mode("half!") }
        #expect(try ["ordered", "none"].map(dithering) == Dithering.allCases)
    }

    @Test("The message for a rejected value states the expected form")
    func expectedForms() {
        func message<Value>(_ parse: (String) throws -> Value) -> String? {
            do { _ = try parse("?") } catch { return "\(error)" }
            return nil
        }
        #expect(message(OptionValue.size) == "expected columns and rows from 1 to 10000, such as 80x24")
        #expect(message(OptionValue.duration) == "expected a time from 1ms to 100000h, such as 30s, 1.5m or 250ms")
        #expect(
            message { try OptionValue.count($0) } == "expected a whole number from 0 to 1024G, such as 4096, 512K or 8M"
        )
        #expect(message(OptionValue.limit) == "expected a whole number from 1 to 1024G, such as 4096, 512K or 8M")
        #expect(message(OptionValue.resultNumber) == "expected a whole number from 1 to 10000")
        #expect(message(OptionValue.loops) == "expected a whole number from 1 to 1000000000, or 'forever'")
        #expect(message(OptionValue.speed) == "expected a factor from 0.01 to 100, or 'max'")
        #expect(message(OptionValue.color) == "expected a colour, such as #1e1e2e, black or white")
        #expect(message(OptionValue.language) == "expected the two letters of a language, such as de")
        #expect(message(depth) == "expected auto, 24bit, 256, 16, 8 or none")
        #expect(message(dithering) == "expected ordered or none")
        #expect(
            message { try OptionValue.mode($0) }
                == "expected half, quadrant, sextant, octant, kitty, iterm2, sixel or auto")
    }
}
