import Base
import Pixels
import Testing

@testable import Playback

@Suite("The playback clock")
struct PlaybackClockTests {
    private func ms(_ milliseconds: Int64) -> Int64 { milliseconds * Span.millisecond }

    /// Returns a clock whose first frame arrived at 100 ms.
    private func clock(_ speed: PlaybackOptions.Speed = .factor(1)) -> PlaybackClock {
        var clock = PlaybackClock(speed)
        clock.align(to: 0, at: .ms(100))
        return clock
    }

    @Test("An instant that overflows becomes the latest possible instant")
    func overflow() {
        #expect(Timeline(start: .ms(1000), speed: 0.1).instant(of: .max / 2).nanoseconds == .max)
    }

    @Test("The clock starts at the first frame")
    func start() {
        let unstarted = PlaybackClock(.factor(2))
        #expect(unstarted.deadline(of: 0, at: .ms(5)) == nil && unstarted.media(at: .ms(5)) == nil)
        #expect(!unstarted.isLate(0, at: .ms(5)) && unstarted.speed == 1)
        let clock = clock(.factor(2))
        #expect(clock.deadline(of: ms(50), at: .ms(100)) == .ms(125) && clock.speed == 2)
        #expect(clock.media(at: .ms(110)) == ms(20))
    }

    @Test("A frame is late only when its whole display time is over")
    func late() {
        let clock = clock()
        #expect(!clock.isLate(ms(50), at: .ms(149)) && clock.isLate(ms(50), at: .ms(150)))
    }

    @Test("At maximum speed, every frame is due immediately, and no frame is late")
    func maximumSpeed() {
        var clock = clock(.max)
        #expect(clock.deadline(of: ms(50), at: .ms(7)) == .ms(7) && !clock.isLate(0, at: .ms(900)))
        #expect(clock.media(at: .ms(900)) == nil)
        clock.changeSpeed(isFaster: true, at: .ms(900))
        #expect(clock.speed == 1)
    }

    @Test(
        "A long wait for a frame delays the clock, but a short wait does not",
        arguments: [(Int64(350), false), (351, true)])
    func stall(arrival: Int64, delays: Bool) {
        var clock = clock()
        clock.waitForSource(at: .ms(100))
        clock.waitForSource(at: .ms(300))
        clock.align(to: 0, at: .ms(arrival))
        #expect(clock.media(at: .ms(arrival)) == (delays ? 0 : ms(arrival - 100)))
    }

    @Test("If the clock waits for a frame before the frame is due, the stall begins only when the frame is due")
    func earlyWait() {
        var clock = clock()
        clock.waitForSource(at: .ms(110))
        clock.align(to: ms(900), at: .ms(1200))
        #expect(clock.media(at: .ms(1200)) == ms(1100))
    }

    @Test("During a pause nothing is due; afterwards, media time continues from the same position")
    func pause() {
        var clock = clock()
        clock.pause(at: .ms(130))
        #expect(clock.isPaused && clock.deadline(of: 0, at: .ms(900)) == nil && !clock.isLate(0, at: .ms(900)))
        clock.pause(at: .ms(500))
        clock.togglePause(at: .ms(900))
        #expect(!clock.isPaused && clock.media(at: .ms(900)) == ms(30))
        clock.resume(at: .ms(950))
        #expect(clock.media(at: .ms(950)) == ms(80))
    }

    @Test("After the clock has ended, no pause can begin, but an earlier pause can still be ended")
    func end() {
        var clock = clock()
        clock.end()
        clock.pause(at: .ms(130))
        #expect(!clock.isPaused)
        var paused = self.clock()
        paused.togglePause(at: .ms(130))
        paused.end()
        paused.togglePause(at: .ms(150))
        let isResumed = !paused.isPaused
        paused.togglePause(at: .ms(160))
        #expect(isResumed && !paused.isPaused)
    }

    @Test("The speed changes in steps between a minimum and a maximum")
    func speed() {
        var clock = clock(.factor(1.1))
        clock.changeSpeed(isFaster: true, at: .ms(100))
        #expect(clock.speed == 1.25)
        for _ in 0..<20 { clock.changeSpeed(isFaster: true, at: .ms(100)) }
        #expect(clock.speed == 16)
        for _ in 0..<20 { clock.changeSpeed(isFaster: false, at: .ms(100)) }
        #expect(clock.speed == 0.1)
    }

