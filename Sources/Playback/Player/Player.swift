import Base
import Pixels

/// Plays one GIF on a terminal: schedules the frames and handles the keys.
///
/// ``run()`` is one loop with four phases: fetching frames up to a goal, showing a frame until its end, holding a
/// picture that no longer changes, and waiting while the terminal repeats the GIF by itself. It blocks only in
/// ``PlaybackTerminal/wait(until:)``.
public final class Player {
    enum Phase: Equatable {
        case fetching(LoopPosition.Goal)
        case showing
        case holdingPicture
        case repeatedByTerminal
    }

    let source: any FrameSource
    let terminal: any PlaybackTerminal
    var options: PlaybackOptions
    let delegate: (any PlayerDelegate)?
    private let trace: ((PlaybackTrace) -> Void)?
    var phase = Phase.fetching(.next)
    var position = LoopPosition()
    var clock: PlaybackClock
    /// Nil before the first frame.
    private(set) var painter: FramePainter?
    /// The painter of the previous file, whose picture is displayed until the next one has a picture.
    private var replacedPainter: FramePainter?
    var text: TextLayer
    /// When the first frame was decoded; nil before it and once a picture is on the screen.
    private var blankSince: Instant?
    /// A seek to the first picture that takes longer shows the frame that it has reached.
    private static let longestBlank = 30 * Span.millisecond
    /// Whether the picture has to be drawn when the terminal has processed the current update. If the picture were
    /// drawn earlier, it would wait in memory and be displayed late.
    private var isPicturePending = false
    private var limit = SessionLimit()
    private var begun = Instant(nanoseconds: 0)
    /// When the source had no frame ready; nil while it has one.
    private var pendingSince: Instant?
    /// A source without a frame for this time is stalled.
    private static let stallTime = 2 * Span.second
    /// Whether all loop iterations were played, and the last frame stays until a key.
    var isHeld = false

    /// - Parameters:
    ///   - start: the time in the loop at which playback starts, in nanoseconds.
    ///   - trace: called for every frame that is shown or dropped, and at the end of playback.
    public init(
        source: any FrameSource, terminal: any PlaybackTerminal, options: PlaybackOptions, label: PlaybackLabel,
        start: Int64 = 0, delegate: (any PlayerDelegate)? = nil, trace: ((PlaybackTrace) -> Void)? = nil
    ) {
        (self.source, self.terminal, self.options) = (source, terminal, options)
        (self.delegate, self.trace) = (delegate, trace)
        clock = PlaybackClock(options.speed)
        text = TextLayer(label, options, requestsNotes: delegate != nil, at: terminal.now)
        if start > 0 { phase = .fetching(.time(start)) }
    }

    /// The number of frames; nil until the first loop iteration is over.
    public var frameCount: Int? { position.summary?.frames }
    /// The damage found in the file; empty until the first loop iteration is over.
    public var damage: [Damage] { position.summary?.damage ?? [] }

    /// Plays until the GIF ends, or until the user, a signal or the terminal ends playback.
    public func run() -> PlaybackEnd {
        begun = terminal.now
        limit = SessionLimit(options.duration, from: begun)
        while true {
            let end: PlaybackEnd? =
                switch phase {
                case .fetching(let goal): fetch(goal)
                case .showing: awaitEndOfFrame()
                case .holdingPicture: handle(wait())
                case .repeatedByTerminal: awaitRepetition()
                }
            guard let end else { continue }
            if end != .closed { takeOver() }
            trace?(.ended(terminal.now, end))
            if end != .closed, let painter = painter ?? replacedPainter {
                terminal.present(painter.conclude(), TextLayer.noBytes)
            }
            return end
        }
    }

    /// Restarts the source, which now has another file of the same GIF, and continues at the same time in its loop.
    public func changeFile() {
        takeOver()
        phase = .fetching(.time(loopTime))
        (replacedPainter, painter, position) = (painter ?? replacedPainter, nil, LoopPosition())
    }

    func wait(until frameEnd: Instant? = nil) -> TerminalEvent {
        terminal.wait(until: .earliest(.earliest(frameEnd, limit.deadline), text.deadline))
    }

    private func awaitEndOfFrame() -> PlaybackEnd? {
        let event = wait(until: frameEnd)
        if let end = handle(event) { return end }
        guard event == .deadline, let frameEnd, terminal.now >= frameEnd else { return nil }
        // Do not draw the next frame while the terminal is still processing this one: it would also be displayed late.
        guard terminal.isDrained else {
            painter?.isConnectionBehind = !terminal.isHidden
            return handle(terminal.wait(until: limit.deadline))
        }
        painter?.adaptFidelity(at: terminal.now)
        if isReplaying { return replayNext() }
        phase = .fetching(.next)
        return nil
    }

