import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("A stalled source")
struct StallTests {
    @Test("The timeline starts when the first frame arrives")
    func lateStart() throws {
        let run = try Session(script: [.at(900, .wake)]).play(ScriptedFrameSource.flat([10, 10], pending: [0: 1]))
        #expect(run.times == [900, 1000])
        #expect(run.endTime == 1100)
    }

    @Test("After a short stall, playback catches up by dropping frames")
    func short() throws {
        let run = try Session(script: [.at(330, .wake)])
            .play(ScriptedFrameSource.flat([10, 10, 10, 10, 10], pending: [1: 1]))
        // Frame 1 was due at 100 ms and frame 2 at 200 ms. A delay of 230 ms does not move the timeline.
        #expect(run.frames == [0, 3, 4])
        #expect(run.times == [0, 330, 400])
        #expect(run.dropped.map(\.frame) == [1, 2])
        #expect(run.endTime == 500)
    }

    @Test("A long stall shifts the timeline, and nothing is dropped")
    func long() throws {
        let run = try Session(script: [.at(2000, .wake)])
            .play(ScriptedFrameSource.flat([10, 10, 10], pending: [1: 1]))
        #expect(run.times == [0, 2000, 2100])
        #expect(run.dropped.isEmpty)
        #expect(run.endTime == 2200)
    }

    @Test("Waking the player changes nothing if no frame is ready")
    func wakesWithoutFrame() throws {
        let script: Script = (1...6).map { .at($0 * 100 + 50, .wake) }
        let run = try Session(script: script).play(ScriptedFrameSource.flat([10, 10], pending: [1: 6]))
        #expect(run.times == [0, 650])
    }

    @Test("Keys are handled during a stall")
    func keys() throws {
        let run = try Session(script: [.key("q", at: 1500)]).play(ScriptedFrameSource.flat([10, 10], pending: [1: 9]))
        #expect(run.end == .quit)
        #expect(run.endTime == 1500)
    }

    @Test("If playback is paused during a stall, the next frame is shown when it arrives, and playback remains paused")
    func pause() throws {
        let script: Script = [.key(" ", at: 500), .at(1000, .wake), .key(" ", at: 3000), .key("q", at: 4000)]
        let run = try Session(script: script).play(ScriptedFrameSource.flat([10, 10, 10], pending: [1: 2]))
        #expect(run.times == [0, 1000, 3100])
        #expect(run.frames == [0, 1, 2])
    }

    @Test("After a stall, a seek still ends at the target frame")
    func seek() throws {
        let script: Script = [.at(500, .key(.right)), .at(900, .wake), .key("q", at: 1500)]
        let run = try Session(script: script).play(ScriptedFrameSource.flat([100, 100, 100], pending: [1: 1]))
        #expect(run.times == [0, 900, 1400])
        #expect(run.frames == [0, 1, 2])
    }
}

@Suite("A source that is slower than playback")
struct SlowSourceTests {
    @Test("A key and a time limit end playback while every frame is late", arguments: [nil, Int64(1000)])
    func ends(duration: Int64?) {
        let terminal = LateTerminal(keyTime: duration == nil ? 1000 : nil)
        let source = LateSource(frames: ScriptedFrameSource.flat(Array(repeating: 10, count: 100)), terminal)
        var options = PlaybackOptions()
        options.duration = duration.map { $0 * Span.millisecond }
        let end = Player(source: source, terminal: terminal, options: options, label: PlaybackLabel(title: "")).run()
        #expect(end == (duration == nil ? .quit : .finished))
        #expect(terminal.now.milliseconds <= 1500)
    }
}

/// Takes 500 ms for each frame.
private final class LateSource: FrameSource {
    private let frames: any FrameSource
    private let terminal: LateTerminal

    init(frames: any FrameSource, _ terminal: LateTerminal) {
        self.frames = frames
        self.terminal = terminal
    }

    func next() -> FrameStep {
        terminal.now = terminal.now + 500 * Span.millisecond
        return frames.next()
    }

    func rewind() { frames.rewind() }
}

/// A terminal at which the user presses `q`. Time also passes outside of ``wait(until:)``.
private final class LateTerminal: PlaybackTerminal {
    var now = Instant(nanoseconds: 0)
    let traits = TerminalTraits(size: CellSize(columns: 8, rows: 4))
    let isDrained = true
    let waker: @Sendable () -> Void = {}
    private let keyTime: Int64?

    init(keyTime: Int64?) { self.keyTime = keyTime }

    func wait(until deadline: Instant?) -> TerminalEvent {
        if let keyTime, now.milliseconds >= keyTime { return .key(.character("q")) }
        guard let deadline else { return .closed }
        now = max(now, deadline)
        return .deadline
    }

    func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {}
}

@Suite("A terminal that nobody sees")
struct HiddenTerminalTests {
    /// A virtual terminal that is busy for one second after each update until it is seen.
    private final class HiddenTerminal: PlaybackTerminal {
        let inner: VirtualTerminal
        private let end: Instant
        private var nextUpdate: Instant?

        init(until end: Instant, _ script: Script) {
            let size = CellSize(columns: 8, rows: 4)
            inner = VirtualTerminal(traits: TerminalTraits(size: size), script: script)
            self.end = end
        }

        var now: Instant { inner.now }
        var traits: TerminalTraits { inner.traits }
        var waker: @Sendable () -> Void { inner.waker }
        var isHidden: Bool { now < end }
        var isDrained: Bool { nextUpdate == nil }

        func wait(until deadline: Instant?) -> TerminalEvent {
            let event = inner.wait(until: .earliest(deadline, nextUpdate.map { min($0, end) }))
            guard event == .deadline, let nextUpdate, now >= nextUpdate || !isHidden else { return event }
            self.nextUpdate = nil
            return .drained
        }

        func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {
            inner.present(picture, text)
            nextUpdate = isHidden ? now + Span.second : nil
        }
    }

    @Test("Frames are dropped, not drawn worse, and the frame that is due is shown once the terminal is seen")
    func rate() {
        for cacheBytes in [0, 1 << 20] {
            let terminal = HiddenTerminal(until: .ms(6550), [.key("+", at: 3500), .key("q", at: 8000)])
            var options = PlaybackOptions()
            (options.loops, options.loopCacheBytes) = (.forever, cacheBytes)
            var shown: [(time: Int64, frame: Int)] = []
            let source = ScriptedFrameSource(
                delays: Array(repeating: 10, count: 13), canvas: PixelSize(width: 8, height: 8))
            let player = Player(source: source, terminal: terminal, options: options, label: PlaybackLabel(title: "")) {
                guard case .shown(let time, _, let frame, _, _, let fidelity) = $0 else { return }
                shown.append((time.milliseconds, frame))
                #expect(fidelity == (frame == 0 ? .exact : .standard))
            }
            #expect(player.run() == .quit && terminal.now == .ms(8000))
            let hidden = shown.filter { $0.time < 6550 }.map(\.time)
            #expect(zip(hidden, hidden.dropFirst()).allSatisfy { $1 - $0 >= 1000 } && hidden.count >= 5)
            let seen = shown.filter { $0.time >= 6550 }.map(\.time)
            #expect(seen.first == 6550 && seen.count > 16, "\(seen)")
        }
    }
}

@Suite("A GIF whose last frame is held")
struct HoldTests {
    private func session(_ script: Script, cacheBytes: Int = 1 << 20) -> Session {
        var session = Session(size: CellSize(columns: 60, rows: 8), script: script)
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
        let script: Script = [
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
            let script: Script = [
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
