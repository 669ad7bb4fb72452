import Base
import GIFDecode
import Pixels

/// Plays one GIF on a terminal: schedules the frames and handles the keys.
///
/// ``run()`` is one loop with three phases: it fetches frames up to a goal, displays a frame until its end, or
/// displays a picture that no longer changes. It blocks only in ``PlaybackTerminal/wait(until:)``.
public final class Player {
    enum Phase: Equatable {
        case fetching(Goal)
        case showing
        case holdingPicture
    }

    /// The frame at which fetching ends.
    enum Goal: Equatable {
        /// The next frame that is not late.
        case next
        /// The frame with this number, even if it is late.
        case frame(Int)
        /// The frame that is displayed at this time, in nanoseconds from the start of the loop iteration.
        case time(Int64)
        /// The frame with this number, which is drawn again. It was on the screen already, and its display time stays
        /// the same.
        case redraw(Int)
    }

    /// The frame on the canvas (when decoding) or on the screen (when replaying).
    struct Position {
        var frame = -1
        /// The number of completed loop iterations.
        var iteration = 0
        /// Media times in nanoseconds: the start of the loop iteration, and the start and end of the frame.
        var iterationStart: Int64 = 0
        var start: Int64 = 0
        var end: Int64 = 0
    }

    /// Updates that are not sent yet. While the terminal processes an update, the player starts no other one, because
    /// the other one would wait in memory and be displayed late.
    struct PendingUpdates {
        var picture = false
        var status = false
    }

    let source: any FrameSource
    let terminal: any PlaybackTerminal
    let options: PlaybackOptions
    let callbacks: PlaybackCallbacks
    let trace: ((PlaybackTrace) -> Void)?

    var phase = Phase.fetching(.next)
    var position = Position()
    var timeline: Timeline?
    var isPaused = false
    var painter: FramePainter?
    var cache: LoopCache
    /// Whether a replay is running: the frame on the screen and the next frame come from the cache.
    var isReplaying = false
    /// During a replay, the last cached frame that the painter's record of the screen includes. The screen may show a
    /// later frame.
    var syncedFrame = 0
    /// Chooses the fidelity of the next frame.
    var fidelityController: FidelityController
    /// Whether a frame was due while the terminal was still processing the previous frame.
    var isConnectionBehind = false
    /// The updates to send when the terminal has processed the current one.
    var pendingUpdates = PendingUpdates()
    /// Whether a frame of this loop iteration was shown. If so, the next iteration may drop its first frame.
    var hasShownInIteration = false
    var mayDropFirstFrame = false
    var status: StatusLine
    var statusBytes = ByteBuffer(capacity: 512)
    /// The number of frames; nil until the first loop iteration is over.
    public internal(set) var frameCount: Int?
    var iterationLength: Int64?
    var loopCount: Int?
    /// The damage found in the file; empty until the first loop iteration is over.
    public internal(set) var damage: [Damage] = []
    var sessionEnd: Instant?
    /// Whether playback continues when the help is closed; nil if the help is not open.
    var resumesAfterHelp: Bool?
    /// When the key hint on the status line disappears; nil if it is not shown.
    var keyHintEnd: Instant?
    private static var keyHintTime: Int64 { 5 * Span.second }
    /// The time at which the player started to wait for the source; nil if it is not waiting.
    var pendingSince: Instant?
    /// The note on the status line.
    var note = ""
    /// When the player requests the next note; nil if no more notes follow.
    var noteDeadline: Instant?
    private static var noteInterval: Int64 { Span.second / 2 }

