import Base
import Pixels
import Playback
import TestSupport
import Testing

@testable import Application

/// Tests the text of an asciicast. RecordTests runs the real program and asciinema.
@Suite struct CastTests {
    private func lines(_ bytes: [UInt8], _ change: (inout PlaybackOptions) -> Void = { _ in }) throws -> [String] {
        var options = PlaybackOptions()
        options.loops = .times(1)
        change(&options)
        var recording: [UInt8] = []
        _ = try Recording.writeCast(
            GIFReader(MemoryByteSource(bytes)), size: CellSize(columns: 80, rows: 24), options: options,
            title: "a \"b\" \\ é"
        ) {
            recording += $0
            return true
        }
        return String(decoding: recording, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static let twoFrames = GIFBuilder(width: 2, height: 1).loop(0).control(delay: 5).image(
        width: 2, height: 1, [1, 2]
    )
    .control(delay: 7).image(width: 1, height: 1, [3]).trailer().bytes

    private func times(_ lines: [String]) -> [String] {
        lines.dropFirst().map { String($0.dropFirst().prefix { $0 != "," }) }
    }

    @Test("The header has the version, the size of the picture and the escaped title")
    func header() throws {
        #expect(
            try lines(Self.twoFrames).first
                == #"{"version": 2, "width": 80, "height": 20, "title": "a \"b\" \\ é"}"#)
    }

    @Test("The times of the updates are the sums of the delays, and the last line has the end of the last frame")
    func exactTimes() throws {
        #expect(times(try lines(Self.twoFrames)) == ["0", "0", "0.05", "0.12"])
        #expect(
            times(try lines(Self.twoFrames) { $0.loops = .times(2) }) == ["0", "0", "0.05", "0.12", "0.17", "0.24"])
        #expect(times(try lines(Self.twoFrames) { $0.speed = .factor(2) }) == ["0", "0", "0.025", "0.06"])
        let cut = try lines(Self.twoFrames) {
            $0.loops = .forever
            $0.duration = 130 * Span.millisecond
        }
        #expect(times(cut) == ["0", "0", "0.05", "0.12", "0.13"])
    }

    @Test("A time has at most nine decimals and no trailing zeros")
    func timeText() {
        let texts = [0, 1, 50_000_000, 1_000_000_000, 12_345_678_900].map {
            CastWriter.seconds(Instant(nanoseconds: $0))
        }
        #expect(texts == ["0", "0.000000001", "0.05", "1", "12.3456789"])
    }

    @Test("Escape characters, quotes and backslashes are escaped")
    func escaping() {
        let line = Array("\u{1B}[1m\"\\▀\u{7F}".utf8).withUnsafeBytes {
            CastWriter.update(at: Instant(nanoseconds: 0), $0)
        }
        #expect(String(decoding: line, as: UTF8.self) == "[0, \"o\", \"\\u001b[1m\\\"\\\\▀\\u007f\"]\n")
    }

    @Test("The recorded pane exceeds the picture by at most one row and one column and does not shrink the picture")
    func paneSize() {
        for width in stride(from: 1, through: 400, by: 7) {
            for height in stride(from: 1, through: 300, by: 11) {
                let canvas = PixelSize(width: width, height: height)
                let whole = CellSize(columns: 80, rows: 24)
                let fit = PictureFit()
                let pane = Recording.pane(canvas, in: whole, fit)
                let target = fit.target(for: canvas, in: whole)
                #expect(fit.target(for: canvas, in: pane) == target)
                #expect(pane.columns <= target.width + 1 && pane.rows <= (target.height + 1) / 2 + 1)
            }
        }
    }

    @Test("The recording ends when the output accepts no more data")
    func closedSink() throws {
        var options = PlaybackOptions()
        options.loops = .forever
        var count = 0
        _ = try Recording.writeCast(
            GIFReader(MemoryByteSource(Self.twoFrames)), size: CellSize(columns: 8, rows: 4), options: options,
            title: ""
        ) { _ in
            count += 1
            return count < 5
        }
        #expect(count == 5)
    }
}
