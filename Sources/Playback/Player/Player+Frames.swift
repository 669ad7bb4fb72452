import Base
import GIFDecode
import Pixels

/// Shows or drops fetched and replayed frames.
extension Player {
    /// If the source delays a frame by more than this time, the timeline is delayed by the same time. After a shorter
    /// delay, the player catches up by dropping frames.
    private static var stallTolerance: Int64 { 250 * Span.millisecond }

    // MARK: - Decoding

    func process(_ frame: IndexedFrame, _ goal: Goal) throws(GIFError) {
        // The first picture clears the screen, and with it the status line.
        if painter == nil { status.forget() }
        let painter = try painter(for: frame)
        if frame.number == 0 {
            painter.beginIteration()
            position.end = position.iterationStart
        }
        try painter.draw(frame)
        position.frame = frame.number
        position.start = position.end
        position.end = position.start + frame.playNanoseconds
        alignTimeline()
        switch goal {
        case .next:
            if isLate { drop() } else { show() }
        case .frame(let number):
            guard frame.number >= number else { return }
            finishSeek(at: position.start)
        case .time(let time):
            guard position.end - position.iterationStart > time else { return }
            finishSeek(at: max(position.start, position.iterationStart + time))
        case .redraw(let number):
            guard frame.number >= number else { return }
            paintFrame()
            phase = .showing
        }
    }

    /// Returns the painter, and creates it for the first frame.
    private func painter(for frame: IndexedFrame) throws(GIFError) -> FramePainter {
        if let painter { return painter }
        let new = try FramePainter(for: frame, traits: terminal.traits, options: options)
        painter = new
        return new
    }

    /// Starts the timeline at the first frame, and delays it after the source has stalled.
    private func alignTimeline() {
        let now = terminal.now
        if timeline == nil {
            timeline = Timeline(start: now, media: position.start, speed: speedFactor)
        } else if let since = pendingSince, let due = timeline?.instant(of: position.start), !isPaused,
            now - max(since, due) > Self.stallTolerance
        {
            timeline?.jump(to: position.start, at: now)
        }
        pendingSince = nil
    }

    private var speedFactor: Double {
        if case .factor(let factor) = options.speed { return factor }
        return 1
    }

    /// Shows the frame that a seek has drawn on the canvas, and moves the timeline to `media`.
    private func finishSeek(at media: Int64) {
        timeline?.jump(to: media, at: terminal.now)
        show()
    }

    /// Whether the display time of the frame is over already. Frame 0 never counts as late if no frame of the previous
    /// loop iteration was shown, because a late picture is better than no picture.
    private var isLate: Bool {
        guard !isPaused, options.speed != .max, let timeline, position.frame > 0 || mayDropFirstFrame else {
            return false
        }
        return timeline.instant(of: position.end) <= terminal.now
    }

    private func drop() {
        cache.discard()
        trace?(.dropped(terminal.now, iteration: position.iteration, frame: position.frame))
    }

    private func show() {
        if isPaused { timeline?.jump(to: position.start, at: terminal.now) }
        paintFrame()
        phase = .showing
    }

    /// Encodes the frame on the canvas and sends it.
    func paintFrame() {
        guard let painter else { return }
        pendingUpdates.picture = false
        let isFirst = position.frame == 0
        painter.paint(isFirst ? .exact : fidelityController.level, records: cache.isRecording)
        let delay = position.end - position.start
        cache.record(
            frame: position.frame, delay: delay, frames: frameCount, encoded: painter.output, painter.recordedChanges)
        if isFirst {
            if cache.isComplete {
                isReplaying = true
                syncedFrame = 0
            } else {
                cache.start(delay: delay, fidelity: fidelityController.level)
            }
        }
        send(painter.output.bytes)
    }

    private func send(_ picture: UnsafeRawBufferPointer) {
        statusBytes.removeAll()
        writeStatus()
        writeHelp()
        pendingUpdates.status = false
        terminal.present(picture, statusBytes.bytes)
        isConnectionBehind = false
        hasShownInIteration = true
        trace?(
            .shown(
                terminal.now, iteration: position.iteration, frame: position.frame, bytes: picture.count,
                isReplayed: isReplaying && position.frame > 0,
                position.frame == 0 ? .exact : isReplaying ? cache.fidelity : fidelityController.level))
    }

