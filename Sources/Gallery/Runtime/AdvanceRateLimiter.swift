import Base

/// Limits how often the tiles advance to their next frames, so that drawing does not delay the response to keys.
///
/// The interval between two advances doubles if composing and sending a screen take a large part of the interval. It is
/// halved again if they take only a small part. Only an advance starts a new interval, not a key press.
struct AdvanceRateLimiter {
    /// 25 advances per second, which is enough for GIFs with 40 ms or more per frame.
    static let minInterval = 40 * Span.millisecond
    static let maxInterval = 640 * Span.millisecond

    private(set) var interval = AdvanceRateLimiter.minInterval
    /// Whether the connection to the terminal is slow. If true, pictures are drawn with lower fidelity to save bytes.
    private(set) var isConnectionSlow = false
    private var last: Instant?
    /// The times at which the composition of the latest screen began and ended; nil once the terminal has it.
    private var sending: (start: Instant, composed: Instant)?

    /// Returns the earliest allowed time for an advance that is due at `due`; nil if `due` is nil.
    func next(after due: Instant?) -> Instant? {
        guard let due else { return nil }
        guard let last else { return due }
        return max(due, last + interval)
    }

    mutating func recordAdvance(at now: Instant) { last = now }

    mutating func recordSent(from start: Instant, composed: Instant) { sending = (start, composed) }

    /// Records that the terminal has received the latest screen.
    /// - Parameter now: nil if the terminal accepted the whole screen at once, and therefore did not report it.
    mutating func recordReceived(at now: Instant?) {
        guard let (start, composed) = sending else { return }
        sending = nil
        recordScreen(from: start, composed: composed, received: now ?? composed)
    }

    /// Records when composing a screen began and ended, and when the terminal had received all of it.
    mutating func recordScreen(from start: Instant, composed: Instant, received: Instant) {
        let sent = received - composed
        if sent > Span.second / 4 {
            isConnectionSlow = true
        } else if sent < Span.second / 20 {
            isConnectionSlow = false
        }
        // The limit for composing is a quarter of the interval, which leaves three quarters for other work. The limit
        // for composing plus sending is half of the interval, so that the terminal is usually free for a key.
        if composed - start > interval / 4 || received - start > interval / 2 {
            // If sending a screen takes seconds, allow an interval of twice this time, so that the connection is idle
            // for half of the interval. Otherwise, the response to every key would have to wait.
            interval = min(interval * 2, max(Self.maxInterval, sent * 2))
        } else if interval > Self.minInterval, composed - start < interval / 16, received - start < interval / 8 {
            interval = max(Self.minInterval, interval / 2)
        }
    }
}
