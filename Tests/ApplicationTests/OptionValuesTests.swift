import Base
import Pixels
import Playback
import Testing

@testable import Application

@Suite struct OptionValuesTests {
    @Test(
        "Durations are parsed with or without a unit",
        arguments: [("10", 10_000), ("1.5s", 1500), ("250ms", 250), ("2m", 120_000), ("1h", 3_600_000)])
    func durations(text: String, milliseconds: Int64) {
        #expect(DurationValue(argument: text)?.nanoseconds == milliseconds * Span.millisecond)
    }

    @Test("Invalid durations are rejected", arguments: ["", "0", "-1", "s", "1d", "nan", "inf", "1e99h"])
    func badDurations(text: String) {
        #expect(DurationValue(argument: text) == nil)
    }

    @Test(
        "Counts are parsed with or without a binary unit",
        arguments: [("0", 0), ("4096", 4096), ("512K", 512 << 10), ("8m", 8 << 20), ("1G", 1 << 30)])
    func counts(text: String, count: Int) {
        #expect(CountValue(argument: text)?.count == count)
    }

    @Test("Invalid counts are rejected", arguments: ["", "-1", "k", "1.5M", "99999999999G"])
    func badCounts(text: String) {
        #expect(CountValue(argument: text) == nil)
    }

    @Test("Colours are parsed from hexadecimal digits or names", arguments: ["#1e1e2e", "1E1E2E"])
    func colours(text: String) {
        #expect(ColorValue(argument: text)?.color == CellColor(red: 0x1E, green: 0x1E, blue: 0x2E))
        #expect(ColorValue(argument: "fff")?.color == ColorValue(argument: "white")?.color)
        #expect(ColorValue(argument: "pink") == nil && ColorValue(argument: "#12345") == nil)
    }

    @Test("Sizes are parsed as columns and rows")
    func sizes() {
        #expect(SizeValue(argument: "80x24")?.size == CellSize(columns: 80, rows: 24))
        #expect(SizeValue(argument: "80X24") != nil)
        for text in ["80", "x24", "0x5", "80x24x1", "-1x5", "99999x1"] { #expect(SizeValue(argument: text) == nil) }
    }

    @Test("Loop counts and speeds are parsed, and values outside their limits are rejected")
    func loopsAndSpeeds() {
        #expect(LoopValue(argument: "3")?.rule == .times(3) && LoopValue(argument: "forever")?.rule == .forever)
        #expect(LoopValue(argument: "0") == nil && LoopValue(argument: "x") == nil)
        #expect(SpeedValue(argument: "max")?.speed == .max && SpeedValue(argument: "0.5")?.speed == .factor(0.5))
        for text in ["0", "-1", "nan", "1000"] { #expect(SpeedValue(argument: text) == nil) }
    }

    @Test("A limit is a count of at least 1")
    func limits() {
        #expect(LimitValue(argument: "1")?.count == 1)
        #expect(LimitValue(argument: "2K")?.count == 2048)
        for text in ["0", "0K", "-1", "x"] { #expect(LimitValue(argument: text) == nil) }
    }

    @Test("The command line offers every fidelity of the player except the coarsest one")
    func fidelities() {
        #expect(FidelityValue.allCases.map(\.fidelity) == [.exact, .standard, .low])
        #expect(FidelityValue(rawValue: "coarse") == nil)
    }

    @Test("The message for a rejected value states the expected form")
    func expectedForms() {
        func message<Value: OptionValue>(_ type: Value.Type) -> String? {
            do { _ = try Value.parse("?") } catch { return "\(error)" }
            return nil
        }
        #expect(message(SizeValue.self) == SizeValue.expected)
        #expect(message(DurationValue.self) == DurationValue.expected)
        #expect(message(CountValue.self) == CountValue.expected)
        #expect(message(LimitValue.self) == LimitValue.expected)
        #expect(message(LoopValue.self) == LoopValue.expected)
        #expect(message(SpeedValue.self) == SpeedValue.expected)
        #expect(message(ColorValue.self) == ColorValue.expected)
    }
}
