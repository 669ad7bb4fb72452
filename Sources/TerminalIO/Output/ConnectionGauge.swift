import Base

/// Uses the terminal's replies to measure how far the display is behind the output.
///
/// Written bytes may be displayed much later: a pty holds 14 KB, and ssh and the network hold megabytes, which take
/// minutes on a connection of 20 KB/s. Therefore some updates end with a query (DA1); on a slow connection, every
/// update does. The terminal replies when it reaches the query. While the reply is late, the connection is behind, and
/// no other update should be started.
struct ConnectionGauge {
    /// The time of the query whose reply is awaited; nil if no reply is awaited.
    private var awaitedQueryTime: Instant?
    private var lastQueryTime: Instant?
    /// The number of queries without a reply, including those whose reply is no longer awaited.
    private var pendingReplies = 0
    private var replyCount = 0
    /// The round-trip time of an idle connection in nanoseconds, which is the shortest time to a reply so far.
    private var shortestRoundTrip = Int64.max
    private var isSlow = false

    /// The tolerance for replies. A reply that takes longer than the fastest reply plus this time shows that the
    /// terminal is behind.
    static let margin = 50 * Span.millisecond
    /// The time between queries on a connection that keeps up.
    static let queryInterval = 500 * Span.millisecond
    /// A reply that takes longer than this counts as lost, for example because the terminal was detached.
    static let replyTimeout = 10 * Span.second
    /// The same limit for the second reply. It is shorter, because a terminal that replies only once would delay the
    /// picture.
    static let secondReplyTimeout = 3 * Span.second

    /// Whether the terminal may still send a reply.
    var isReplyPending: Bool { pendingReplies > 0 }
    /// Whether the terminal has replied to more than the query at the start.
    var hasRepliedRepeatedly: Bool { replyCount > 1 }

    /// Whether the next update should end with a query. Only one query is outstanding at a time, because a program that
    /// emulates a terminal may reply to only one of two queries.
    func shouldQuery(at now: Instant) -> Bool {
        guard replyCount > 0, pendingReplies == 0 else { return false }
        guard !isSlow, let lastQueryTime else { return true }
        return now - lastQueryTime >= Self.queryInterval
    }

    mutating func recordQuery(at now: Instant) {
        pendingReplies += 1
        awaitedQueryTime = now
        lastQueryTime = now
    }

    /// - Parameter earliest: the earliest time at which the reply may have arrived, which is the time of the poll
    ///   before `now`.
    /// - Returns: whether the connection was behind until now.
    mutating func recordReply(at now: Instant, notBefore earliest: Instant) -> Bool {
        let wasBehind = isBehind(at: now)
        pendingReplies = max(0, pendingReplies - 1)
        replyCount += 1
        guard let awaitedQueryTime else { return false }
        let least = max(0, earliest - awaitedQueryTime)
        shortestRoundTrip = min(shortestRoundTrip, least)
        isSlow = least > shortestRoundTrip + Self.margin
        self.awaitedQueryTime = nil
        return wasBehind
    }

    /// Whether the terminal is still processing the output. On a slow connection this holds until the terminal replies.
    /// Otherwise it holds only after the usual round-trip time, so that a connection with a long delay can carry
    /// several updates at once.
    func isBehind(at now: Instant) -> Bool {
        guard let awaitedQueryTime, replyCount > 0 else { return false }
        if isSlow { return true }
        let usual = shortestRoundTrip == .max ? 0 : shortestRoundTrip
        return now - awaitedQueryTime > usual + Self.margin
    }

    /// The time at which the reply counts as lost; nil if no reply is awaited or the terminal has never replied.
    var deadline: Instant? {
        guard let awaitedQueryTime, replyCount > 0 else { return nil }
        return awaitedQueryTime + (hasRepliedRepeatedly ? Self.replyTimeout : Self.secondReplyTimeout)
    }

    /// Stops waiting for the reply. No other query is sent unless the reply arrives after all.
    mutating func stopWaiting() { awaitedQueryTime = nil }

    /// Forgets all queries without a reply.
    mutating func reset() {
        awaitedQueryTime = nil
        pendingReplies = 0
    }
}
