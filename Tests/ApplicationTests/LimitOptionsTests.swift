import GIFDecode
import Testing

@testable import Application

@Suite struct LimitOptionsTests {
    @Test("Without options, the decoder's own limits apply")
    func defaults() throws {
        #expect(try LimitOptions.parse([]).limits == DecodeLimits())
    }

    @Test("Each option changes its own limit")
    func values() throws {
        let options = try LimitOptions.parse([
            "--max-canvas-pixels", "1M", "--max-total-pixels", "2M", "--max-bytes", "3K", "--max-frames", "4",
        ])
        var expected = DecodeLimits()
        expected.canvasPixels = 1 << 20
        expected.totalPixels = 2 << 20
        expected.bytes = 3 << 10
        expected.frames = 4
        #expect(options.limits == expected)
    }

    @Test("Playing has no limit on all frames together; 'info' and stills have one, unless an option sets it")
    func inspection() throws {
        let limits = try LimitOptions.parse([]).limits
        #expect(limits.totalPixels == nil && limits.frames == .max && !limits.skipsExcess)
        let inspection = try LimitOptions.parse([]).inspectionLimits
        #expect(inspection.totalPixels == 64 << 20 && inspection.frames == 1 << 20 && inspection.skipsExcess)
        let options = try LimitOptions.parse(["--max-total-pixels", "4096", "--max-frames", "7"])
        #expect(options.inspectionLimits.totalPixels == 4_096 && options.inspectionLimits.frames == 7)
        #expect(LimitOptions.stillLimits(limits).totalPixels == 256 << 20)
        #expect(LimitOptions.stillLimits(options.limits).totalPixels == 4_096)
    }

    @Test("An invalid limit is refused, and the message states the expected form", arguments: ["0", "-1", "many"])
    func invalid(value: String) {
        do {
            _ = try LimitOptions.parse(["--max-frames=\(value)"])
            Issue.record("\(value) is accepted")
        } catch {
            #expect(LimitOptions.message(for: error).contains("expected a whole number from 1, such as"))
        }
    }
}