    /// - Parameters:
    ///   - callbacks: called by the player on its thread.
    ///   - trace: called for every frame that is shown or dropped, and at the end.
    public init(
        source: any FrameSource, terminal: any PlaybackTerminal, options: PlaybackOptions, label: PlaybackLabel,
        callbacks: PlaybackCallbacks? = nil, trace: ((PlaybackTrace) -> Void)? = nil
    ) {
        self.callbacks = callbacks ?? PlaybackCallbacks()
        noteDeadline = callbacks == nil ? nil : terminal.now + Self.noteInterval
        self.source = source
        self.terminal = terminal
        self.options = options
        self.trace = trace
        fidelityController = FidelityController(options.fidelity)
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
            case .holdingPicture: end = handle(terminal.wait(until: earliestDeadline(sessionEnd)))
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
        let event = terminal.wait(until: earliestDeadline(frameDeadline, sessionEnd))
        guard event == .deadline else { return handle(event) }
        if let end = handle(event) { return end }
        guard let frameDeadline, terminal.now >= frameDeadline else { return nil }
        // Start no frame while the terminal processes the previous one, because the new frame would be late as well.
        guard terminal.isDrained else {
            isConnectionBehind = true
            return handle(terminal.wait(until: sessionEnd))
        }
        adaptFidelity()
        if isReplaying { return replayNext() }
        phase = .fetching(.next)
        return nil
    }

    /// Updates the fidelity at the end of a frame, depending on whether the terminal processed the frame in time.
    private func adaptFidelity() {
        guard options.speed != .max, fidelityController.update(wasBehind: isConnectionBehind, at: terminal.now) else {
            return
        }
        // A recording has one fidelity, so it cannot continue. A replay continues to the end of its loop iteration.
        if cache.isRecording { cache.discard() }
    }

    private var frameDeadline: Instant? {
        if isPaused { return nil }
        if options.speed == .max { return terminal.now }
        return timeline?.instant(of: position.end)
    }

    private func earliestDeadline(_ first: Instant?, _ second: Instant? = nil) -> Instant? {
        .earliest(.earliest(first, second), .earliest(noteDeadline, keyHintEnd))
    }

    private func isSessionOver() -> Bool {
        guard let end = sessionEnd, terminal.now >= end else { return false }
        if callbacks.mayEnd() { return true }
        sessionEnd = terminal.now + 100 * Span.millisecond
        return false
    }

    private func updateNote() {
        guard let deadline = noteDeadline, terminal.now >= deadline else { return }
        let new = callbacks.note()
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
        guard terminal.isDrained else { return handle(terminal.wait(until: earliestDeadline(sessionEnd))) }
        switch source.next() {
        case .frame(let frame):
            do { try process(frame, goal) } catch { return .failed(error) }
            return nil
        case .end(let summary):
            return endIteration(summary, goal)
        case .failed(let error):
            return .failed(error)
        case .pending:
            if pendingSince == nil { pendingSince = terminal.now }
            return handle(terminal.wait(until: earliestDeadline(sessionEnd)))
        }
    }

    // MARK: - Events

    /// - Returns: the reason to stop if the event ends playback, otherwise nil.
    func handle(_ event: TerminalEvent) -> PlaybackEnd? {
        switch event {
        case .deadline:
            updateNote()
            endKeyHint()
            return isSessionOver() ? .finished : nil
        case .wake:
            callbacks.onWake()
            showLinkOutcome()
            return nil
        case .drained:
            sendPendingUpdates()
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
            // The screen is not cleared, so the painter has to know which cells the replay has written.
            if isReplaying { syncPainter(to: position.frame) }
            repaint()
        case .unchanged, nil: break
        }
    }

    /// Draws the current frame again, for example after a change of the terminal.
    func repaint() {
        status.forget()
        cache.discard()
        pendingUpdates.picture = false
        guard position.frame >= 0 else { return }
        if isReplaying {
            // The canvas does not contain the replayed frames, so the current frame is decoded again.
            isReplaying = false
            goTo(.redraw(position.frame))
        } else if case .fetching(let goal) = phase, goal != .next {
            // Nothing to do: the frame at the end of the seek draws the whole picture. The next frame of the goal
            // `.next` would draw it too, but may arrive late, so the cases below draw the current frame.
        } else if terminal.isDrained {
            paintFrame()
        } else {
            pendingUpdates.picture = true
        }
    }

    private func sendPendingUpdates() {
        guard terminal.isDrained else { return }
        if pendingUpdates.picture { repaint() }
        if pendingUpdates.status { showStatus() }
    }
}
