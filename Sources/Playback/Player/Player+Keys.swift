import Base
import Pixels

/// Handles keys while a GIF plays.
extension Player {
    /// The speeds that + and - step through.
    private static var speeds: [Double] { [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8, 16] }

    func handle(_ key: Key) -> PlaybackEnd? {
        if key == .control("c") { return .interrupted(signal: 2) }
        if options.anyKeyEnds { return .quit }
        if resumesAfterHelp != nil, key != .character("q") {
            closeHelp()
            return nil
        }
        switch key {
        case .character("q"), .escape: return .quit
        case .character("?"), .character("h"): openHelp()
        case .character("r"): return .switchItem(.random)
        case .character("n"): return .switchItem(.next)
        case .character("p"): return .switchItem(.previous)
        case .character("/"): return .browse
        case .character("y"): perform(.copy)
        case .character("o"): perform(.open)
        case .character(" "): togglePause()
        case .character("."): stepForward()
        case .character(","): stepBack()
        case .character("+"), .character("="): changeSpeed { speed in Self.speeds.first { $0 > speed } }
        case .character("-"): changeSpeed { speed in Self.speeds.last { $0 < speed } }
        case .right: seek(by: Span.second)
        case .left: seek(by: -Span.second)
        case .up: seek(by: 5 * Span.second)
        case .down: seek(by: -5 * Span.second)
        default: return nil
        }
        showStatus()
        return nil
    }

    /// Opens the help and pauses the animation behind it.
    private func openHelp() {
        guard painter != nil else { return }
        resumesAfterHelp = !isPaused
        pause()
    }

    private func closeHelp() {
        if resumesAfterHelp == true, isPaused { togglePause() }
        resumesAfterHelp = nil
        painter?.redrawInPlace()
        repaint()
    }

    private func togglePause() {
        isPaused.toggle()
        if isPaused { timeline?.hold(at: terminal.now) } else { timeline?.release(at: terminal.now) }
        // A picture that no longer changes is never paused, because no frame follows.
        if phase == .holdingPicture { isPaused = false }
    }

    private func pause() {
        guard !isPaused, phase != .holdingPicture else { return }
        isPaused = true
        timeline?.hold(at: terminal.now)
    }

    private func changeSpeed(_ choose: (Double) -> Double?) {
        guard options.speed != .max, let timeline, let speed = choose(timeline.speed) else { return }
        self.timeline?.setSpeed(speed, at: terminal.now)
    }

    private func stepForward() {
        pause()
        guard phase == .showing else { return }
        if let frameCount, position.frame + 1 >= frameCount { return goTo(.frame(0)) }
        goTo(.frame(position.frame + 1))
    }

    private func stepBack() {
        pause()
        guard phase == .showing else { return }
        if position.frame > 0 { return goTo(.frame(position.frame - 1)) }
        // The number of the last frame is unknown until the first loop iteration is over.
        if let frameCount { goTo(.frame(frameCount - 1)) }
    }

    /// Seeks by `span` nanoseconds in the loop iteration, backwards if `span` is negative. Once the length of the
    /// iteration is known, the position wraps around at both ends.
    private func seek(by span: Int64) {
        guard phase == .showing, let timeline else { return }
        // At maximum speed the clock is not related to the frame on the screen.
        let present = options.speed == .max ? position.start : timeline.media(at: terminal.now)
        var time = present - position.iterationStart + span
        if let iterationLength, iterationLength > 0 {
            time = ((time % iterationLength) + iterationLength) % iterationLength
        }
        time = max(0, time)
        let media = position.iterationStart + time
        if media >= position.start && media < position.end {
            self.timeline?.jump(to: media, at: terminal.now)
        } else {
            goTo(.time(time))
        }
    }

    /// Fetches frames up to a goal in the current loop iteration, and ends a replay. Restarts at frame 0 if a replay
    /// was running or if the goal is not after the current position.
    func goTo(_ goal: Goal) {
        let isAhead: Bool
        switch goal {
        case .next: isAhead = true
        case .frame(let number), .redraw(let number): isAhead = number > position.frame
        case .time(let time): isAhead = position.iterationStart + time >= position.end
        }
        if isReplaying {
            syncPainter(to: position.frame)
            isReplaying = false
            source.rewind()
        } else if !isAhead {
            source.rewind()
        }
        phase = .fetching(goal)
    }

    /// Handles a goal that is beyond the end of the loop iteration, whose length was unknown until now. A time wraps
    /// around; any other goal becomes frame 0.
    func wrapAround(_ goal: Goal, iterationLength: Int64) {
        if case .time(let time) = goal { goTo(.time(time % max(1, iterationLength))) } else { goTo(.frame(0)) }
    }

    // MARK: - The status line

    func showStatus() {
        guard painter != nil || !note.isEmpty else { return }
        guard terminal.isDrained else {
            pendingUpdates.status = true
            return
        }
        pendingUpdates.status = false
        statusBytes.removeAll()
        writeStatus()
        writeHelp()
        guard statusBytes.count > 0 else { return }
        terminal.present(UnsafeRawBufferPointer(start: nil, count: 0), statusBytes.bytes)
    }

    /// Appends the help to `statusBytes` if it is open, because each update may have drawn over it.
    func writeHelp() {
        guard resumesAfterHelp != nil, let layout = painter?.layout else { return }
        KeyHelp.write(over: layout, into: &statusBytes)
    }

    /// Appends the update of the status line to `statusBytes`, if the line changed.
    func writeStatus() {
        // Before the first frame, only the full screen has a status line.
        let statusPosition =
            painter?.layout.status ?? PaneLayout.status(traits: terminal.traits, options: options)
        let state = StatusLine.PlaybackState(
            // At the start of a loop iteration, `position.start` still belongs to the last frame of the previous one,
            // so the difference may be negative.
            isPaused: isPaused, speed: timeline?.speed ?? 1, elapsed: max(0, position.start - position.iterationStart),
            length: iterationLength, frame: max(0, position.frame), frames: frameCount, note: note,
            bound: fidelityController.isLowered ? fidelityController.level.rawValue : nil,
            isDamaged: damage.contains { !$0.isLimit },
            hasKeyHint: keyHintEnd != nil)
        status.write(state, at: statusPosition, into: &statusBytes)
    }
}
