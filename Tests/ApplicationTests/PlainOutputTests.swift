import Base
import LoadingSupport
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

/// Tests `--virtual-time`. Standard output is tested by the end-to-end tests.
@Suite("Plain output") struct PlainOutputTests {
    /// Two frames of 100 ms each.
    private static let twoFrames = GIFBuilder(width: 2, height: 2)
        .frame(1, delay: 10, width: 2, height: 2).frame(2, delay: 10, width: 2, height: 2)
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
        try folder.write(
            GIFBuilder(width: 2, height: 2).frame(1, delay: 10, width: 2, height: 2).trailer().bytes, to: "a.gif")
        #expect(try trace("--trace").last?.hasSuffix(" ended: finished") == true)
    }

    @Test("The error for a file that cannot be played contains its path")
    func failures() throws {
        func message() -> String? {
            do { _ = try trace("--trace") } catch { return (error as? Failure)?.message }
            return nil
        }
        #expect(message() == "\(path): No such file or directory")
        try folder.write([], to: "a.gif")
        #expect(message() == "\(path): the file is empty")
    }
}
