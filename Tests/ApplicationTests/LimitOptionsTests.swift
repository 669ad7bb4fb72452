import Base
import Pixels
import TestSupport
import Testing

@testable import Application

@Suite struct LimitOptionsTests {
    private func limits(_ arguments: String...) throws -> DecodeLimits {
        try Settings(given: Invocation(arguments)).limits
    }

    @Test("Without options, the decoder's own limits apply")
    func defaults() throws {
        #expect(try limits() == DecodeLimits())
    }

    @Test("Each option changes its own limit")
    func values() throws {
        var expected = DecodeLimits()
        expected.canvasPixels = 1 << 20
        expected.totalPixels = 2 << 20
        expected.bytes = 3 << 10
        expected.frames = 4
        let limits = try limits(
            "--max-canvas-pixels", "1M", "--max-total-pixels", "2M", "--max-bytes", "3K", "--max-frames", "4")
        #expect(limits == expected)
    }

    @Test("Playing has no limit on all frames together; 'info' and stills have one, unless an option sets it")
    func inspection() throws {
        let limits = try limits()
        #expect(limits.totalPixels == nil && limits.frames == .max && !limits.skipsExcess)
        let inspection = limits.forInspection
        #expect(inspection.totalPixels == 64 << 20 && inspection.frames == 1 << 20 && inspection.skipsExcess)
        let chosen = try self.limits("--max-total-pixels", "4096", "--max-frames", "7")
        #expect(chosen.forInspection.totalPixels == 4_096 && chosen.forInspection.frames == 7)
        #expect(limits.forStill.totalPixels == 256 << 20 && chosen.forStill.totalPixels == 4_096)
    }

    @Test("An invalid limit is refused, and the message states the expected form", arguments: ["0", "-1", "many"])
    func invalid(value: String) {
        let error = thrown(Failure.self) { try limits("--max-frames", value) }
        let form = "a whole number from 1 to 1024G, such as 4096, 512K or 8M"
        #expect(error?.message == "--max-frames \(value): expected \(form)")
        #expect(error?.status == .usage)
    }
}
