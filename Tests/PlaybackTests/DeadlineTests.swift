import Base
import Pixels
import Playback
import TestSupport
import Testing

@Suite("Deadlines")
struct DeadlineTests {
    @Test("In two loop iterations, every frame is shown at the start time plus the sum of the preceding delays")
    func exact() throws {
        // Delays of 0 and 1 hundredths of a second become 100 ms. Longer delays are used as they are.
        let run = try Session(loops: .times(2)).play(ScriptedFrameSource.flat([0, 1, 2, 3, 50]))
        #expect(run.times == [0, 100, 200, 220, 250, 750, 850, 950, 970, 1000])
        #expect(run.shown.map(\.iteration) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
        #expect(run.frames == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
        #expect(run.end == .finished)
        #expect(run.endTime == 1500)
        #expect(run.dropped.isEmpty)
    }

    @Test("The times of a thousand frames are exact to the nanosecond")
    func noDrift() throws {
        var session = Session(loops: .times(1))
        session.options.speed = .factor(0.75)
        let run = try session.play(ScriptedFrameSource.flat(Array(repeating: 3, count: 1000)))
        #expect(run.times == (0..<1000).map { Int64($0) * 40 })
        #expect(run.endTime == 40_000)
    }

    @Test("A GIF file plays with the delays that it contains")
    func file() throws {
        let gif = GIFBuilder(width: 2, height: 2).loop(1)
            .frame(1, delay: 7, width: 2, height: 2).frame(2, delay: 9, width: 2, height: 2).trailer()
        let run = try Session().play(DirectFrameSource(gif.reader()))
        #expect(run.times == [0, 70, 160, 230])
        #expect(run.endTime == 320)
    }

    @Test(
        "The loop rule determines the number of loop iterations",
        arguments: [
            (LoopRule.file, nil, 1), (.file, 1, 2), (.file, 3, 4), (.times(1), 0, 1), (.times(3), nil, 3),
            (.times(2), 9, 2),
        ] as [(LoopRule, Int?, Int)])
    func loops(rule: LoopRule, count: Int?, passes: Int) throws {
        for cacheBytes in [0, 1 << 20] {
            let session = Session(loops: rule, cacheBytes: cacheBytes)
            let run = try session.play(ScriptedFrameSource.flat([10, 20], loopCount: count))
            #expect(run.shown.count == passes * 2)
            #expect(run.endTime == Int64(passes) * 300)
            #expect(run.end == .finished)
        }
    }

    @Test(
        "A GIF that loops forever plays until the user quits",
        arguments: [(LoopRule.file, 0), (.forever, nil), (.forever, 1)] as [(LoopRule, Int?)])
    func forever(rule: LoopRule, count: Int?) throws {
        let session = Session(loops: rule, script: [.key("q", at: 100_000)])
        let run = try session.play(ScriptedFrameSource.flat([10, 10], loopCount: count))
        #expect(run.shown.count == 1000)
        #expect(run.end == .quit)
    }

    @Test("A duration ends playback at its exact time", arguments: [1, 99, 100, 150, 1000, 12_345])
    func duration(milliseconds: Int64) throws {
        for cacheBytes in [0, 1 << 20] {
            var session = Session(loops: .forever)
            session.options.duration = milliseconds * Span.millisecond
            session.options.loopCacheBytes = cacheBytes
            let run = try session.play(ScriptedFrameSource.flat([10, 10, 10]))
            #expect(run.end == .finished)
            #expect(run.endTime == milliseconds)
        }
    }

    @Test("A duration ends playback even if the source stalls")
    func durationOfNothing() throws {
        var session = Session(loops: .forever)
        session.options.duration = 700 * Span.millisecond
        #expect(try session.play(ScriptedFrameSource.flat([10], pending: [0: 99])).endTime == 700)
    }

    @Test("If other GIFs follow, a source that stalls for two seconds and beyond the limit ends playback")
    func stalledSource() throws {
        var session = Session(loops: .forever)
        for (limit, end) in [(700, 2_000), (3_000, 3_000)] as [(Int64, Int64)] {
            session.options.endlessLimit = limit * Span.millisecond
            let run = try session.play(ScriptedFrameSource.flat([10], pending: [0: 99]))
            #expect(run.end == .finished && run.endTime == end)
        }
    }

    @Test("At maximum speed, every frame is shown without waiting")
    func fullSpeed() throws {
        var session = Session(loops: .times(2))
        session.options.speed = .max
        let run = try session.play(ScriptedFrameSource.flat([10, 200, 30]))
        #expect(run.frames == [0, 1, 2, 0, 1, 2])
        #expect(run.endTime == 0)
        session.bytesPerSecond = 1000
        let slow = try session.play(ScriptedFrameSource.flat([2, 2, 2]))
        #expect(slow.frames == [0, 1, 2, 0, 1, 2])
        #expect(slow.dropped.isEmpty)
    }

    @Test("A still that loops forever, or any still if stills are held, is displayed until a key ends playback")
    func still() throws {
        var session = Session(script: [.key("q", at: 60_000)])
        let looping = try session.play(ScriptedFrameSource.flat([10], loopCount: 0))
        #expect(looping.frames == [0])
        #expect(looping.end == .quit)
        session.options.hold = .stills
        let held = try session.play(ScriptedFrameSource.flat([10]))
        #expect(held.frames == [0])
        #expect(held.endTime == 60_000)
        session.options.hold = .never
        #expect(try session.play(ScriptedFrameSource.flat([10])).endTime == 100)
        session.options.screen = .inline
        #expect(try session.play(ScriptedFrameSource.flat([10], loopCount: 0)).endTime == 100)
        session.options.loops = .forever
        #expect(try session.play(ScriptedFrameSource.flat([10])).end == .quit)
    }

