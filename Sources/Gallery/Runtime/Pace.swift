import Base

/// Limits how often tiles advance ("move"): as often as their frames are due, but not so often that keys must wait.
///
/// The interval between two moves grows if composing a screen, or sending it to the terminal, takes a large part of
/// it. Fast screens shorten the interval again. Screens that are drawn because of keys do not delay the next move.
struct Pace {
    /// 25 moves per second, which is enough for GIFs with 40 ms or more per frame.
    static let shortest = 40 * Span.millisecond
    static let longest = 640 * Span.millisecond

    private(set) var interval = Pace.shortest
    /// Whether the latest screens took long to send, so that saving bytes justifies a coarser picture.
    private(set) var isLineSlow = false
    private var last: Instant?

    /// The earliest time for a move that is due at `wish`; nil if `wish` is nil.
    func next(after wish: Instant?) -> Instant? {
        guard let wish else { return nil }
        guard let last else { return wish }
        return max(wish, last + interval)
    }

    /// Records that the tiles were advanced.
    mutating func noteMove(at now: Instant) { last = now }

    /// Records the times of a screen: composing began at `start` and ended at `made`, and the terminal had received all
    /// of it at `taken`.
    mutating func noteScreen(from start: Instant, made: Instant, taken: Instant) {
        // If composing takes at most a quarter of the interval, three quarters are left for everything else. A terminal
        // that is busy for less than half of the interval is mostly free when a key is pressed.
        let sent = taken - made
        if sent > Span.second / 4 { isLineSlow = true } else if sent < Span.second / 20 { isLineSlow = false }
        if made - start > interval / 4 || taken - start > interval / 2 {
            // A connection that needs seconds for a screen is then left idle for the same time. Otherwise the response
            // to a key would always have to wait for a screen.
            interval = min(interval * 2, max(Self.longest, sent * 2))
        } else if interval > Self.shortest, made - start < interval / 16, taken - start < interval / 8 {
            interval = max(Self.shortest, interval / 2)
        }
    }
}
