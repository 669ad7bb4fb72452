import Base
import Playback

/// The playback in the large view, as far as keys have changed it.
struct LargePlayback: Equatable, Sendable {
    private(set) var isPaused = false
    private(set) var speed = 1.0
    /// The frame that a pause shows, counted from 0; nil until the decoder has reported it.
    private(set) var frame: Int?
    /// The number of frames; nil while it is unknown.
    private(set) var frames: Int?

    /// Changes the playback by a key.
    /// - Returns: the control to send to the animation; nil if the key changes nothing.
    mutating func control(_ command: KeyCommand) -> PlaybackControl? {
        switch command {
        case .togglePause:
            isPaused.toggle()
            return .pause(isPaused)
        case .step(let isBackward):
            isPaused = true
            return .step(isBackward: isBackward)
        case .seek(let seconds): return .seek(seconds * Span.second)
        case .changeSpeed(let isFaster):
            guard let next = PlaybackSpeeds.next(after: speed, isFaster: isFaster) else { return nil }
            speed = next
            return .speed(next)
        default: return nil
        }
    }

    mutating func notePause(frame: Int, of frames: Int?) { (self.frame, self.frames) = (frame, frames) }
}

/// A change of the animation in the large view.
enum PlaybackControl: Equatable, Sendable {
    case pause(Bool)
    /// Shows the next frame, or the previous one, and pauses.
    case step(isBackward: Bool)
    /// In nanoseconds, backwards if it is negative.
    case seek(Int64)
    case speed(Double)
}