    @Test("An endless loop ends after the iteration in which the time limit is reached", arguments: [0, 1 << 20])
    func endless(cacheBytes: Int) throws {
        var session = Session(loops: .file)
        session.options.endlessLimit = 1000 * Span.millisecond
        session.options.loopCacheBytes = cacheBytes
        #expect(try session.play(ScriptedFrameSource.flat([20, 10], loopCount: 0)).endTime == 1200)
        #expect(try session.play(ScriptedFrameSource.flat([250, 10], loopCount: 0)).endTime == 2600)
        #expect(try session.play(ScriptedFrameSource.flat([20, 10], loopCount: 9)).endTime == 3000)
        #expect(try session.play(ScriptedFrameSource.flat([10], loopCount: 0)).endTime == 1000)
    }

    @Test("If the source fails, playback ends with the source's error")
    func failing() throws {
        let frame = IndexedFrame(["r"])
        let run = try Session().play(ScriptedFrameSource([frame], failure: .outOfMemory))
        #expect(run.end == .failed(.outOfMemory))
        #expect(run.frames == [0])
    }
}

@Suite("A slow connection")
struct SlowTerminalTests {
    private let delays = [10, 5, 20, 3, 3, 3, 3, 40, 2, 10]

    private func interval(_ shown: Session.Shown) -> Range<Int64> {
        let times = delays.map { Int64($0) * 10 }
        let start = Int64(shown.iteration) * times.reduce(0, +) + times.prefix(shown.frame).reduce(0, +)
        return start..<start + times[shown.frame]
    }

    @Test(
        "Late frames are dropped, and each shown frame appears within its own display time",
        arguments: [200, 500, 1000, 3000, 9000], [0, 1 << 20])
    func drops(bytesPerSecond: Int, cacheBytes: Int) throws {
        let session = Session(loops: .times(6), bytesPerSecond: bytesPerSecond, cacheBytes: cacheBytes)
        let run = try session.play(ScriptedFrameSource.flat(delays))
        // If no frame of a loop iteration was shown, frame 0 of the next one is shown even if it is late.
        let iterations = Set(run.shown.map(\.iteration))
        for shown in run.shown where shown.frame > 0 || iterations.contains(shown.iteration - 1) {
            #expect(interval(shown).contains(shown.time))
        }
        for dropped in run.dropped { #expect(dropped.time >= interval(dropped).upperBound) }
        #expect(iterations == Set(0..<6))
        #expect(run.shown.count + run.dropped.count == 60)
        if bytesPerSecond < 3000 { #expect(run.dropped.count > 6) }
        let longest = (run.screenUpdates.map(\.bytes.count).max() ?? 0) * 1000 / bytesPerSecond
        #expect(run.end == .finished)
        #expect((6 * 990...6 * 990 + Int64(longest) + 1).contains(run.endTime))
    }

    @Test(
        "After dropped frames, the next shown frame has the correct picture", arguments: [300, 700, 2000],
        [0, 1 << 20])
    func showsTheFrame(bytesPerSecond: Int, cacheBytes: Int) throws {
        let session = Session(loops: .times(6), bytesPerSecond: bytesPerSecond, cacheBytes: cacheBytes)
        let run = try session.play(ScriptedFrameSource.flat(delays))
        for shown in run.shown {
            let wanted = ScriptedFrameSource.color(of: shown.frame)
            let seen = try #require(run.screen(of: shown).flatColor)
            #expect(distance([seen], [wanted]) <= shown.bound, "iteration \(shown.iteration), frame \(shown.frame)")
        }
    }

    @Test(
        "If sending a frame takes longer than a loop iteration, frame 0 is not the only frame that is shown",
        arguments: [170, 260, 400], [0, 1 << 20])
    func shortLoop(bytesPerSecond: Int, cacheBytes: Int) throws {
        let ends = [100, 170, 300]
        var session = Session(loops: .forever, script: [.key("q", at: 60_000)])
        session.bytesPerSecond = bytesPerSecond
        session.options.loopCacheBytes = cacheBytes
        let run = try session.play(ScriptedFrameSource.flat([10, 7, 13]))
        #expect(run.shown.count > 40 && run.frames.contains { $0 > 0 })
        for shown in run.shown.dropFirst() {
            #expect(ends.firstIndex { Int(shown.time) % 300 < $0 } == shown.frame, "\(shown.time)")
        }
    }

    @Test("Many resizes and keys on a busy connection cause few updates, and the last picture fills the pane")
    func nothingPilesUp() throws {
        let resizes = (1...50).map { VirtualTerminal.ScriptedEvent.resize(8 + $0 % 5, 4, at: 100 + Int64($0)) }
        let keys = (1...50).map { VirtualTerminal.ScriptedEvent.key(".", at: 200 + Int64($0)) }
        let session = Session(bytesPerSecond: 100, script: resizes + keys + [.key("q", at: 30_000)])
        let run = try session.play(ScriptedFrameSource.flat([9000, 9000, 9000]))
        #expect(run.end == .quit)
        #expect(run.screenUpdates.count <= 3, "\(run.screenUpdates.map(\.time))")
        let last = try #require(run.shown.last)
        #expect(run.screen(of: last).flatColor != nil)
    }

    @Test("A key takes effect even while the connection is busy")
    func keyWhileBusy() throws {
        let session = Session(loops: .forever, bytesPerSecond: 10, script: [.key("q", at: 1234)])
        #expect(try session.play(ScriptedFrameSource.flat(delays)).endTime == 1234)
    }
}
