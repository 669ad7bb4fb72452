import Base
import Catalog
import LoadingSupport
import Pixels
import Playback
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

    @Test(
        "A file that is not a playable GIF, and a missing one, cause an error",
        arguments: ["", "GIF89a", "\u{89}PNG", "<html>"])
    func unplayable(text: String) throws {
        #expect(throws: GIFError.self) { try report(Array(text.utf8)) }
        let missing = try FetchedItem(.file(folder.path + "/missing.gif")).reader(limits: DecodeLimits())
        let error = thrown(GIFError.self) { try GIFReport("missing.gif", missing, DecodeLimits()) }
        #expect(error?.text == "No such file or directory")
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

@Suite struct OutputTests {
    private struct Item: Encodable {
        var url = "https://a.example/b"
        var title: String
        var author: String?
    }

    @Test("A JSON line has sorted keys, omits absent values and does not escape slashes")
    func json() {
        #expect(JSONLine.text(Item(title: "Cat")) == "{\"title\":\"Cat\",\"url\":\"https://a.example/b\"}")
        #expect(
            JSONLine.text(Item(title: "é", author: "Ann"))
                == "{\"author\":\"Ann\",\"title\":\"é\",\"url\":\"https://a.example/b\"}")
    }

    @Test("A JSON line contains no control or format characters", arguments: ["\u{1B}[2J", "\n", "\u{202E}", "\u{9B}"])
    func control(text: String) {
        let line = JSONLine.text(["title": text])
        #expect(line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
        #expect(line.contains("\\"))
    }
}

@Suite struct TraceLineTests {
    @Test("A shown frame is printed with its time, its bytes and its fidelity", arguments: [false, true])
    func shown(isReplayed: Bool) {
        let time = Instant(nanoseconds: 12_034_567_890)
        let trace = PlaybackTrace.shown(time, iteration: 1, frame: 2, bytes: 345, isReplayed: isReplayed, .standard)
        let verb = isReplayed ? "replayed" : "shown"
        #expect(TraceLine.text(trace) == "12.034567 iteration 1 frame 2 \(verb) 345 bytes ±1")
    }

    @Test("Dropped frames and the end of playback are printed with their times")
    func others() {
        let dropped = PlaybackTrace.dropped(Instant(nanoseconds: 50 * Span.millisecond), iteration: 0, frame: 7)
        #expect(TraceLine.text(dropped) == "0.050000 iteration 0 frame 7 dropped")
        let ended = PlaybackTrace.ended(Instant(nanoseconds: 0), .finished)
        #expect(TraceLine.text(ended) == "0.000000 ended: finished")
    }
}

/// Tests `--virtual-time`. Standard output is tested by the end-to-end tests.
@Suite("Plain output") struct PlainOutputTests {
    private static let twoFrames = GIFBuilder.square(1, 2)
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.path + "/a.gif" }

    /// Returns the lines of the frame schedule of ``path``.
    private func trace(_ options: String...) throws -> [String] {
        var settings = try playbackSettings(["--virtual-time"] + options)
        settings.isOffline = true
        var lines: [String] = []
        let output = PlainOutput(settings: settings, loader: GIFLoader(ServiceSession(settings)))
        try output.trace(Playlist(listed: [.file(path)]), printLine: { lines.append($0) })
        return lines
    }

    @Test("In the frame schedule, the time of a frame is the sum of the previous delays")
    func times() throws {
        try folder.write(Self.twoFrames.trailer().bytes, to: "a.gif")
        let lines = try trace("--trace", "--loop", "2")
        let starts = [
            "0.000000 iteration 0 frame 0 ", "0.100000 iteration 0 frame 1 ", "0.200000 iteration 1 frame 0 ",
            "0.300000 iteration 1 frame 1 ",
        ]
        #expect(lines.count == 5 && lines.last == "0.400000 ended: finished")
        #expect(zip(lines, starts).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
    }

    @Test("Without --trace, nothing is printed")
    func silent() throws {
        try folder.write(Self.twoFrames.trailer().bytes, to: "a.gif")
        #expect(try trace().isEmpty)
    }

    @Test("The schedule of an endless loop is limited to 60 s, or to the value of '--duration'")
    func endless() throws {
        try folder.write(Self.twoFrames.loop(0).trailer().bytes, to: "a.gif")
        #expect(try trace("--trace").last == "60.000000 ended: finished")
        #expect(try trace("--trace", "--loop", "forever", "--duration", "90s").last == "90.000000 ended: finished")
    }

    @Test("The schedule of a still ends, although a still normally waits for a key")
    func still() throws {
        try folder.write(GIFBuilder.square(1).trailer().bytes, to: "a.gif")
        #expect(try trace("--trace").last?.hasSuffix(" ended: finished") == true)
    }

    @Test("The error for a file that cannot be played contains its path")
    func failures() throws {
        func message() -> String? { thrown(Failure.self) { try trace("--trace") }?.message }
        #expect(message() == "\(path): No such file or directory")
        try folder.write([], to: "a.gif")
        #expect(message() == "\(path): the file is empty")
    }
}
