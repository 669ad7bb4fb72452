import Base
import Pixels

/// Loop iterations that need no decoding: ``LoopCache`` replays them, or the terminal repeats them (``KittyEncoder``).
extension Player {
    func replayNext() -> PlaybackEnd? {
        guard let painter else { return nil }
        let shown = position.frame
        repeat {
            let next = painter.loop.next(after: position.frame)
            if next.frame == 0, !beginIteration() { return finish(replayedFrom: shown) }
            position.advance(to: next.frame, delay: next.delay)
            if next.frame == 0, painter.endOutdatedReplay(at: shown) {
                source.rewind()
                phase = .fetching(.next)
                return nil
            }
        } while dropIfLate()
        send(painter.loop.replay(from: shown, to: position.frame))
        handOver()
        return nil
    }

    /// Hands the loop over to the terminal if it can repeat the loop and the current frame is the first one.
    func handOver() {
        guard position.frame == 0, !clock.isPaused, options.speed != .max, let painter,
            finalFrameStart.map({ position.end < $0 }) ?? true,
            let bytes = painter.loop.repetition(of: position.summary, speed: clock.speed, file: { delegate?.file })
        else { return }
        terminal.present(bytes, TextLayer.noBytes)
        terminal.stopSequence = painter.loop.stopSequence
        phase = .repeatedByTerminal
    }

    /// Waits while the terminal repeats the loop. Takes over at the last frame, and at events that change the picture.
    func awaitRepetition() -> PlaybackEnd? {
        let end = finalFrameStart.flatMap { clock.deadline(of: $0, at: terminal.now) }
        let event = wait(until: .earliest(end, statusDeadline))
        switch event {
        case .drained, .wake: followTerminal()
        case .deadline where end.map { terminal.now < $0 } ?? true:
            followTerminal()
            updateText()
        default: takeOver()
        }
        return handle(event)
    }

    /// Makes the player show the frames again, beginning with the frame that is due now.
    func takeOver() {
        guard phase == .repeatedByTerminal else { return }
        followTerminal()
        phase = .showing
        terminal.stopSequence = []
        // The canvas contains frame 0. If the terminal cannot show a single stored frame, the frame is decoded.
        guard isReplaying, let painter else { return goTo(.redraw(position.frame)) }
        send(painter.loop.replay(from: position.frame, to: position.frame))
    }

    /// The media time at which the last frame of playback begins; nil if playback does not end by itself.
    private var finalFrameStart: Int64? {
        guard let count = frameCount, let painter else { return nil }
        return position.finalEnd(options.loops, endlessLimit: options.endlessLimit)
            .map { $0 - painter.loop.next(after: count - 2).delay }
    }

    /// When the time in the status line changes next; nil if never.
    private var statusDeadline: Instant? {
        guard painter?.layout.status != nil else { return nil }
        var position = position
        repeat {
            guard let next = following(position) else { return nil }
            position = next
            if position.elapsed / Span.second != self.position.elapsed / Span.second {
                return clock.deadline(of: position.start, at: terminal.now)
            }
        } while position.frame != self.position.frame
        return nil
    }

    /// Moves the position to the frame that the terminal shows now.
    private func followTerminal() {
        while let media = clock.media(at: terminal.now), position.end <= media,
            let next = following(position, at: media)
        {
            position = next
        }
    }

    /// The position of the next frame; nil after the last one.
    /// - Parameter media: the media time that is due now; nil to skip no loop iterations.
    private func following(_ position: LoopPosition, at media: Int64? = nil) -> LoopPosition? {
        guard let next = painter?.loop.next(after: position.frame) else { return nil }
        var position = position
        if next.frame == 0,
            !position.beginIteration(options.loops, endlessLimit: options.endlessLimit, at: media)
        {
            return nil
        }
        position.advance(to: next.frame, delay: next.delay)
        return position
    }
}

/// The end of a loop iteration and of the last one, after which the last frame can be held.
extension Player {
    /// - Returns: whether a loop iteration follows.
    func beginIteration() -> Bool {
        let now = clock.isPaused ? nil : clock.media(at: terminal.now)
        return position.beginIteration(options.loops, endlessLimit: options.endlessLimit, at: now)
    }

    /// Ends playback after the last frame, or holds this frame. A picture that stays is shown even if it is late.
    /// - Parameter shown: the number of the frame on the screen if a replay ends.
    func finish(replayedFrom shown: Int? = nil) -> PlaybackEnd? {
        if !position.isShown, options.hold == .all || options.screen == .inline {
            if let shown, let painter {
                send(painter.loop.replay(from: shown, to: position.frame))
            } else {
                paintFrame()
            }
        }
        guard options.hold == .all else { return .finished }
        isHeld = true
        clock.pause(at: terminal.now)
        phase = .showing
        updateText()
        return nil
    }