    private var frameEnd: Instant? { clock.deadline(of: position.end, at: terminal.now) }
    var isReplaying: Bool { painter?.loop.isReplaying ?? false }

    func handle(_ event: TerminalEvent) -> PlaybackEnd? {
        switch event {
        case .deadline:
            // A terminal that is busy, or hidden, gets the picture next, and not a text in its place.
            let isBlank = painter == nil && replacedPainter == nil && terminal.isDrained
            if text.updateNote(at: terminal.now, isBlank: isBlank, { delegate?.currentNote() }) { updateText() }
            if text.endKeyHint(at: terminal.now) { updateText() }
            guard limit.isReached(at: terminal.now) else { break }
            if delegate?.mayEnd() ?? true { return .finished }
            limit.postpone()
        case .key(let key):
            defer { limit.setPaused(clock.isPaused && !isHeld, at: terminal.now) }
            return handle(key)
        case .signal(let number): return .interrupted(signal: number)
        case .closed: return .closed
        case .paste where options.anyKeyEnds: return .quit
        case .pointer(let pointer) where text.isHelpOpen: if pointer.kind == .press { closeHelp() }
        case .pointer(let pointer): return text.key(at: pointer).map { handle(.key($0)) } ?? forward(event)
        case .paste: return forward(event)
        case .wake:
            limit.retry(at: terminal.now)
            return forward(event)
        case .drained:
            guard terminal.isDrained else { break }
            if isPicturePending { repaint() }
            if text.isPending { updateText() }
        case .changed: if painter?.adapt(to: terminal.traits, shown: position.frame) == true { repaint() }
        case .resumed:
            painter?.forgetScreen()
            _ = painter?.adapt(to: terminal.traits, shown: position.frame)
            clock.jump(to: position.start, at: terminal.now)
            repaint()
        }
        return nil
    }

    /// Starts to fetch frames up to a goal in the current loop iteration, and ends a running replay. The source
    /// restarts at frame 0 if a replay was running or if the goal is not after the current position.
    func goTo(_ goal: LoopPosition.Goal) {
        let wasReplaying = painter?.loop.stopReplay(at: position.frame) ?? false
        if wasReplaying || position.reaches(goal) { source.rewind() }
        phase = .fetching(goal)
    }

    private func fetch(_ goal: LoopPosition.Goal) -> PlaybackEnd? {
        guard terminal.isDrained else { return handle(wait()) }
        switch source.next() {
        case .frame(let frame):
            pendingSince = nil
            do { try process(frame, goal) } catch { return .failed(error) }
            // Keys and time limits count even if decoding is slower than playback, so that no frame is shown.
            return phase == .fetching(goal) ? handle(terminal.wait(until: terminal.now)) : nil
        case .end(let summary): return endIteration(summary, goal)
        case .failed(let error): return .failed(error)
        case .pending: return awaitSource()
        }
    }

    /// A stalled download does not delay the next GIF.
    private func awaitSource() -> PlaybackEnd? {
        let now = terminal.now
        clock.waitForSource(at: now)
        let stalled = (pendingSince ?? now) + Self.stallTime
        pendingSince = pendingSince ?? now
        guard let limit = options.endlessLimit, !clock.isPaused else { return handle(wait()) }
        let end = max(begun + limit, stalled)
        return now < end ? handle(wait(until: end)) : .finished
    }

    private func process(_ frame: IndexedFrame, _ goal: LoopPosition.Goal) throws(GIFError) {
        if painter == nil {
            painter = try FramePainter(
                for: frame, traits: terminal.traits, options: options, replacing: replacedPainter)
            if replacedPainter == nil { blankSince = terminal.now }
            replacedPainter = nil
        }
        try painter?.draw(frame)
        position.advance(to: frame.number, delay: frame.playNanoseconds)
        clock.align(to: position.start, at: terminal.now)
        guard position.reaches(goal) else {
            if let blankSince, terminal.now - blankSince >= Self.longestBlank { paintFrame() }
            return
        }
        if goal == .next, dropIfLate() { return }
        switch goal {
        case .next where !clock.isPaused, .redraw: break
        case .time(let media) where !clock.isPaused: clock.jump(to: max(position.start, media), at: terminal.now)
        case .next, .frame, .time: clock.jump(to: position.start, at: terminal.now)
        }
        paintFrame()
        phase = .showing
        handOver()
    }

