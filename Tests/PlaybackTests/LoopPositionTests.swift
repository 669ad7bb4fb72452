import Pixels
import Testing

@testable import Playback

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

    @Test("The elapsed time is never negative, even between two loop iterations")
    func elapsed() {
        var position = position(after: [10, 20])
        #expect(position.elapsed == 10)
        _ = position.beginIteration(.forever, endlessLimit: nil, at: nil)
        #expect(position.elapsed == 0)
    }

    @Test("Playback ends after the last iteration, or after the iteration in which an endless loop reaches its limit")
    func ends() {
        func begins(_ position: inout LoopPosition, _ loops: LoopRule, limit: Int64? = nil) -> Bool {
            position.beginIteration(loops, endlessLimit: limit, at: nil)
        }
        var once = position(after: [10])
        let repeats = begins(&once, .file)
        var twice = position(after: [10], loopCount: 1)
        let (second, third) = (begins(&twice, .file, limit: 5), begins(&twice, .file, limit: 5))
        #expect(!repeats && second && !third)
        var endless = position(after: [10, 20])
        let (beforeLimit, atLimit) = (begins(&endless, .forever, limit: 31), begins(&endless, .forever, limit: 30))
        #expect(beforeLimit && !atLimit)
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

    @Test("If the number of frames is known, steps wrap around at both ends")
    func steps() {
        var unknown = position(after: [10, 20], isOver: false)
        #expect(unknown.nextFrame == .frame(2) && unknown.previousFrame == .frame(0))
        unknown.advance(to: 0, delay: 10)
        #expect(unknown.previousFrame == nil)
        var known = position(after: [10, 20])
        #expect(known.nextFrame == .frame(0))
        known.advance(to: 0, delay: 10)
        #expect(known.nextFrame == .frame(1) && known.previousFrame == .frame(1))
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
