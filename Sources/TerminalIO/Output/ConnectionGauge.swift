import Base

/// Measures by the terminal's replies how far its display is behind the output.
///
/// Written bytes are not displayed yet: a pty holds 14 KB, ssh and the network hold megabytes, which take minutes on a
/// connection of 20 KB/s. So an update ends with a query (DA1) from time to time, and on a slow connection every update
/// does. Terminals reply when they reach the query. While the reply is late, the connection is behind, and no other
/// update should be started.
struct ConnectionGauge {
    /// When the query was sent whose reply is awaited; nil if none is.
    private var awaitedQueryTime: Instant?
    private var lastQueryTime: Instant?
    /// The number of queries without a reply, including those whose reply is no longer awaited.
    private var pendingReplies = 0
    private var replyCount = 0
    /// The round-trip time of an idle connection in nanoseconds: the shortest time to a reply.
    private var shortestRoundTrip = Int64.max
    private var isSlow = false

    /// How much longer than the quickest reply a reply on an idle connection may take.
    static let margin = 50 * Span.millisecond
    /// The time between queries on a connection that keeps up.
    static let queryInterval = 500 * Span.millisecond
    /// A reply that takes longer counts as lost, for example because the terminal was detached.
    static let replyTimeout = 10 * Span.second
    /// The same for the second reply, because a terminal that replies only at the start would delay the picture.
    static let secondReplyTimeout = 3 * Span.second

    /// Whether the terminal may still send a reply.
    var isReplyPending: Bool { pendingReplies > 0 }
    /// Whether the terminal has replied to more than the query at the start.
    var hasRepliedRepeatedly: Bool { replyCount > 1 }

    /// Whether the next update should end with a query. Only one query is outstanding at a time, because a program that
    /// stands in for a terminal may reply to only one of two.
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

    /// - Parameter earliest: the earliest time at which the reply may have arrived: the previous poll before `now`.
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

    /// Whether the terminal still processes the output. On a slow connection that is so until it replies. Otherwise the
    /// round-trip time is allowed for, so that a connection with a long delay can carry several updates at once.
    func isBehind(at now: Instant) -> Bool {
        guard let awaitedQueryTime, replyCount > 0 else { return false }
        if isSlow { return true }
        let usual = shortestRoundTrip == .max ? 0 : shortestRoundTrip
        return now - awaitedQueryTime > usual + Self.margin
    }

    /// When the reply counts as lost; nil if none is awaited.
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
