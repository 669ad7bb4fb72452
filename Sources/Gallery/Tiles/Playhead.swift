import Base

/// Which frame of a film is on the screen, and until when.
///
/// Deadlines stand on one line, as in the player: a late look drops frames and changes no tempo. Only
/// where the film was not there in time does the line move along.
struct Playhead {
    private(set) var picture: TileFrame?
    private(set) var frame = -1
    /// When the next frame is due; nil before the first.
    private var deadline: Instant?
    var isStill = false

    /// More lateness than this is the film's, not the looker's.
    private static let patience = 250 * Span.millisecond

    /// When there is something to be done again; nil where nothing will be by itself.
    func nextLook(_ film: TileFilm) -> Instant? {
        guard !isStill, film.loop != 1, film.frame(frame + 1) != nil else { return nil }
        return deadline
    }

    /// Goes on to the frame that is due at `now`.
    /// - Returns: whether another frame is on the screen than before.
    mutating func advance(_ film: TileFilm, to now: Instant) -> Bool {
        guard frame >= 0 else {
            guard let first = film.frame(0) else { return false }
            show(first, number: 0)
            deadline = now + first.delay
            return true
        }
        guard !isStill, film.loop != 1 else { return false }
        var changed = false
        while let due = deadline, due <= now, let next = film.frame(frame + 1) {
            show(next, number: frame + 1)
            deadline = (now - due > Self.patience ? now : due) + next.delay
            changed = true
        }
        return changed
    }

    private mutating func show(_ next: TileFrame, number: Int) {
        picture = next
        frame = number
    }
}
