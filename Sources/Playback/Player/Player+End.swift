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
