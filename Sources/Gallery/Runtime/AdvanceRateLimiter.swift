import Base

/// Limits how often tiles advance: as often as their frames are due, but not so often that keys must wait.
///
/// The interval between two advances grows if composing a screen, or sending it to the terminal, takes a large part of
/// it. Fast screens shorten the interval again. Screens that are drawn because of keys do not delay the next one.
struct AdvanceRateLimiter {
    /// 25 advances per second, which is enough for GIFs with 40 ms or more per frame.
    static let minInterval = 40 * Span.millisecond
    static let maxInterval = 640 * Span.millisecond

    private(set) var interval = AdvanceRateLimiter.minInterval
    /// Whether the latest screens took long to send, so that saving bytes justifies a coarser picture.
    private(set) var isConnectionSlow = false
    private var last: Instant?

    /// The earliest time for an advance that is due at `due`; nil if `due` is nil.
    func next(after due: Instant?) -> Instant? {
        guard let due else { return nil }
        guard let last else { return due }
        return max(due, last + interval)
    }

    /// Records that the tiles were advanced.
    mutating func recordAdvance(at now: Instant) { last = now }

    /// Records the times of a screen: composing began at `start` and ended at `composed`, and the terminal had received
    /// all of it at `received`.
    mutating func recordScreen(from start: Instant, composed: Instant, received: Instant) {
        // If composing takes at most a quarter of the interval, three quarters are left for everything else. A terminal
        // that is busy for less than half of the interval is mostly free when a key is pressed.
        let sent = received - composed
        if sent > Span.second / 4 {
            isConnectionSlow = true
        } else if sent < Span.second / 20 {
            isConnectionSlow = false
        }
        if composed - start > interval / 4 || received - start > interval / 2 {
            // A connection that needs seconds for a screen is then left idle for the same time. Otherwise the response
            // to a key would always have to wait for a screen.
            interval = min(interval * 2, max(Self.maxInterval, sent * 2))
        } else if interval > Self.minInterval, composed - start < interval / 16, received - start < interval / 8 {
            interval = max(Self.minInterval, interval / 2)
        }
    }
}
