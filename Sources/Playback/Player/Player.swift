import Base
import GIFDecode
import Pixels

/// Plays one GIF on a terminal: which frame appears when, and what keys do to it.
///
/// One loop, three phases: frames are fetched up to a goal, a frame stands until its end, or
/// nothing changes any more. Everything that is waited for is waited for in one place, the
/// terminal's ``PlaybackTerminal/wait(until:)``.
public final class Player {
    enum Phase: Equatable {
        case fetching(Goal)
        case showing
        case resting
    }

    /// Which frame ends the fetching.
    enum Goal: Equatable {
        /// The next one that is not late.
        case next
        /// The one of this number, however late.
        case frame(Int)
        /// The one that stands at this time of the pass.
        case time(Int64)
        /// The one of this number, which stood on the screen and keeps its time.
        case again(Int)
    }

    /// The frame on the canvas (when decoding) or on the screen (when replaying).
    struct Position {
        var frame = -1
        /// Passes completed.
        var pass = 0
        /// Media time: of the pass's start, and of the frame's start and end.
        var passStart: Int64 = 0
        var start: Int64 = 0
        var end: Int64 = 0
    }

    /// Nothing is begun while the terminal still takes in what was: it would wait in memory, and be late.
    struct Debts {
        var picture = false
        var status = false
    }

    let source: any FrameSource
    let terminal: any PlaybackTerminal
    let options: PlaybackOptions
    let guide: PlaybackGuide
    let trace: ((PlaybackTrace) -> Void)?

    var phase = Phase.fetching(.next)
    var position = Position()
    var timeline: Timeline?
    var isPaused = false
    var painter: FramePainter?
    var cache: LoopCache
    /// The frame on the screen is the cache's, and the next one's bytes come from there.
    var isReplaying = false
    /// The cache's frame that the painter believes on the screen; the real one may be ahead.
    var syncedFrame = 0
    /// How coarse the picture is at present.
    var ladder: FidelityLadder
    /// A frame was due while the line was still busy with the one before.
    var isLineBehind = false
    /// What is to be written once the line has taken what it has.
    var owed = Debts()
    /// A frame of this pass was shown; the next pass then may drop its first.
    var hasShownInPass = false
    var mayDropFirst = false
    var status: StatusLine
    var statusBytes = ByteBuffer(capacity: 512)
    /// Known after the first pass.
    public internal(set) var frameCount: Int?
    var passLength: Int64?
    var loopCount: Int?
    /// What was wrong with the file, as far as it has been read.
    public internal(set) var damage: [Damage] = []
    var sessionEnd: Instant?
    /// While the help is over the picture: whether playing goes on after it.
    var helpResumes: Bool?
    /// When the status line's hint goes.
    var keyHintEnd: Instant?
    private static var keyHintTime: Int64 { 5 * Span.second }
    /// Since when the source has kept the player waiting.
    var pendingSince: Instant?
    /// What the guide said last.
    var note = ""
    /// When the guide is asked again; nil once it has nothing more to say.
    var noteDeadline: Instant?
    private static var noteInterval: Int64 { Span.second / 2 }

    /// - Parameters:
    ///   - guide: whoever feeds the source.
    ///   - trace: is told of every frame.
    public init(
        source: any FrameSource, terminal: any PlaybackTerminal, options: PlaybackOptions, label: PlaybackLabel,
        guide: PlaybackGuide? = nil, trace: ((PlaybackTrace) -> Void)? = nil
    ) {
        self.guide = guide ?? PlaybackGuide()
        noteDeadline = guide == nil ? nil : terminal.now + Self.noteInterval
        self.source = source
        self.terminal = terminal
        self.options = options
        self.trace = trace
        ladder = FidelityLadder(options.fidelity)
        cache = LoopCache(limit: options.loops == .times(1) ? 0 : options.loopCacheBytes)
        status = StatusLine(label)
        keyHintEnd = options.showsKeyHint ? terminal.now + Self.keyHintTime : nil
    }

    /// Plays until the GIF, the user, a signal or the terminal ends it.
    public func run() -> PlaybackEnd {
        if let duration = options.duration { sessionEnd = terminal.now + duration }
        while true {
            let end: PlaybackEnd?
            switch phase {
            case .fetching(let goal): end = fetch(goal)
            case .showing: end = awaitEndOfFrame()
            case .resting: end = handle(terminal.wait(until: soonest(sessionEnd)))
            }
            if let end { return conclude(end) }
        }
    }

