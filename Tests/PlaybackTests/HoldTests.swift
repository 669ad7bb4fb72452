import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("A GIF whose last frame is held")
struct HoldTests {
    private func session(
        _ script: [VirtualTerminal.ScriptedEvent], cacheBytes: Int = 1 << 20
    ) -> Session {
        var session = Session(script: script)
        session.size = CellSize(columns: 60, rows: 8)
        session.options.hold = .all
        session.options.loopCacheBytes = cacheBytes
        return session
    }

    private func source(_ loopCount: Int? = nil) -> ScriptedFrameSource {
        ScriptedFrameSource(delays: [10, 20, 30], canvas: PixelSize(width: 60, height: 14), loopCount: loopCount)
    }

    /// The status line after the last update before a time in milliseconds.
    private func status(_ run: Session.Run, at time: Int64) -> String {
        run.screenUpdates.last { $0.time < time }?.screen.text(row: 7) ?? ""
    }

    /// The colour of the picture after the last update before a time in milliseconds.
    private func color(_ run: Session.Run, at time: Int64) -> CellColor? {
        run.screenUpdates.last { $0.time < time }?.screen.halves(CellSize(columns: 60, rows: 7)).first
    }

    @Test(
        "After its loops, the GIF shows its last frame until space or Enter plays all loops again",
        arguments: [0, 1 << 20], [nil, 1, 3])
    func replays(cacheBytes: Int, loopCount: Int?) throws {
        let session = session(
            [.key(" ", at: 5000), .at(10_000, .key(.enter)), .key("q", at: 90_000)], cacheBytes: cacheBytes)
        let run = try session.play(source(loopCount))
        let loops = 1 + (loopCount ?? 0)
        let starts = [0, 5000, 10_000].flatMap { start in (0..<loops).map { Int64(start + $0 * 600) } }
        #expect(run.times == starts.flatMap { [$0, $0 + 100, $0 + 300] })
        #expect(run.frames == starts.flatMap { _ in [0, 1, 2] } && run.end == .quit && run.endTime == 90_000)
        for time in [4999, 9999, 90_000] as [Int64] {
            #expect(status(run, at: time).contains("played \(loops) of \(loops) · space replays"))
            #expect(color(run, at: time) == ScriptedFrameSource.color(of: 2))
        }
        #expect(!status(run, at: 5100).contains("played") && run.hasReplayed == (cacheBytes > 0))
    }

    @Test("Steps and seeks leave the held frame like any paused frame; playback then ends at the held frame again")
    func stepsAndSeeks() throws {
        for (key, frame) in [(Key.character(","), 1), (.character("."), 0), (.left, 1), (.right, 2)] {
            let session = session([.at(2000, .key(key)), .key(" ", at: 3000), .key("q", at: 9000)])
            let run = try session.play(source(nil))
            #expect(status(run, at: 2999).contains("paused · frame \(frame + 1) of 3"), "\(key)")
            #expect(color(run, at: 2999) == ScriptedFrameSource.color(of: frame), "\(key)")
            #expect(Array(run.frames.dropFirst(3)) == Array(frame...2), "\(key)")
            #expect(status(run, at: 9000).contains("played 1 of 1"), "\(key)")
        }
    }

    @Test("Other keys work at a held frame: they change the speed, open the help and end playback")
    func otherKeys() throws {
        let script: [VirtualTerminal.ScriptedEvent] = [
            .key("+", at: 2000), .key("?", at: 3000), .key(" ", at: 3100), .key(" ", at: 4000), .key("n", at: 9000),
        ]
        let run = try session(script).play(source())
        #expect(status(run, at: 2999).contains("×1.25 played 1 of 1 · space replays"))
        #expect(run.end == .switchItem(.next) && run.endTime == 9000)
        // The space bar at 3100 ms closes the help, and redraws the last frame.
        #expect(run.frames == [0, 1, 2, 2, 0, 1, 2] && run.times.suffix(3) == [4000, 4080, 4240])
    }

    @Test("A held frame is drawn again after a resize and after a stop", arguments: [0, 1 << 20])
    func redraws(cacheBytes: Int) throws {
        for loopCount in [nil, 3] {
            let script: [VirtualTerminal.ScriptedEvent] = [
                .resize(60, 8, at: 5000), .resize(50, 8, at: 5001), .at(6000, .resumed), .key(" ", at: 7000),
                .key("q", at: 19_000),
            ]
            let run = try session(script, cacheBytes: cacheBytes).play(source(loopCount))
            for time in [5500, 6999, 19_000] as [Int64] {
                let screen = try #require(run.screenUpdates.last { $0.time < time }?.screen)
                #expect(screen.text(row: 7).contains("played \(1 + (loopCount ?? 0)) of"))
                #expect(screen.halves(CellSize(columns: 50, rows: 6)).contains(ScriptedFrameSource.color(of: 2)))
            }
            #expect(run.times.contains(7000))
        }
    }

    @Test("On a slow connection, the last frame is shown even if it is late", arguments: [0, 1 << 20])
    func lateLastFrame(cacheBytes: Int) throws {
        for (loops, hold) in [(LoopRule.file, PlaybackOptions.Hold.all), (.times(4), .never)] {
            var session = Session(loops: loops, script: [.key("q", at: 90_000)])
            (session.options.hold, session.options.loopCacheBytes) = (hold, cacheBytes)
            session.options.screen = hold == .all ? .full : .inline
            session.bytesPerSecond = 260
            let run = try session.play(ScriptedFrameSource.flat([10, 2, 2, 2, 2], loopCount: 3))
            #expect(run.dropped.count > 2 && run.frames.last == 4)
        }
    }

    @Test("In German, and in a narrow pane, the status line says how to play the GIF again")
    func texts() {
        var state = StatusLine.PlaybackState(isPaused: true, speed: 1, elapsed: 0, length: nil, frame: 2, frames: 3)
        (state.playedLoops, state.isDamaged) = (2, true)
        func line(_ language: Language, _ width: Int) -> String {
            StatusLine(PlaybackLabel(title: "Cat", credit: "Ada (CC0)"), language).compose(state, width: width)
        }
        #expect(line(.english, 70).hasSuffix("  damaged played 2 of 2 · space replays"))
        #expect(line(.german, 80).hasSuffix("  beschädigt 2 von 2 gespielt · Leertaste wiederholt"))
        #expect(line(.english, 40) == "Cat · Ada (CC0)           space replays")
        for width in 1...80 { #expect(TerminalText.width(line(.german, width)) <= max(0, width - 1)) }
    }
}
