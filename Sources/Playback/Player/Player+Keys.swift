import Base
import Pixels

/// Handles keys while a GIF plays.
extension Player {
    /// The speeds that + and - step through.
    private static var speeds: [Double] { [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8, 16] }

    func handle(_ key: Key) -> PlaybackEnd? {
        if key == .control("c") { return .interrupted(signal: 2) }
        if options.anyKeyEnds { return .quit }
        if helpResumes != nil, key != .character("q") {
            closeHelp()
            return nil
        }
        switch key {
        case .character("q"), .escape: return .quit
        case .character("?"), .character("h"): openHelp()
        case .character("r"): return .turn(.random)
        case .character("n"): return .turn(.next)
        case .character("p"): return .turn(.previous)
        case .character("/"): return .browse
        case .character("y"): use(.copy)
        case .character("o"): use(.open)
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
        helpResumes = !isPaused
        pause()
    }

    private func closeHelp() {
        if helpResumes == true, isPaused { togglePause() }
        helpResumes = nil
        painter?.redrawInPlace()
        repaint()
    }

    private func togglePause() {
        isPaused.toggle()
        if isPaused { timeline?.hold(at: terminal.now) } else { timeline?.release(at: terminal.now) }
        // A picture that no longer changes is never paused: it has no next frame.
        if phase == .resting { isPaused = false }
    }

    private func pause() {
        guard !isPaused, phase != .resting else { return }
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
        // The last frame is not known before the first loop iteration is over.
        if let frameCount { goTo(.frame(frameCount - 1)) }
    }

    /// Seeks by `span` nanoseconds (backwards if negative) in the loop iteration. The position wraps around at its ends
    /// once its length is known.
    private func seek(by span: Int64) {
        guard phase == .showing, let timeline else { return }
        // At maximum speed the clock is not related to the frame on the screen.
        let present = options.speed == .max ? position.start : timeline.media(at: terminal.now)
        var time = present - position.passStart + span
        if let passLength, passLength > 0 {
            time = ((time % passLength) + passLength) % passLength
        }
        time = max(0, time)
        let media = position.passStart + time
        if media >= position.start && media < position.end {
            self.timeline?.jump(to: media, at: terminal.now)
        } else {
            goTo(.time(time))
        }
    }

    /// Fetches frames up to a goal in the current loop iteration. Starts at frame 0 if the goal is not ahead of the
    /// position or if a replay was running, which this ends.
    func goTo(_ goal: Goal) {
        let isAhead: Bool
        switch goal {
        case .next: isAhead = true
        case .frame(let number), .again(let number): isAhead = number > position.frame
        case .time(let time): isAhead = position.passStart + time >= position.end
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

    /// Wraps a goal around that turned out to be beyond the end of the loop iteration, as if its length had been known.
    func goAround(_ goal: Goal, passLength: Int64) {
        if case .time(let time) = goal { goTo(.time(time % max(1, passLength))) } else { goTo(.frame(0)) }
    }

    // MARK: - The status line

    func showStatus() {
        guard painter != nil || !note.isEmpty else { return }
        guard terminal.isDrained else {
            owed.status = true
            return
        }
        owed.status = false
        statusBytes.removeAll()
        writeStatus()
        writeHelp()
        guard statusBytes.count > 0 else { return }
        terminal.present(UnsafeRawBufferPointer(start: nil, count: 0), statusBytes.bytes)
    }

    /// Appends the help to `statusBytes` while it is open, because each update may have drawn over it.
    func writeHelp() {
        guard helpResumes != nil, let layout = painter?.layout else { return }
        KeyHelp.write(over: layout, into: &statusBytes)
    }

    /// Appends the update of the status line to `statusBytes`, if the line changed.
    func writeStatus() {
        // Before the first frame there is a status line only on the full screen.
        let place = painter?.layout.status ?? PaneLayout.status(traits: terminal.traits, options: options)
        let moment = StatusLine.Moment(
            // Until the first frame of a loop iteration is drawn, the position is still that of the last frame.
            isPaused: isPaused, speed: timeline?.speed ?? 1, elapsed: max(0, position.start - position.passStart),
            length: passLength, frame: max(0, position.frame), frames: frameCount, note: note,
            bound: ladder.isLowered ? ladder.level.rawValue : nil, isDamaged: damage.contains { !$0.isLimit },
            hasKeyHint: keyHintEnd != nil)
        status.write(moment, at: place, into: &statusBytes)
    }
}