    /// Plays the held GIF again, as often as before.
    func replay() -> PlaybackEnd? {
        isHeld = false
        position.restart()
        clock.jump(to: position.end, at: terminal.now)
        clock.resume(at: terminal.now)
        phase = .showing
        guard !isReplaying else { return nil }
        _ = beginIteration()
        source.rewind()
        phase = .fetching(.next)
        return nil
    }
}

/// The keys, and what the lender of the terminal needs.
extension Player {
    func handle(_ key: Key) -> PlaybackEnd? {
        if key == .control("c") { return .interrupted(signal: 2) }
        if options.anyKeyEnds { return .quit }
        let command = KeyTable.command(of: key, in: options.view)
        if text.isHelpOpen {
            // The space bar and letters close the help.
            let isText = if case .character = key { true } else { false }
            if !isText, text.scrollHelp(KeyTable.command(of: key, in: .grid)) {
                repaint()
                return nil
            }
            closeHelp()
            if options.view != .player { return command == .search ? forward(.key(key)) : nil }
            return key == .character("q") ? .quit : command == .search ? .browse : nil
        }
        if isHeld, key == .enter || key == .character(" ") { return replay() }
        if options.view == .player, let end = command.flatMap(PlaybackEnd.init) {
            guard case .switchItem(let kind) = end, let note = delegate?.refusal(of: kind) else { return end }
            show(note)
        }
        return perform(command, key)
    }

    private func perform(_ command: KeyCommand?, _ key: Key) -> PlaybackEnd? {
        switch command {
        case .help: openHelp()
        case .act(let action) where options.view != .large:
            guard let result = delegate?.perform(action) else { break }
            show(result)
            if result.showsNext, delegate?.refusal(of: .next) == nil { return .switchItem(.next) }
        case .togglePause:
            clock.togglePause(at: terminal.now)
            if painter == nil { showLoading() }
        case .step(let isBackward): step(to: isBackward ? position.previousFrame : position.nextFrame)
        case .changeSpeed(let isFaster): clock.changeSpeed(isFaster: isFaster, at: terminal.now)
        case .seek(let seconds): seek(by: seconds * Span.second)
        case .changeDrawing: changeDrawing()
        case .redraw:
            painter?.forgetScreen()
            repaint()
        case _ where options.view != .player: return forward(.key(key))
        case nil: if let note = delegate?.refusal(of: key) { show(note) }
        default: break
        }
        updateText()
        return nil
    }

    /// Passes an event to the lender of the terminal, and shows the outcome of an action that has ended.
    func forward(_ event: TerminalEvent) -> PlaybackEnd? {
        if let end = delegate?.handle(event) { return end }
        guard let outcome = delegate?.takeOutcome() else { return nil }
        show(outcome)
        updateText()
        return nil
    }

    private func step(to goal: LoopPosition.Goal?) {
        clock.pause(at: terminal.now)
        guard phase == .showing, let goal else { return showLoading() }
        isHeld = false
        goTo(goal)
    }

    /// Seeks by `span` nanoseconds in the loop iteration, backwards if `span` is negative.
    private func seek(by span: Int64) {
        guard phase == .showing else { return showLoading() }
        // The source has no frame after a held one, so it restarts.
        let wasHeld = isHeld
        isHeld = false
        let media = position.wrapped((clock.media(at: terminal.now) ?? position.start) + span)
        if !wasHeld, position.contains(media) { clock.jump(to: media, at: terminal.now) } else { goTo(.time(media)) }
    }

    /// Says why a key has no effect yet.
    private func showLoading() {
        if case .fetching = phase { show(options.language(en: "loading…", de: "lädt …")) }
    }

    private func show(_ note: String) { if !note.isEmpty { text.showOutcome(note, at: terminal.now) } }

    private func show(_ result: ActionResult) {
        if !result.sequence.isEmpty { result.sequence.withUnsafeBytes { terminal.present(TextLayer.noBytes, $0) } }
        show(result.note)
    }

    private func openHelp() {
        guard let painter else { return showLoading() }
        text.openHelp(resumesPlayback: !clock.isPaused)
        clock.pause(at: terminal.now)
        if painter.setPanel(isOpen: true) { repaint() }
    }

    func closeHelp() {
        if text.closeHelp() { clock.resume(at: terminal.now) }
        if painter?.setPanel(isOpen: false) == true { repaint() }
    }

    private func changeDrawing() {
        let graphics = terminal.traits.graphics
        options.drawing = options.drawing.next(in: graphics)
        delegate?.choose(options.drawing)
        show(options.drawing.name(in: graphics, options.language))
        if painter?.adapt(to: terminal.traits, options.drawing, shown: position.frame) == true { repaint() }
    }

    public func setLabel(_ label: PlaybackLabel) {
        text.setLabel(label)
        updateText()
    }

    /// The time in the loop that is displayed, in nanoseconds.
    public var loopTime: Int64 {
        if case .fetching(.time(let time)) = phase { return time }
        let media = clock.media(at: terminal.now) ?? position.start
        return position.elapsed + min(max(0, media - position.start), position.end - position.start)
    }
}
