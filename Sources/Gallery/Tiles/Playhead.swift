import Base

/// The displayed frame of an animation and the time at which the next frame is due.
///
/// As in the player, each deadline is the previous deadline plus the delay of the displayed frame. The deadline
/// does not depend on the time at which the frame was actually displayed. A late update therefore drops frames but does
/// not slow the animation down. Only a very late frame, which was probably not decoded in time, shifts the following
/// deadlines.
struct Playhead {
    private(set) var picture: TileFrame?
    private(set) var frame = -1
    /// The time at which the next frame is due; nil before the first frame.
    private var deadline: Instant?
    var isStill = false

    /// The lateness, in nanoseconds, above which a frame shifts the following deadlines. Such a frame was probably not
    /// decoded in time.
    private static let latenessLimit = 250 * Span.millisecond

    /// Returns the time at which the next decoded frame is due. Returns nil if the animation is shown as a still
    /// picture, if it has only one frame, or if the next frame is not decoded yet.
    func nextFrameTime(_ animation: TileAnimation) -> Instant? {
        guard !isStill, animation.loop != 1, animation.frame(frame + 1) != nil else { return nil }
        return deadline
    }

    /// Advances to the frame that is due at `now`.
    /// - Returns: whether the displayed frame has changed.
    mutating func advance(_ animation: TileAnimation, to now: Instant) -> Bool {
        guard frame >= 0 else {
            guard let first = animation.frame(0) else { return false }
            show(first, number: 0)
            deadline = now + first.delay
            return true
        }
        guard !isStill, animation.loop != 1 else { return false }
        var changed = false
        while let due = deadline, due <= now, let next = animation.frame(frame + 1) {
            show(next, number: frame + 1)
            deadline = (now - due > Self.latenessLimit ? now : due) + next.delay
            changed = true
        }
        return changed
    }

    private mutating func show(_ next: TileFrame, number: Int) {
        picture = next
        frame = number
    }
}
