import Base
import Pixels
import Playback
import TestSupport
import Testing

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
        let script: [VirtualTerminal.ScriptedEvent] = (1...6).map { .at($0 * 100 + 50, .wake) }
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
        let script: [VirtualTerminal.ScriptedEvent] = [
            .key(" ", at: 500), .at(1000, .wake), .key(" ", at: 3000), .key("q", at: 4000),
        ]
        let run = try Session(script: script).play(ScriptedFrameSource.flat([10, 10, 10], pending: [1: 2]))
        #expect(run.times == [0, 1000, 3100])
        #expect(run.frames == [0, 1, 2])
    }

    @Test("After a stall, a seek still ends at the target frame")
    func seek() throws {
        let script: [VirtualTerminal.ScriptedEvent] = [.at(500, .key(.right)), .at(900, .wake), .key("q", at: 1500)]
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
