import Pixels
import Playback
import TestSupport
import Testing

/// Each frame lasts a second unless a test sets other delays.
@Suite("Keys")
struct PlayerKeyTests {
    private func source(_ count: Int = 8, loopCount: Int? = nil) -> ScriptedFrameSource {
        .flat(Array(repeating: 100, count: count), loopCount: loopCount)
    }

    private func play(_ script: Script, frames: Int = 8, loops: LoopRule = .forever) throws
        -> Session.Run
    {
        try Session(loops: loops, script: script).play(source(frames))
    }

    @Test(
        "A key that ends playback takes effect immediately, even during a long frame",
        arguments: [
            (Key.character("q"), PlaybackEnd.quit), (.escape, .quit), (.control("c"), .interrupted(signal: 2)),
            (.character("n"), .switchItem(.next)), (.character("p"), .switchItem(.previous)),
            (.character("r"), .switchItem(.random)), (.character("/"), .browse),
        ])
    func ends(key: Key, end: PlaybackEnd) throws {
        let run = try Session(script: [.at(1234, .key(key))]).play(ScriptedFrameSource.flat([200, 200]))
        #expect(run.end == end)
        #expect(run.endTime == 1234)
    }

    @Test(
        "A signal or a closed terminal ends playback",
        arguments: [(TerminalEvent.signal(15), PlaybackEnd.interrupted(signal: 15)), (.closed, .closed)])
    func events(event: TerminalEvent, end: PlaybackEnd) throws {
        let run = try play([.at(777, event)])
        #expect(run.end == end)
        #expect(run.endTime == 777)
    }

    @Test("Any key ends a screensaver, and Ctrl-C ends it as an interruption")
    func anyKey() throws {
        var session = Session(script: [.key(" ", at: 10)])
        session.options.anyKeyEnds = true
        #expect(try session.play(source()).end == .quit)
        session.script = [.at(10, .key(.control("c")))]
        #expect(try session.play(source()).end == .interrupted(signal: 2))
    }

    @Test("The outcome of a key stays on the screen if the loop was replayed, when the picture is drawn anew")
    func outcomeDuringReplay() throws {
        var session = Session(loops: .forever, script: [.key("m", at: 20_300), .key("q", at: 21_500)])
        session.size = CellSize(columns: 60, rows: 10)
        let run = try session.play(source())
        #expect(run.shown.last { $0.time < 20_300 }?.isReplayed == true)
        let screen = try #require(run.screenUpdates.last { $0.time < 21_500 }).screen
        #expect((0..<screen.size.rows).contains { screen.text(row: $0).contains("quadrants") })
    }

    @Test("Keys without a function change nothing")
    func otherKeys() throws {
        let run = try play([.key("x", at: 100), .at(200, .key(.other)), .at(300, .key(.enter)), .key("q", at: 2500)])
        #expect(run.times == [0, 1000, 2000])
    }

    @Test("A pause keeps the frame on the screen, and playback continues from the same position")
    func pause() throws {
        let run = try play([.key(" ", at: 1500), .key(" ", at: 4500), .key("q", at: 6000)])
        #expect(run.times == [0, 1000, 5000, 6000].dropLast())
    }

    @Test("A pause stops the clock of the time limit")
    func pauseStopsLimit() throws {
        var session = Session(loops: .forever, script: [.key(" ", at: 1500), .key(" ", at: 31_500)])
        session.options.duration = 3_000_000_000
        let run = try session.play(source())
        #expect(run.end == .finished && run.endTime == 33_000)
        session.script = [.key(" ", at: 1500), .key("q", at: 60_000)]
        #expect(try session.play(source()).end == .quit)
    }

    @Test("A paste has no effect")
    func paste() throws {
        let run = try play([.at(500, .paste("q n/")), .key("q", at: 1500)])
        #expect(run.end == .quit && run.endTime == 1500)
    }

    @Test("A pause keeps a replayed frame on the screen")
    func pauseReplay() throws {
        let run = try play([.key(" ", at: 2500), .key(" ", at: 9500), .key("q", at: 11_500)], frames: 2)
        #expect(run.times == [0, 1000, 2000, 10_000, 11_000])
        #expect(run.shown.last?.isReplayed == false && run.shown.dropLast().last?.isReplayed == true)
    }

    @Test("A step shows the next frame and pauses; the frame's delay begins when playback continues")
    func stepForward() throws {
        let run = try play([.key(".", at: 500), .key(".", at: 600), .key(" ", at: 5000), .key("q", at: 6500)])
        #expect(run.frames == [0, 1, 2, 3])
        #expect(run.times == [0, 500, 600, 6000])
    }

    @Test("A step from the last frame shows the first frame", arguments: [0, 1 << 20])
    func stepAround(cacheBytes: Int) throws {
        var session = Session(loops: .forever, cacheBytes: cacheBytes)
        session.script = (1...5).map { .key(".", at: $0 * 10) } + [.key(" ", at: 100), .key("q", at: 2500)]
        let run = try session.play(source(3))
        #expect(run.frames == [0, 1, 2, 0, 1, 2, 0, 1])
        #expect(run.times == [0, 10, 20, 30, 40, 50, 1100, 2100])
        for shown in run.shown {
            #expect(run.screen(of: shown).flatColor == ScriptedFrameSource.color(of: shown.frame))
        }
    }