    /// Handles the end of a loop iteration.
    /// - Returns: nil if playback continues.
    func endIteration(_ summary: GIFReader.Summary, _ goal: Goal) -> PlaybackEnd? {
        frameCount = summary.frames
        loopCount = summary.loopCount
        damage = summary.damage
        let length = position.end - position.iterationStart
        iterationLength = length
        guard goal == .next else {
            wrapAround(goal, iterationLength: length)
            return nil
        }
        if summary.frames == 1, options.refusesStills { return .still }
        if summary.frames == 1, options.holdsStills || options.loops.isEndless(summary) {
            holdPicture()
            return nil
        }
        return beginIteration(summary)
    }

    /// Keeps a picture that no longer changes on the screen. If other GIFs follow, the picture stays until the time
    /// limit.
    private func holdPicture() {
        phase = .holdingPicture
        guard let limit = options.endlessLimit else { return }
        let end = terminal.now + max(0, limit - position.end)
        sessionEnd = sessionEnd.map { min($0, end) } ?? end
    }

    private func beginIteration(_ summary: GIFReader.Summary) -> PlaybackEnd? {
        guard options.loops.continues(after: position.iteration + 1, summary) else { return .finished }
        if let limit = options.endlessLimit, options.loops.isEndless(summary), position.end >= limit {
            return .finished
        }
        position.iteration += 1
        position.iterationStart = position.end
        skipMissedIterations(summary)
        mayDropFirstFrame = hasShownInIteration
        hasShownInIteration = false
        return nil
    }

    /// Skips the loop iterations whose time is already over.
    private func skipMissedIterations(_ summary: GIFReader.Summary) {
        guard !isPaused, options.speed != .max, let length = iterationLength, length > 0, let timeline else { return }
        var missed = max(0, timeline.media(at: terminal.now) - position.iterationStart) / length
        // The last loop iteration is never skipped, so that playback ends at the end of its last frame.
        while missed > 0, !options.loops.continues(after: position.iteration + Int(missed), summary) { missed -= 1 }
        position.iteration += Int(missed)
        position.iterationStart += missed * length
        position.end = position.iterationStart
    }

    // MARK: - Replaying

    /// Shows the next frame from the cache. Drops late frames, and shows the first frame that is not late.
    func replayNext() -> PlaybackEnd? {
        let previous = position.frame
        repeat {
            if let end = stepReplay() { return end }
            if position.frame == 0, cache.fidelity != fidelityController.level { return leaveReplay(shown: previous) }
            if isLate { trace?(.dropped(terminal.now, iteration: position.iteration, frame: position.frame)) }
        } while isLate
        let isNext = position.frame == (previous + 1) % cache.count
        if isNext, let bytes = cache.bytes(of: position.frame) {
            send(bytes)
            return nil
        }
        guard let painter else { return nil }
        if isNext, let changes = cache.changes(of: position.frame) {
            painter.encode(changes)
        } else {
            syncPainter(to: previous)
            painter.catchUp(through: updates(after: previous, through: position.frame))
            syncedFrame = position.frame
        }
        send(painter.output.bytes)
        return nil
    }

    private func stepReplay() -> PlaybackEnd? {
        let number = (position.frame + 1) % cache.count
        if number == 0 {
            var summary = GIFReader.Summary()
            summary.loopCount = loopCount
            if let end = beginIteration(summary) { return end }
        }
        position.frame = number
        position.start = position.end
        position.end = position.start + cache.entry(number).delay
        return nil
    }

    /// Ends the replay because the fidelity has changed. The loop iteration is decoded and recorded again.
    /// - Parameter shown: the frame on the screen.
    private func leaveReplay(shown: Int) -> PlaybackEnd? {
        syncPainter(to: shown)
        isReplaying = false
        cache.discard()
        source.rewind()
        phase = .fetching(.next)
        return nil
    }

    /// Updates the painter's record of the screen with the updates that the replay has sent.
    func syncPainter(to frame: Int) {
        for update in updates(after: syncedFrame, through: frame) { painter?.apply(update) }
        syncedFrame = frame
    }

    private func updates(after first: Int, through last: Int) -> [CellChanges.Slice] {
        var updates: [CellChanges.Slice] = []
        var number = first
        while number != last {
            number = (number + 1) % cache.count
            if let changes = cache.changes(of: number) { updates.append(changes) }
        }
        return updates
    }
}
