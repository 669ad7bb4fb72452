import Base
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("The animation of a tile")
struct TileAnimationTests {
    private func frame(_ number: Int, pixels: Int = 4, delay: Int64 = 100 * Span.millisecond) -> TileFrame {
        TileFrame(
            pixels: Array(repeating: CellColor(red: UInt8(number), green: 0, blue: 0), count: pixels), delay: delay)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// Wraps a playhead in a class, so that an expression in `#expect` can advance the playhead.
    private final class PlayheadBox {
        var head = Playhead()
        var frame: Int { head.frame }

        func advance(_ animation: TileAnimation, to now: Instant) -> Bool { head.advance(animation, to: now) }
        func nextFrameTime(_ animation: TileAnimation) -> Instant? { head.nextFrameTime(animation) }
    }

    @Test("A loop that fits in memory is stored and repeated")
    func storedLoop() {
        var animation = TileAnimation()
        for number in 0..<3 { animation.append(frame(number)) }
        animation.endPass()
        #expect(animation.loop == 3)
        #expect(animation.frame(4)?.pixels.first?.red == 1)
    }

    @Test("A long animation frees the frames that were shown, and is not stored as a loop")
    func longAnimation() {
        var animation = TileAnimation()
        for number in 0..<8 { animation.append(frame(number, pixels: 256 << 10)) }
        animation.release(before: 6)
        #expect(animation.frame(5) == nil && animation.frame(6)?.pixels.first?.red == 6)
        animation.endPass()
        #expect(animation.loop == nil)
        animation.append(frame(8, pixels: 1))
        #expect(animation.frame(8)?.pixels.first?.red == 8)
    }

    @Test("Late updates do not shift the deadlines of later frames")
    func deadlines() {
        var animation = TileAnimation()
        for number in 0..<4 { animation.append(frame(number)) }
        animation.endPass()
        let head = PlayheadBox()
        #expect(head.advance(animation, to: at(1000)))
        #expect(!head.advance(animation, to: at(1099)))
        #expect(head.nextFrameTime(animation) == at(1100))
        #expect(head.advance(animation, to: at(1100)) && head.frame == 1)
        // Frame 2 is dropped, because this update is late by 1.5 frames. The next deadline does not change.
        #expect(head.advance(animation, to: at(1350)) && head.frame == 3)
        #expect(head.nextFrameTime(animation) == at(1400))
    }

    @Test("A stalled animation continues when its next frame arrives")
    func stalled() {
        var animation = TileAnimation()
        animation.append(frame(0))
        let head = PlayheadBox()
        _ = head.advance(animation, to: at(0))
        #expect(!head.advance(animation, to: at(5000)) && head.nextFrameTime(animation) == nil)
        animation.append(frame(1))
        animation.append(frame(2))
        #expect(head.advance(animation, to: at(5000)) && head.frame == 1)
        #expect(head.nextFrameTime(animation) == at(5100))
    }

    @Test("Slow animations change at the same tenths of a second, show the frame of that time and do not drift")
    func slow() {
        var animation = TileAnimation()
        for number in 0..<50 { animation.append(frame(number, delay: 40 * Span.millisecond)) }
        animation.endPass()
        let head = PlayheadBox()
        head.head.pace = .slow
        #expect(head.advance(animation, to: at(1030)) && head.frame == 0)
        #expect(head.nextFrameTime(animation) == at(1100))
        #expect(!head.advance(animation, to: at(1099)))
        #expect(head.advance(animation, to: at(1100)) && head.frame == 1)
        for tenth in 12...29 { #expect(head.advance(animation, to: at(Int64(tenth) * 100))) }
        #expect(head.frame == (2900 - 1030) / 40)
        head.head.pace = .normal
        #expect(head.nextFrameTime(animation) == at(1030 + 47 * 40))
    }

    @Test("Slow animations with different phases change ten times a second each, at different times")
    func phases() {
        var animation = TileAnimation()
        for number in 0..<50 { animation.append(frame(number, delay: 40 * Span.millisecond)) }
        animation.endPass()
        let heads = (0..<3).map { (number: Int64) in
            let head = PlayheadBox()
            head.head.pace = .slow
            head.head.phase = number * 20 * Span.millisecond
            return head
        }
        var changes: [[Int64]] = [[], [], []]
        for time in stride(from: Int64(1_000), to: 2_100, by: 10) {
            for (number, head) in heads.enumerated() where head.advance(animation, to: at(time)) && time >= 1_100 {
                changes[number].append(time)
            }
        }
        #expect(changes == [0, 20, 40].map { phase in (11...20).map { $0 * 100 + phase } })
    }

    @Test("A still is not animated")
    func still() {
        var animation = TileAnimation()
        for number in 0..<2 { animation.append(frame(number)) }
        let head = PlayheadBox()
        head.head.pace = .still
        #expect(head.advance(animation, to: at(0)))
        #expect(!head.advance(animation, to: at(900)) && head.nextFrameTime(animation) == nil)
    }

    // MARK: - Keys of the large view

    /// An animation of five frames of 100 ms, whose frames know their position, and a playhead at its frame 0 at 0 ms.
    private func started() -> (TileAnimation, PlayheadBox) {
        var animation = TileAnimation()
        for number in 0..<5 {
            animation.append(
                TileFrame(
                    pixels: [.black], delay: 100 * Span.millisecond, number: number,
                    start: Int64(number) * 100 * Span.millisecond))
        }
        animation.endPass()
        let head = PlayheadBox()
        _ = head.advance(animation, to: at(0))
        return (animation, head)
    }

    @Test("A pause keeps the frame, and its remaining time follows when playback continues")
    func pause() {
        let (animation, head) = started()
        head.head.control(.pause(true), animation, at: at(60))
        #expect(head.nextFrameTime(animation) == nil && !head.advance(animation, to: at(5_000)))
        head.head.control(.pause(false), animation, at: at(6_000))
        #expect(head.nextFrameTime(animation) == at(6_040))
    }

    @Test("Steps show the next and the previous frame and pause, also beyond the ends of the loop")
    func steps() {
        let (animation, head) = started()
        var shown: [Int] = []
        for (index, isBackward) in [false, false, true, true, true, false].enumerated() {
            head.head.control(.step(isBackward: isBackward), animation, at: at(50 + Int64(index)))
            _ = head.advance(animation, to: at(50 + Int64(index)))
            shown.append(head.head.picture?.number ?? -1)
        }
        #expect(shown == [1, 2, 1, 0, 4, 0] && head.head.isPaused)
        #expect(!head.advance(animation, to: at(9_000)))
    }

    @Test("A seek shows the frame at that time, and wraps around the ends of the loop")
    func seeks() {
        for (milliseconds, number) in [(200, 2), (-100, 4), (1_000, 0), (1_250, 3)] as [(Int64, Int)] {
            let (animation, head) = started()
            head.head.control(.seek(milliseconds * Span.millisecond), animation, at: at(50))
            _ = head.advance(animation, to: at(50))
            #expect(head.head.picture?.number == number, "\(milliseconds)")
        }
    }

    @Test("The speed scales the remaining time and the later delays")
    func speed() {
        let (animation, head) = started()
        head.head.control(.speed(2), animation, at: at(60))
        #expect(head.nextFrameTime(animation) == at(80))
        #expect(head.advance(animation, to: at(80)) && head.nextFrameTime(animation) == at(130))
    }
}
