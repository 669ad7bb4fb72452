import Catalog
import Pixels
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Report of 'gifplay info'") struct GIFReportTests {
    private static let header = GIFBuilder(width: 2, height: 1)
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func frames(_ builder: GIFBuilder) -> GIFBuilder {
        builder.control(delay: 5).image(width: 2, height: 1, [1, 2])
            .control(delay: 1, transparent: 0).image(width: 1, height: 1, [3])
    }

    private func report(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> GIFReport {
        try folder.write(bytes, to: "a.gif")
        let path = folder.path + "/a.gif"
        return try GIFReport(path, try FetchedItem(.file(path)).reader(limits: limits), limits)
    }

    @Test("The report contains the delays of the file, the times of playback and a hash of each composed frame")
    func properties() throws {
        let bytes = frames(Self.header.loop(3)).trailer().bytes
        let report = try report(bytes)
        #expect(report.width == 2 && report.height == 1 && report.frames == 2 && report.version == "GIF89a")
        #expect(report.loop == 3 && report.damaged.isEmpty && report.bytes == bytes.count)
        // A delay of 10 ms plays as 100 ms, as in web browsers.
        #expect(report.delaysMs == [50, 10] && report.playMs == [50, 100])
        // The SHA-256 hashes of the RGBA pixels ff0000ff 00ff00ff (first frame) and 0000ffff 00ff00ff (second frame).
        #expect(
            report.sha256 == [
                "8e56467a23ff16f4059b738417081abf48600e4d0d9958217178f2d5d4ca93f8",
                "da4c5be9ec7df8eb4eb65fe50b527d88e11d9aa2f577e25263d11a7eb2922068",
            ])
    }

    @Test("The loop count is null for a file without a loop extension")
    func noLoop() throws {
        let json = JSONLine.text(try report(frames(Self.header).trailer().bytes))
        #expect(json.contains("\"loop\":null") && json.contains("\"delays_ms\":[50,10]"))
        #expect(json.contains("\"damaged\":[]") && json.contains("\"play_ms\":[50,100]"))
    }

    @Test(
        "The text of the report contains the duration of one loop iteration and the number of iterations",
        arguments: [(nil, "once"), (0, "forever"), (3, "4 times")] as [(Int?, String)])
    func lines(loop: Int?, text: String) throws {
        let builder = loop.map { Self.header.loop($0) } ?? Self.header
        let bytes = frames(builder).trailer().bytes
        #expect(
            try report(bytes).lines
                == ["\(folder.path)/a.gif: GIF89a, 2x1, 2 frames, 0.15 s, plays \(text), \(bytes.count) bytes"])
    }

    @Test("The report has a line for each damaged part of the file, and counts the frames before the damage")
    func damage() throws {
        let report = try report(frames(Self.header).dropping(last: 3).bytes)
        #expect(report.frames >= 1 && report.damaged.first?.hasPrefix("frame 1: ") == true)
        let lines = report.lines
        #expect(Array(lines.dropFirst()) == report.damaged.map { "  " + $0 })
    }

    @Test("A file that is not a playable GIF causes an error", arguments: ["", "GIF89a", "\u{89}PNG", "<html>"])
    func unplayable(text: String) {
        #expect(throws: GIFError.self) { try report(Array(text.utf8)) }
    }

    @Test("A missing file causes an error")
    func missing() {
        do throws(GIFError) {
            let path = folder.path + "/missing.gif"
            _ = try GIFReport(path, FetchedItem(.file(path)).reader(limits: DecodeLimits()), DecodeLimits())
            Issue.record("a missing file is described")
        } catch {
            #expect(ErrorMessages.describe(error) == "no such file")
        }
    }

    @Test("Beyond the limit on pixels, frames and delays are counted by their blocks, and the report says which ones")
    func totalPixels() throws {
        var limits = DecodeLimits()
        (limits.totalPixels, limits.pixelsPerByte, limits.skipsExcess) = (3, 0, true)
        // The data of the last frame is invalid, which only decoding would find.
        let bytes = frames(Self.header.loop(3)).control(delay: 7).image(width: 2, height: 1, data: [0]).trailer().bytes
        let report = try report(bytes, limits: limits)
        #expect(report.frames == 3 && report.sha256.count == 1 && report.loop == 3 && report.bytes == bytes.count)
        #expect(report.delaysMs == [50, 10, 70] && report.damaged.isEmpty)
        let notice =
            "frames 1 to 2 are counted, not decoded: more than 3 pixels to decode; --max-total-pixels raises the limit"
        #expect(report.leftOut == [notice] && report.lines.count == 2 && report.lines.last == "  " + notice)
        #expect(report.lines[0].contains("3 frames, 0.22 s"))
        limits.totalPixels = 6
        #expect(try self.report(bytes, limits: limits).leftOut.isEmpty)
    }

    @Test("Beyond the limit on frames, the report counts the frames but lists neither delays nor hashes")
    func frameLimit() throws {
        var limits = DecodeLimits()
        (limits.frames, limits.skipsExcess) = (1, true)
        let report = try report(frames(Self.header).trailer().bytes, limits: limits)
        #expect(report.frames == 2 && report.delaysMs == [50] && report.playMs == [50] && report.sha256.count == 1)
        let notice = "frame 1 is counted, not decoded: more than 1 frames; --max-frames raises the limit"
        #expect(report.leftOut == [notice])
    }
}
