import GIFDecode
import Glibc
import Pixels
import Playback
import TestSupport
import Testing

@Suite("Decoding ahead")
struct DecodeAheadTests {
    private let frameCount = 20

    private func gif() -> GIFBuilder {
        var random = SeededRandom(4)
        var gif = GIFBuilder(width: 30, height: 20).loop(0)
        for number in 0..<frameCount {
            let indices = (0..<600).map { _ in UInt8.random(in: 0..<4, using: &random) }
            gif = gif.control(delay: number + 2).image(width: 30, height: 20, indices, interlaced: number % 2 == 1)
        }
        return gif.trailer()
    }

    /// A step of a frame source as a value that can be compared.
    private enum Seen: Equatable {
        case frame(DecodedFrame)
        case end(GIFReader.Summary)
        case failed(GIFError)
    }

    /// The decoding thread did not wake the waiting player.
    private struct Stuck: Error {}

    /// Waits for the decoding thread as the player does: only after `.pending`, and only until the thread wakes it.
    private final class Waiting: Sendable {
        private let ends: (read: Int32, write: Int32)

        init() throws {
            var pair: [Int32] = [-1, -1]
            try #require(pipe(&pair) == 0)
            ends = (pair[0], pair[1])
        }

        deinit {
            close(ends.read)
            close(ends.write)
        }

        func wake() { _ = write(ends.write, [1], 1) }

        func next(_ source: any FrameSource) throws -> Seen {
            while true {
                switch source.next() {
                case .frame(let frame): return .frame(DecodedFrame(frame))
                case .end(let summary): return .end(summary)
                case .failed(let error): return .failed(error)
                case .pending:
                    var woken = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
                    guard poll(&woken, 1, 20_000) == 1 else { throw Stuck() }
                    var byte: UInt8 = 0
                    _ = read(ends.read, &byte, 1)
                }
            }
        }

        /// Whether the next `count` steps of both sources are the same.
        func agree(_ count: Int, _ one: any FrameSource, _ other: any FrameSource) throws -> Bool {
            for _ in 0..<count where try next(one) != next(other) { return false }
            return true
        }
    }

    private func pair(goesOn: Bool) throws -> (DecodeAhead, DirectFrameSource, Waiting) {
        let waiting = try Waiting()
        let ahead = DecodeAhead(gif().reader(), goesOn: { _, _ in goesOn }, wake: { waiting.wake() })
        return (ahead, DirectFrameSource(gif().reader()), waiting)
    }

    @Test("Its steps are those of decoding when asked, pass after pass")
    func sameSteps() throws {
        let (ahead, direct, waiting) = try pair(goesOn: true)
        #expect(try waiting.agree((frameCount + 1) * 3, ahead, direct))
    }

    @Test("Rewinding anywhere begins with the first frame again", arguments: [true, false])
    func rewinding(goesOn: Bool) throws {
        let (ahead, direct, waiting) = try pair(goesOn: goesOn)
        var random = SeededRandom(8)
        for _ in 0..<60 {
            let count = Int.random(in: 0...frameCount + 1, using: &random)
            #expect(try waiting.agree(count, ahead, direct))
            ahead.rewind()
            direct.rewind()
        }
    }

    @Test("After the last pass it rests, and begins another when told to rewind")
    func restsAndRewinds() throws {
        let (ahead, direct, waiting) = try pair(goesOn: false)
        for _ in 0..<3 {
            #expect(try waiting.agree(frameCount + 1, ahead, direct))
            ahead.rewind()
            direct.rewind()
        }
    }

    @Test("After the last pass, as it guessed, it begins another when asked for a frame")
    func restsAndGoesOn() throws {
        let (ahead, direct, waiting) = try pair(goesOn: false)
        #expect(try waiting.agree((frameCount + 1) * 3, ahead, direct))
    }

    @Test("A file that cannot be drawn says so")
    func failing() throws {
        let waiting = try Waiting()
        let reader = GIFReader(MemoryByteSource(Array("<html>".utf8)))
        let ahead = DecodeAhead(reader, goesOn: { _, _ in true }, wake: { waiting.wake() })
        #expect(try waiting.next(ahead) == .failed(.notGIF(.html)))
    }

    @Test("Bytes that stop coming keep nobody waiting but the thread")
    func growing() throws {
        let source = GrowingByteSource()
        let waiting = try Waiting()
        let ahead = DecodeAhead(GIFReader(source), goesOn: { _, _ in false }, wake: { waiting.wake() })
        guard case .pending = ahead.next() else {
            Issue.record("a step without a byte")
            return
        }
        gif().bytes.withUnsafeBytes { source.append($0) }
        source.finish()
        let direct = DirectFrameSource(gif().reader())
        #expect(try waiting.agree(frameCount + 1, ahead, direct))
    }

    @Test("A frame that was being decoded while the player rewound is not shown")
    func rewindingWhileDecoding() throws {
        let bytes = gif().bytes
        let source = GrowingByteSource()
        let waiting = try Waiting()
        let ahead = DecodeAhead(GIFReader(source), goesOn: { _, _ in false }, wake: { waiting.wake() })
        let direct = DirectFrameSource(gif().reader())
        // A frame takes less than 400 bytes: the source has the first one, then a part of a later one.
        bytes[..<500].withUnsafeBytes { source.append($0) }
        #expect(try waiting.agree(1, ahead, direct))
        bytes[500..<520].withUnsafeBytes { source.append($0) }
        while !source.isStalled { sched_yield() }
        ahead.rewind()
        direct.rewind()
        bytes[520...].withUnsafeBytes { source.append($0) }
        source.finish()
        #expect(try waiting.agree(frameCount + 1, ahead, direct))
    }

    @Test("Many that are let go in the middle do no harm")
    func letGo() throws {
        for count in 0..<40 {
            let (ahead, direct, waiting) = try pair(goesOn: true)
            #expect(try waiting.agree(count, ahead, direct))
        }
    }
}
