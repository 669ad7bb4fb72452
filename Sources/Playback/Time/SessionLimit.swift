import Base

/// The time limit of a session. Its clock stops during a pause.
struct SessionLimit {
    private var end: Instant?
    /// The start of the current pause; nil if there is none.
    private var pausedSince: Instant?
    private var isPostponed = false

    init() {}

    /// - Parameter duration: the limit in nanoseconds; nil for none.
    init(_ duration: Int64?, from start: Instant) { end = duration.map { start + $0 } }

    /// The time at which the session ends; nil without a limit and during a pause.
    var deadline: Instant? { pausedSince == nil ? end : nil }

    func isReached(at now: Instant) -> Bool { deadline.map { now >= $0 } ?? false }

    /// Makes the session end at `instant` at the latest.
    mutating func lower(to instant: Instant) { end = .earliest(end, instant) }

    /// Makes the session continue until ``retry(at:)``.
    mutating func postpone() { (end, isPostponed) = (nil, true) }

    /// Makes a postponed end due.
    mutating func retry(at now: Instant) { if isPostponed { end = pausedSince ?? now } }

    mutating func setPaused(_ isPaused: Bool, at now: Instant) {
        if isPaused {
            pausedSince = pausedSince ?? now
        } else if let since = pausedSince {
            end = end.map { $0 + (now - since) }
            pausedSince = nil
        }
    }
}
