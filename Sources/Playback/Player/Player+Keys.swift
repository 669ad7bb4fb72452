import Base
import Pixels

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