    /// Drops the current frame if it is late and can be dropped. Returns whether the frame was dropped.
    func dropIfLate() -> Bool {
        guard position.mayDrop, clock.isLate(position.end, at: terminal.now) else { return false }
        painter?.loop.noteDroppedFrame()
        trace?(.dropped(terminal.now, iteration: position.iteration, frame: position.frame))
        return true
    }

    private func endIteration(_ summary: GIFReader.Summary, _ goal: LoopPosition.Goal) -> PlaybackEnd? {
        position.endIteration(summary)
        guard goal == .next else {
            goTo(position.wrapped(goal))
            return nil
        }
        if summary.frames == 1, options.refusesStills { return .still }
        guard summary.frames > 1 || !options.holdsStill(summary) else {
            phase = .holdingPicture
            clock.end()
            // If other GIFs follow, the picture is displayed until the time limit.
            if let span = options.endlessLimit { limit.lower(to: terminal.now + max(0, span - position.end)) }
            return nil
        }
        if summary.frames > 1 || !options.loops.isEndless(summary), beginIteration() { return nil }
        return finish()
    }

    /// Draws the current frame again, for example after the size of the terminal has changed.
    func repaint() {
        let wasReplaying = painter?.loop.discard() ?? false
        text.forgetScreen()
        isPicturePending = false
        guard position.frame >= 0 else { return }
        // The canvas does not contain the replayed frames, so the current frame is decoded again.
        if wasReplaying { return goTo(.redraw(position.frame)) }
        // A seek draws the whole picture when it ends. Otherwise, do not wait for the next frame: it might be late.
        if case .fetching(let goal) = phase, goal != .next { return }
        if terminal.isDrained { paintFrame() } else { isPicturePending = true }
    }

    func paintFrame() {
        isPicturePending = false
        guard let painter else { return }
        // The update clears the screen, and with it the status line, also if that was drawn while the frame was decoded.
        if !painter.isPrepared { text.forgetScreen() }
        send(painter.paint(position))
        source.expectReplay(painter.loop.isRecording || isReplaying)
    }

    func send(_ picture: UnsafeRawBufferPointer) {
        painter?.isConnectionBehind = false
        blankSince = nil
        terminal.present(picture, text.update(status, painter?.layout, terminal.traits, waits: false))
        position.markShown()
        let frame = position.frame
        trace?(
            .shown(
                terminal.now, iteration: position.iteration, frame: frame, bytes: picture.count,
                isReplayed: isReplaying && frame > 0, painter?.fidelity(of: frame) ?? .exact))
    }

    func updateText() {
        let bytes = text.update(status, painter?.layout, terminal.traits, waits: !terminal.isDrained)
        if bytes.count > 0 { terminal.present(TextLayer.noBytes, bytes) }
    }

    private var status: StatusLine.PlaybackState {
        StatusLine.PlaybackState(
            isPaused: clock.isPaused, speed: clock.speed, elapsed: position.elapsed, length: position.iterationLength,
            frame: max(0, position.frame), frames: frameCount, bound: painter?.bound,
            isDamaged: damage.contains(where: \.isVisible),
            playedLoops: isHeld ? position.summary.flatMap(options.loops.count) : nil)
    }
}

/// The time limit of a session. Its clock stops during a pause.
struct SessionLimit {
    private var end: Instant?
    /// The start of the current pause; nil if there is none.
    private var pausedSince: Instant?
    private var isPostponed = false

    init() {}

    /// - Parameter duration: the limit in nanoseconds; nil for none.
    init(_ duration: Int64?, from start: Instant) { end = duration.map { start + $0 } }

    /// The time at which the session ends; nil without a limit and during a pause.
    var deadline: Instant? { pausedSince == nil ? end : nil }

    func isReached(at now: Instant) -> Bool { deadline.map { now >= $0 } ?? false }

    /// Makes the session end at `instant` at the latest.
    mutating func lower(to instant: Instant) { end = .earliest(end, instant) }

    /// Makes the session continue until ``retry(at:)``.
    mutating func postpone() { (end, isPostponed) = (nil, true) }

    /// Makes a postponed end due.
    mutating func retry(at now: Instant) { if isPostponed { end = pausedSince ?? now } }

    mutating func setPaused(_ isPaused: Bool, at now: Instant) {
        if isPaused {
            pausedSince = pausedSince ?? now
        } else if let since = pausedSince {
            end = end.map { $0 + (now - since) }
            pausedSince = nil
        }
    }
}