    private func conclude(_ end: PlaybackEnd) -> PlaybackEnd {
        trace?(.ended(terminal.now, end))
        guard let painter, end != .closed else { return end }
        painter.conclude()
        terminal.present(painter.output.bytes, UnsafeRawBufferPointer(start: nil, count: 0))
        return end
    }

    // MARK: - Waiting

    private func awaitEndOfFrame() -> PlaybackEnd? {
        let event = terminal.wait(until: soonest(frameDeadline, sessionEnd))
        guard event == .deadline else { return handle(event) }
        if let end = handle(event) { return end }
        guard let frameDeadline, terminal.now >= frameDeadline else { return nil }
        // While the terminal still takes in a frame no other is begun: it would only be late as well.
        guard terminal.isDrained else {
            isLineBehind = true
            return handle(terminal.wait(until: sessionEnd))
        }
        judgeLine()
        if isReplaying { return replayNext() }
        phase = .fetching(.next)
        return nil
    }

    /// The frame's time is over, and the line took it: in time, or too late?
    private func judgeLine() {
        guard options.speed != .max, ladder.judge(wasBehind: isLineBehind, at: terminal.now) else { return }
        // What is recorded is all of one fidelity. A replay goes on to the end of its pass.
        if cache.isRecording { cache.discard() }
    }

    private var frameDeadline: Instant? {
        if isPaused { return nil }
        if options.speed == .max { return terminal.now }
        return timeline?.instant(of: position.end)
    }

    private func soonest(_ first: Instant?, _ second: Instant? = nil) -> Instant? {
        .earliest(.earliest(first, second), .earliest(noteDeadline, keyHintEnd))
    }

    private func isSessionOver() -> Bool {
        guard let end = sessionEnd, terminal.now >= end else { return false }
        if guide.mayEnd() { return true }
        sessionEnd = terminal.now + 100 * Span.millisecond
        return false
    }

    private func takeNote() {
        guard let deadline = noteDeadline, terminal.now >= deadline else { return }
        let new = guide.note()
        noteDeadline = new == nil ? nil : terminal.now + Self.noteInterval
        guard note != new ?? "" else { return }
        note = new ?? ""
        showStatus()
    }

    private func endKeyHint() {
        guard let end = keyHintEnd, terminal.now >= end else { return }
        keyHintEnd = nil
        showStatus()
    }

    private func fetch(_ goal: Goal) -> PlaybackEnd? {
        guard terminal.isDrained else { return handle(terminal.wait(until: soonest(sessionEnd))) }
        switch source.next() {
        case .frame(let frame):
            do { try take(frame, goal) } catch { return .failed(error) }
            return nil
        case .end(let summary):
            return endPass(summary, goal)
        case .failed(let error):
            return .failed(error)
        case .pending:
            if pendingSince == nil { pendingSince = terminal.now }
            return handle(terminal.wait(until: soonest(sessionEnd)))
        }
    }

    // MARK: - Events

    /// - Returns: what ends playing, if the event does.
    func handle(_ event: TerminalEvent) -> PlaybackEnd? {
        switch event {
        case .deadline:
            takeNote()
            endKeyHint()
            return isSessionOver() ? .finished : nil
        case .wake:
            guide.woken()
            showLinkOutcome()
            return nil
        case .drained:
            payDebts()
            return nil
        case .pointer: return nil
        case .key(let key): return handle(key)
        case .signal(let number): return .interrupted(signal: number)
        case .closed: return .closed
        case .changed:
            adaptToTerminal()
            return nil
        case .resumed:
            painter?.forgetScreen()
            _ = painter?.adapt(to: terminal.traits)
            timeline?.jump(to: position.start, at: terminal.now)
            repaint()
            return nil
        }
    }

    private func adaptToTerminal() {
        switch painter?.adapt(to: terminal.traits) {
        case .relaidOut: repaint()
        case .recolored:
            // The screen keeps its cells, so the painter has to know what a replay wrote there.
            if isReplaying { syncPainter(to: position.frame) }
            repaint()
        case .unchanged, nil: break
        }
    }

    /// Draws the current frame again after a change of the terminal.
    func repaint() {
        status.forget()
        cache.discard()
        owed.picture = false
        guard position.frame >= 0 else { return }
        if isReplaying {
            // The canvas did not follow the replay.
            isReplaying = false
            goTo(.again(position.frame))
        } else if case .fetching(let goal) = phase, goal != .next {
            // The frame sought paints all. The next one would too, but may be long in coming.
        } else if terminal.isDrained {
            paintFrame()
        } else {
            owed.picture = true
        }
    }

    private func payDebts() {
        guard terminal.isDrained else { return }
        if owed.picture { repaint() }
        if owed.status { showStatus() }
    }
}