    @Test("A step beyond the end of the last loop iteration does not end playback")
    func stepAroundOnce() throws {
        let run = try play([.key(".", at: 10), .key(".", at: 20), .key(" ", at: 30)], frames: 2, loops: .times(1))
        #expect(run.frames == [0, 1, 0, 1])
        #expect(run.times == [0, 10, 20, 1030])
        #expect(run.endTime == 2030)
    }

    @Test("If the number of frames is known, a step back from the first frame shows the last frame")
    func stepBack() throws {
        let early = try play([.key(",", at: 100), .key("q", at: 5000)], frames: 3)
        #expect(early.frames == [0])
        let script: Script = [
            .key(",", at: 3100), .key(",", at: 3200), .key(",", at: 3300), .key(",", at: 3400), .key("q", at: 9000),
        ]
        let run = try play(script, frames: 3)
        #expect(run.frames == [0, 1, 2, 0, 2, 1, 0, 2])
        #expect(run.times.suffix(4) == [3100, 3200, 3300, 3400])
        for shown in run.shown {
            #expect(run.screen(of: shown).flatColor == ScriptedFrameSource.color(of: shown.frame))
        }
    }

    @Test("A change of the playback speed keeps the position and rescales the remaining delay")
    func speed() throws {
        let faster = try play([.key("+", at: 500), .key("q", at: 2000)])
        #expect(faster.times == [0, 900, 1700])
        let slower = try play([.key("-", at: 500), .key("-", at: 600), .key("q", at: 2600)])
        // 500 ms at normal speed, then 100 ms at speed 0.75, then the rest of the frame at speed 0.5.
        #expect(slower.times == [0, 1450])
        let both = try play([.key("=", at: 500), .key("-", at: 500), .key("q", at: 2600)])
        #expect(both.times == [0, 1000, 2000])
    }

    @Test("A playback speed that is changed during a pause applies when playback continues")
    func speedInPause() throws {
        let run = try play([
            .key(" ", at: 500), .key("-", at: 600), .key("-", at: 600), .key(" ", at: 2000), .key("q", at: 3500),
        ])
        #expect(run.times == [0, 3000])
    }

    @Test("Neither a step nor the pause key pauses a still", arguments: [".", ",", " "] as [Character])
    func stepStill(key: Character) throws {
        var session = Session(loops: .forever, script: [.key(key, at: 500), .key("q", at: 900)])
        session.size = CellSize(columns: 20, rows: 8)
        let run = try session.play(ScriptedFrameSource.flat([10]))
        #expect(run.screenUpdates.last?.screen.text(row: 7).contains("paused") == false)
        #expect(run.frames == [0])
    }

    @Test("Arrow keys seek by one or five seconds")
    func arrows() throws {
        #expect(try play([.at(500, .key(.right)), .key("q", at: 1100)]).shownAs == [[0, 0], [500, 1], [1000, 2]])
        #expect(try play([.at(500, .key(.up)), .key("q", at: 1100)]).shownAs == [[0, 0], [500, 5], [1000, 6]])
        let back = try play([.at(2500, .key(.left)), .key("q", at: 3100)])
        #expect(back.shownAs.suffix(2) == [[2500, 1], [3000, 2]])
        let far = try play([.at(6500, .key(.down)), .key("q", at: 7100)])
        #expect(far.shownAs.suffix(2) == [[6500, 1], [7000, 2]])
        // While the length of the loop is unknown, a backward seek stops at the start.
        #expect(try play([.at(500, .key(.left)), .key("q", at: 1600)]).shownAs == [[0, 0], [1500, 1]])
    }

    @Test("A seek beyond one end of a loop iteration continues at its other end", arguments: [0, 1 << 20])
    func arrowsAround(cacheBytes: Int) throws {
        var session = Session(loops: .forever, script: [.at(500, .key(.up)), .key("q", at: 1600)])
        session.options.loopCacheBytes = cacheBytes
        // In a loop iteration of 3 s, the position 5.5 s corresponds to 2.5 s.
        #expect(try session.play(source(3)).shownAs == [[0, 0], [500, 2], [1000, 0]])
        session.script = [.at(3500, .key(.left)), .key("q", at: 4100)]
        let back = try session.play(source(3))
        #expect(back.shownAs.suffix(2) == [[3500, 2], [4000, 0]])
        #expect(back.shown.last.map { back.screen(of: $0).flatColor } == ScriptedFrameSource.color(of: 0))
    }

    @Test("If the only loop iteration has an unknown length, a seek beyond its end wraps around, and playback goes on")
    func arrowsAroundOnce() throws {
        let run = try play([.at(500, .key(.up))], frames: 3, loops: .times(1))
        #expect(run.shownAs == [[0, 0], [500, 2]])
        #expect(run.endTime == 1000)
    }

    @Test("At maximum speed, arrow keys seek from the displayed frame")
    func arrowsAtFullSpeed() throws {
        var session = Session(loops: .times(1), script: [.at(0, .key(.other)), .at(500, .key(.right))])
        session.options.speed = .max
        session.bytesPerSecond = 300
        let run = try session.play(source(20))
        let index = try #require(run.shown.firstIndex { $0.time >= 500 })
        #expect(run.shown[index].frame - run.shown[index - 1].frame == 1)
    }
}

extension Session.Run {
    /// The time in milliseconds and the number of each shown frame.
    fileprivate var shownAs: [[Int64]] { shown.map { [$0.time, Int64($0.frame)] } }
}