    @Test("A jump to a media time makes this time due immediately")
    func jump() {
        var clock = clock()
        clock.jump(to: ms(700), at: .ms(110))
        #expect(clock.deadline(of: ms(800), at: .ms(110)) == .ms(210))
    }
}

@Suite("The position in the loop")
struct LoopPositionTests {
    /// Returns the position at the last frame of the first loop iteration, whose frames have these delays.
    private func position(after delays: [Int64], loopCount: Int? = nil, isOver: Bool = true) -> LoopPosition {
        var position = LoopPosition()
        for (number, delay) in delays.enumerated() { position.advance(to: number, delay: delay) }
        var summary = GIFReader.Summary()
        summary.frames = delays.count
        summary.loopCount = loopCount
        if isOver { position.endIteration(summary) }
        return position
    }

    @Test("A frame starts at the end of the previous one, and frame 0 at the start of its iteration")
    func advance() {
        var position = position(after: [10, 20, 30])
        #expect(position.frame == 2 && position.start == 30 && position.end == 60 && position.iterationLength == 60)
        position.advance(to: 0, delay: 10)
        #expect(position.frame == 0 && position.start == 0 && position.end == 10)
        let begins = position.beginIteration(.forever, endlessLimit: nil, at: nil)
        #expect(begins && position.iteration == 1 && position.elapsed == 0)
        position.advance(to: 0, delay: 10)
        position.advance(to: 1, delay: 20)
        #expect(position.start == 20 && position.elapsed == 10)
    }

    @Test(
        "Loop iterations that are already over are skipped, except the final iteration of the GIF",
        arguments: [
            (LoopRule.forever, Int64(59), 1, Int64(30)), (.forever, 60, 2, 60), (.forever, 125, 4, 120),
            (.times(3), 1000, 2, 60),
        ])
    func missedIterations(loops: LoopRule, now: Int64, iteration: Int, start: Int64) {
        var position = position(after: [10, 20])
        let begins = position.beginIteration(loops, endlessLimit: nil, at: now)
        position.advance(to: 0, delay: 10)
        #expect(begins && position.iteration == iteration && position.start == start)
    }

    @Test("Frame 0 can be dropped only if a frame of the previous iteration was shown")
    func mayDrop() {
        var position = position(after: [10, 20])
        #expect(position.mayDrop)
        _ = position.beginIteration(.forever, endlessLimit: nil, at: nil)
        position.advance(to: 0, delay: 10)
        #expect(!position.mayDrop)
        position.markShown()
        _ = position.beginIteration(.forever, endlessLimit: nil, at: nil)
        position.advance(to: 0, delay: 10)
        #expect(position.mayDrop)
        _ = position.beginIteration(.forever, endlessLimit: nil, at: nil)
        position.advance(to: 0, delay: 10)
        #expect(!position.mayDrop)
    }

    @Test("A seek reaches its goal at the target frame and at every later frame")
    func goals() {
        let position = position(after: [10, 20, 30], isOver: false)
        #expect(position.reaches(.next) && position.reaches(.frame(2)) && position.reaches(.redraw(1)))
        #expect(!position.reaches(.frame(3)) && !position.reaches(.redraw(3)))
        #expect(position.reaches(.time(59)) && !position.reaches(.time(60)))
        #expect(position.contains(30) && position.contains(59) && !position.contains(29) && !position.contains(60))
    }

    @Test("If the length of the iteration is known, times wrap around at both ends")
    func wrapping() {
        let unknown = position(after: [10, 20], isOver: false)
        #expect(unknown.wrapped(-5) == 0 && unknown.wrapped(1000) == 1000)
        var known = position(after: [10, 20])
        _ = known.beginIteration(.forever, endlessLimit: nil, at: nil)
        #expect(known.wrapped(30) == 30 && known.wrapped(25) == 55 && known.wrapped(60) == 30)
        #expect(known.wrapped(.time(95)) == .time(35) && known.wrapped(.frame(7)) == .frame(0))
    }
}
