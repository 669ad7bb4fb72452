import GIFDecode
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

    /// A step as values.
    private enum Seen: Equatable {
        case frame(DecodedFrame)
        case end(GIFReader.Summary)
        case failed(GIFError)
    }

    /// Waits for the decoding thread as the player does: only after `.pending`, and only for its wake.
    private final class Waiting: Sendable {
        private let woken = Monitor(false)

        func wake() { woken.withLock { $0 = true } }

        func next(_ source: any FrameSource) -> Seen {
            while true {
                switch source.next() {
                case .frame(let frame): return .frame(DecodedFrame(frame))
                case .end(let summary): return .end(summary)
                case .failed(let error): return .failed(error)
                case .pending:
                    let _: Bool = woken.wait { woken in
                        defer { woken = false }
                        return woken ? true : nil
                    }
                }
            }
        }
    }

    private func pair(goesOn: Bool) -> (DecodeAhead, DirectFrameSource, Waiting) {
        let waiting = Waiting()
        let ahead = DecodeAhead(gif().reader(), goesOn: { _, _ in goesOn }, wake: { waiting.wake() })
        return (ahead, DirectFrameSource(gif().reader()), waiting)
    }

    @Test("Its steps are those of decoding when asked, pass after pass", .timeLimit(.minutes(1)))
    func sameSteps() {
        let (ahead, direct, waiting) = pair(goesOn: true)
        for _ in 0..<(frameCount + 1) * 3 { #expect(waiting.next(ahead) == waiting.next(direct)) }
    }

    @Test("Rewinding anywhere begins with the first frame again", .timeLimit(.minutes(1)), arguments: [true, false])
    func rewinding(goesOn: Bool) {
        let (ahead, direct, waiting) = pair(goesOn: goesOn)
        var random = SeededRandom(8)
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...frameCount + 1, using: &random) {
                #expect(waiting.next(ahead) == waiting.next(direct))
            }
            ahead.rewind()
            direct.rewind()
        }
    }

    @Test("After the last pass it rests, and begins another when told to rewind", .timeLimit(.minutes(1)))
    func restsAndRewinds() {
        let (ahead, direct, waiting) = pair(goesOn: false)
        for _ in 0..<3 {
            for _ in 0...frameCount { #expect(waiting.next(ahead) == waiting.next(direct)) }
            ahead.rewind()
            direct.rewind()
        }
    }

    @Test("After the last pass, as it guessed, it begins another when asked for a frame", .timeLimit(.minutes(1)))
    func restsAndGoesOn() {
        let (ahead, direct, waiting) = pair(goesOn: false)
        for _ in 0..<(frameCount + 1) * 3 { #expect(waiting.next(ahead) == waiting.next(direct)) }
    }

    @Test("A file that cannot be drawn says so", .timeLimit(.minutes(1)))
    func failing() {
        let waiting = Waiting()
        let reader = GIFReader(MemoryByteSource(Array("<html>".utf8)))
        let ahead = DecodeAhead(reader, goesOn: { _, _ in true }, wake: { waiting.wake() })
        #expect(waiting.next(ahead) == .failed(.notGIF(.html)))
    }

    @Test("Bytes that stop coming keep nobody waiting but the thread", .timeLimit(.minutes(1)))
    func growing() {
        let source = GrowingByteSource()
        let waiting = Waiting()
        let ahead = DecodeAhead(GIFReader(source), goesOn: { _, _ in false }, wake: { waiting.wake() })
        guard case .pending = ahead.next() else {
            Issue.record("a step without a byte")
            return
        }
        gif().bytes.withUnsafeBytes { source.append($0) }
        source.finish()
        let direct = DirectFrameSource(gif().reader())
        for _ in 0...frameCount { #expect(waiting.next(ahead) == waiting.next(direct)) }
    }

    @Test("Many that are let go in the middle do no harm", .timeLimit(.minutes(1)))
    func letGo() {
        for count in 0..<40 {
            let (ahead, direct, waiting) = pair(goesOn: true)
            for _ in 0..<count { #expect(waiting.next(ahead) == waiting.next(direct)) }
        }
    }
}
