import Base
import Glibc
import Pixels
import Playback
import TestSupport
import Testing

@Suite("Decoding ahead")
struct DecodeAheadTests {
    private let frameCount = 20

    private func gif(width: Int = 30) -> GIFBuilder {
        var random = SeededRandom(4)
        var gif = GIFBuilder(width: width, height: 20).loop(0)
        for number in 0..<frameCount {
            let indices = (0..<width * 20).map { _ in UInt8.random(in: 0..<4, using: &random) }
            gif = gif.control(delay: number + 2).image(width: width, height: 20, indices, interlaced: number % 2 == 1)
        }
        return gif.trailer()
    }

    /// A copy of a frame source's step that can be compared with other steps.
    private enum Seen: Equatable {
        case frame(DecodedFrame)
        case end(GIFReader.Summary)
        case failed(GIFError)
    }

    /// Thrown if the decoding thread does not wake the waiting player within 20 s.
    private struct WakeTimeout: Error {}

    /// Waits for the steps of a source. Like the player, it blocks after `.pending` until the decoding thread wakes it.
    private final class SourceWaiter: Sendable {
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
                    guard poll(&woken, 1, 20_000) == 1 else { throw WakeTimeout() }
                    var byte: UInt8 = 0
                    _ = read(ends.read, &byte, 1)
                }
            }
        }

        /// Returns whether the next `count` steps of both sources are equal.
        func agree(_ count: Int, _ one: any FrameSource, _ other: any FrameSource) throws -> Bool {
            for _ in 0..<count where try next(one) != next(other) { return false }
            return true
        }
    }

    private func pair(shouldContinue: Bool) throws -> (DecodeAhead, DirectFrameSource, SourceWaiter) {
        let waiter = try SourceWaiter()
        let ahead = DecodeAhead(gif().reader(), shouldContinue: { _, _ in shouldContinue }, wake: { waiter.wake() })
        return (ahead, DirectFrameSource(gif().reader()), waiter)
    }

    @Test("In every loop iteration, decoding ahead returns the same steps as direct decoding")
    func sameSteps() throws {
        let (ahead, direct, waiter) = try pair(shouldContinue: true)
        #expect(try waiter.agree((frameCount + 1) * 3, ahead, direct))
    }

    @Test("Rewinding at any step starts again with the first frame", arguments: [true, false])
    func rewinding(shouldContinue: Bool) throws {
        let (ahead, direct, waiter) = try pair(shouldContinue: shouldContinue)
        var random = SeededRandom(8)
        for _ in 0..<60 {
            let count = Int.random(in: 0...frameCount + 1, using: &random)
            #expect(try waiter.agree(count, ahead, direct))
            ahead.rewind()
            direct.rewind()
        }
    }

    @Test("Decoding pauses after the last loop iteration and starts again after a rewind")
    func pausesAndRewinds() throws {
        let (ahead, direct, waiter) = try pair(shouldContinue: false)
        for _ in 0..<3 {
            #expect(try waiter.agree(frameCount + 1, ahead, direct))
            ahead.rewind()
            direct.rewind()
        }
    }

    @Test("Decoding starts again if a frame is requested after the last expected iteration")
    func pausesAndContinues() throws {
        let (ahead, direct, waiter) = try pair(shouldContinue: false)
        #expect(try waiter.agree((frameCount + 1) * 3, ahead, direct))
    }

    @Test("A file that cannot be decoded is reported as an error")
    func failing() throws {
        let waiter = try SourceWaiter()
        let reader = GIFReader(MemoryByteSource(Array("<html>".utf8)))
        let ahead = DecodeAhead(reader, shouldContinue: { _, _ in true }, wake: { waiter.wake() })
        #expect(try waiter.next(ahead) == .failed(.notGIF(.html)))
    }

    @Test("A source without bytes returns a pending step and does not block")
    func growing() throws {
        let source = GrowingByteSource()
        let waiter = try SourceWaiter()
        let ahead = DecodeAhead(GIFReader(source), shouldContinue: { _, _ in false }, wake: { waiter.wake() })
        guard case .pending = ahead.next() else {
            Issue.record("a step without a byte")
            return
        }
        gif().bytes.withUnsafeBytes { source.append($0) }
        source.finish()
        let direct = DirectFrameSource(gif().reader())
        #expect(try waiter.agree(frameCount + 1, ahead, direct))
    }

    @Test("If the source is rewound while a frame is being decoded, this frame is discarded")
    func rewindingWhileDecoding() throws {
        let bytes = gif().bytes
        let source = GrowingByteSource()
        let waiter = try SourceWaiter()
        let ahead = DecodeAhead(GIFReader(source), shouldContinue: { _, _ in false }, wake: { waiter.wake() })
        let direct = DirectFrameSource(gif().reader())
        // The first 500 bytes contain at least one frame, because a frame takes less than 400 bytes. The decoder then
        // stalls in a later frame.
        bytes[..<500].withUnsafeBytes { source.append($0) }
        #expect(try waiter.agree(1, ahead, direct))
        bytes[500..<520].withUnsafeBytes { source.append($0) }
        while !source.isStalled { sched_yield() }
        ahead.rewind()
        direct.rewind()
        bytes[520...].withUnsafeBytes { source.append($0) }
        source.finish()
        #expect(try waiter.agree(frameCount + 1, ahead, direct))
    }

    /// Reads at most 64 bytes at a time, and counts them.
    private final class CountingSource: ByteSource {
        private let memory: MemoryByteSource
        private let count: Monitor<Int>

        init(_ bytes: [UInt8], _ count: Monitor<Int>) {
            memory = MemoryByteSource(bytes)
            self.count = count
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
            let part = try memory.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(64)))
            count.withLock { $0 += part }
            return part
        }

        func rewind() { memory.rewind() }
    }

    @Test("Many small frames are decoded in advance, so that the thread seldom wakes up, but only a few large ones")
    func depth() throws {
        for (width, expected) in [(30, 12), (1_000, 3)] {
            let (bytes, count) = (gif(width: width).bytes, Monitor(0))
            let ahead = DecodeAhead(GIFReader(CountingSource(bytes, count)), shouldContinue: { _, _ in true }, wake: {})
            let (goal, end) = (bytes.count * expected / frameCount, Instant.monotonic + 20 * Span.second)
            while count.withLock({ $0 }) < goal, .monotonic < end { sched_yield() }
            // All frames take about the same number of bytes.
            withExtendedLifetime(ahead) { #expect(goal..<goal + bytes.count / 40 ~= count.withLock { $0 }) }
        }
    }

    @Test("If a replay is expected, only the first frame of the next iteration is decoded in advance")
    func expectedReplay() throws {
        let (bytes, waiter) = (gif().bytes, try SourceWaiter())
        let count = Monitor(0)
        let ahead = DecodeAhead(
            GIFReader(CountingSource(bytes, count)), shouldContinue: { _, _ in true }, wake: { waiter.wake() })
        let direct = DirectFrameSource(gif().reader())
        ahead.expectReplay(true)
        #expect(try waiter.agree(frameCount + 2, ahead, direct))
        // A frame takes less than 400 bytes.
        #expect(count.withLock { $0 } < bytes.count + 500)
        #expect(try waiter.agree(frameCount * 2, ahead, direct))
    }

    @Test("Releasing the source in the middle of decoding causes no crash")
    func releasedSources() throws {
        for count in 0..<40 {
            let (ahead, direct, waiter) = try pair(shouldContinue: true)
            #expect(try waiter.agree(count, ahead, direct))
        }
    }
}
