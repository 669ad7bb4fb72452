import Base

/// Limits how often tiles advance. Tiles advance when their frames are due, but not so often that keys must wait.
///
/// The interval between two advances grows if composing a screen, or sending it to the terminal, takes a large part of
/// the interval. Fast screens shorten the interval again. A screen that is drawn because of a key does not delay the
/// next advance.
struct AdvanceRateLimiter {
    /// 25 advances per second, which is enough for GIFs with 40 ms or more per frame.
    static let minInterval = 40 * Span.millisecond
    static let maxInterval = 640 * Span.millisecond

    private(set) var interval = AdvanceRateLimiter.minInterval
    /// Whether the connection is so slow that coarser pictures, which need fewer bytes, are justified.
    private(set) var isConnectionSlow = false
    private var last: Instant?

    /// Returns the earliest allowed time for an advance that is due at `due`; nil if `due` is nil.
    func next(after due: Instant?) -> Instant? {
        guard let due else { return nil }
        guard let last else { return due }
        return max(due, last + interval)
    }

    /// Records that the tiles were advanced.
    mutating func recordAdvance(at now: Instant) { last = now }

    /// Records the times of a screen. Composing began at `start` and ended at `composed`, and the terminal had received
    /// the whole screen at `received`.
    mutating func recordScreen(from start: Instant, composed: Instant, received: Instant) {
        // Composing may take a quarter of the interval, so that three quarters are left for other work. Composing and
        // sending together may take half of the interval, so that the terminal is usually free when a key is pressed.
        let sent = received - composed
        if sent > Span.second / 4 {
            isConnectionSlow = true
        } else if sent < Span.second / 20 {
            isConnectionSlow = false
        }
        if composed - start > interval / 4 || received - start > interval / 2 {
            // If sending a screen takes seconds, the connection stays idle for the same time afterwards. Otherwise, the
            // response to a key would always have to wait for a screen.
            interval = min(interval * 2, max(Self.maxInterval, sent * 2))
        } else if interval > Self.minInterval, composed - start < interval / 16, received - start < interval / 8 {
            interval = max(Self.minInterval, interval / 2)
        }
    }
}
