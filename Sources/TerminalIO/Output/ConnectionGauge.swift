import Base

/// Uses the terminal's replies to measure how far the display is behind the output.
///
/// Written bytes can be displayed much later, because buffers delay them. A pty buffers 14 KB. ssh and the network
/// buffer megabytes, which take minutes at 20 KB/s. Therefore some updates end with a query (DA1); on a slow
/// connection, every update does. The terminal replies when it reaches the query. If the reply is late, the display is
/// behind, and no other update should begin.
struct ConnectionGauge {
    /// The time of the query whose reply is awaited; nil if no reply is awaited.
    private var awaitedQueryTime: Instant?
    private var lastQueryTime: Instant?
    /// The number of queries without a reply, including those whose reply is no longer awaited.
    private var pendingReplies = 0
    private var replyCount = 0
    /// The shortest time from a query to its reply so far, in nanoseconds. It is an estimate of the round-trip time of
    /// the idle connection.
    private var shortestRoundTrip = Int64.max
    private var isSlow = false

    /// The tolerated jitter. A reply that takes longer than the fastest reply plus this time shows that the terminal is
    /// behind.
    static let margin = 50 * Span.millisecond
    /// The minimum time between two queries on a connection that is not slow.
    static let queryInterval = 500 * Span.millisecond
    /// A reply that takes longer than this counts as lost, for example because the terminal was detached.
    static let replyTimeout = 10 * Span.second
    /// The timeout for the second reply. It is shorter, because a terminal that replies only once delays the picture
    /// for this time.
    static let secondReplyTimeout = 3 * Span.second

    /// Whether the reply to any query is still missing.
    var isReplyPending: Bool { pendingReplies > 0 }
    /// Whether the terminal has sent a reply after its first reply.
    var hasRepliedRepeatedly: Bool { replyCount > 1 }

    /// Returns whether the next update should end with a query. Only one query is pending at a time, because some
    /// terminal emulators might reply to only one of two pending queries.
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

    /// - Parameter earliest: the time of the poll before `now`. The reply cannot have arrived earlier.
    /// - Returns: whether the terminal was behind until now.
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

    /// Returns whether the terminal is behind the output. On a slow connection, this is the case until the reply
    /// arrives. On another connection, this is the case only if the reply takes longer than usual. Thus several updates
    /// can be in transit on a connection with a high latency.
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

    /// Stops waiting for the reply. The next query is sent only after the reply has arrived.
    mutating func stopWaiting() { awaitedQueryTime = nil }

    /// Forgets all queries without a reply.
    mutating func reset() {
        awaitedQueryTime = nil
        pendingReplies = 0
    }
}
