import Base
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("The animation of a tile")
struct TileAnimationTests {
    /// The frame with this number in a loop. The number is the red of its pixels.
    private func frame(_ number: Int, pixels: Int = 4, delay: Int64 = 100 * Span.millisecond) -> TileFrame {
        let color = CellColor(red: UInt8(number), green: 0, blue: 0)
        var frame = TileFrame(pixels: Array(repeating: color, count: pixels), delay: delay)
        frame.start = Int64(number) * delay
        return frame
    }

    /// An animation whose first frames are decoded.
    private func animation(_ count: Int, delay: Int64 = 100 * Span.millisecond, isWhole: Bool = true) -> TileAnimation {
        var animation = TileAnimation()
        for number in 0..<count { animation.append(frame(number, delay: delay)) }
        if isWhole { animation.endPass() }
        return animation
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// A function, so that an expression in `#expect` can advance an animation.
    private func advance(_ animation: inout TileAnimation, _ now: Instant) -> Bool { animation.advance(to: now) }

    @Test("A loop that fits in memory is stored and repeated")
    func storedLoop() {
        let animation = animation(3)
        #expect(animation.loop == 3)
        #expect(animation.frame(4)?.pixels.first?.red == 1)
    }

    @Test("An animation that begins in the middle of its loop keeps the loop of the next pass, and the displayed frame")
    func middle() {
        var animation = TileAnimation()
        func decode(_ numbers: Range<Int>) {
            for number in numbers { animation.append(frame(number)) }
            animation.endPass()
        }
        decode(2..<4)
        #expect(animation.loop == nil && advance(&animation, at(0)) && animation.picture?.pixels.first?.red == 2)
        #expect(advance(&animation, at(100)) && animation.picture?.pixels.first?.red == 3)
        decode(0..<4)
        #expect(animation.loop == 4 && animation.bytes == 4 * 4 * 4)
        for (step, red) in [(2, 0), (3, 1), (4, 2), (5, 3), (6, 0)] {
            #expect(advance(&animation, at(Int64(step) * 100)) && animation.picture?.pixels.first?.red == red)
        }
    }

    @Test("An animation that is decoded once and a half before its first display begins with its first decoded frame")
    func middleBeforeDisplay() {
        for start in 1..<4 {
            var animation = TileAnimation()
            for numbers in [start..<4, 0..<4] {
                for number in numbers { animation.append(frame(number)) }
                animation.endPass()
            }
            #expect(animation.loop == 4)
            for step in 0..<6 {
                #expect(advance(&animation, at(Int64(step) * 100)))
                #expect(animation.picture?.pixels.first?.red == (start + step) % 4)
            }
        }
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
        var animation = animation(4)
        #expect(advance(&animation, at(1000)))
        #expect(!advance(&animation, at(1099)))
        #expect(animation.nextFrameTime == at(1100))
        #expect(advance(&animation, at(1100)) && animation.frameNumber == 1)
        // Frame 2 is dropped, because this update is late by 1.5 frames. The next deadline does not change.
        #expect(advance(&animation, at(1350)) && animation.frameNumber == 3)
        #expect(animation.nextFrameTime == at(1400))
    }

    @Test("A stalled animation continues when its next frame arrives")
    func stalled() {
        var animation = TileAnimation()
        animation.append(frame(0))
        _ = advance(&animation, at(0))
        #expect(!advance(&animation, at(5000)) && animation.nextFrameTime == nil)
        animation.append(frame(1))
        animation.append(frame(2))
        #expect(advance(&animation, at(5000)) && animation.frameNumber == 1)
        #expect(animation.nextFrameTime == at(5100))
    }

    @Test("Slow animations change at the same tenths of a second, show the frame of that time and do not drift")
    func slow() {
        var animation = animation(50, delay: 40 * Span.millisecond)
        animation.purpose = .slowAnimation
        #expect(advance(&animation, at(1030)) && animation.frameNumber == 0)
        #expect(animation.nextFrameTime == at(1100))
        #expect(!advance(&animation, at(1099)))
        #expect(advance(&animation, at(1100)) && animation.frameNumber == 1)
        for tenth in 12...29 { #expect(advance(&animation, at(Int64(tenth) * 100))) }
        #expect(animation.frameNumber == (2900 - 1030) / 40)
        animation.purpose = .animation
        #expect(animation.nextFrameTime == at(1030 + 47 * 40))
    }

    @Test("Slow animations with different phases change ten times a second each, at different times")
    func phases() {
        let whole = animation(50, delay: 40 * Span.millisecond)
        var animations = (0..<3).map { (number: Int64) in
            var slow = whole
            (slow.purpose, slow.phase) = (.slowAnimation, number * 20 * Span.millisecond)
            return slow
        }
        var changes: [[Int64]] = [[], [], []]
        for time in stride(from: Int64(1_000), to: 2_100, by: 10) {
            for number in animations.indices where advance(&animations[number], at(time)) && time >= 1_100 {
                changes[number].append(time)
            }
        }
        #expect(changes == [0, 20, 40].map { phase in (11...20).map { $0 * 100 + phase } })
    }

    @Test("A still is not animated")
    func still() {
        var animation = animation(2, isWhole: false)
        animation.purpose = .still
        #expect(advance(&animation, at(0)))
        #expect(!advance(&animation, at(900)) && animation.nextFrameTime == nil)
    }

    @Test("A seek shows the frame at that time, also beyond the end of the loop, and then the rest of its time passes")
    func seeks() {
        for (milliseconds, number) in [(0, 0), (230, 2), (499, 4), (1_230, 2)] as [(Int64, Int)] {
            var animation = animation(5)
            for time in [0, 100, 200, 300] { _ = animation.advance(to: at(Int64(time))) }
            animation.goal = milliseconds * Span.millisecond
            #expect(advance(&animation, at(350)) && animation.picture?.pixels.first?.red == number)
            #expect(animation.nextFrameTime == at(350 + 100 - milliseconds % 100), "\(milliseconds)")
        }
    }

    @Test("A seek beyond the decoded frames waits for them, and keeps the picture until then")
    func waitingSeek() {
        var animation = animation(5, isWhole: false)
        _ = animation.advance(to: at(0))
        animation.goal = 650 * Span.millisecond
        #expect(!advance(&animation, at(10)) && animation.picture?.pixels.first?.red == 0)
        for number in 5..<8 { animation.append(frame(number)) }
        #expect(advance(&animation, at(20)) && animation.picture?.pixels.first?.red == 6)
    }
}
