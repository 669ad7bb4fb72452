import Base
import CTerminal

/// Uses the terminal's replies to limit how far the display can be behind the output.
///
/// Written bytes can be displayed much later, because buffers delay them. A pty buffers 14 KB. ssh and the network
/// buffer megabytes, which take minutes at 20 KB/s. Therefore some output ends with a query (DA1), to which the
/// terminal replies when it reaches the query. The gauge limits the bytes that no reply has acknowledged to a window.
/// The window is small at the start, grows if replies are quick and shrinks if they are late.
struct ConnectionGauge {
    private struct Query {
        var time: Instant
        /// The number of all bytes that were sent before the query.
        var position: Int
        /// The number of bytes that were sent together with the query.
        var count: Int
        /// The number of bytes that were not acknowledged when the query was sent.
        var unacknowledged: Int
    }

    /// The measurement of the round-trip time. ssh sends a query together with the bytes that follow it. Therefore the
    /// reply to a query before an update can take as long as the transmission of the update, and does not show the
    /// round-trip time. Unless a reply arrives within ``quickReply``, the output pauses once, after the second reply.
    /// The pause lasts until all bytes are acknowledged (`draining`) and the reply to a query without other bytes has
    /// arrived (`measuring`).
    private enum Calibration {
        case pending
        case draining
        case measuring
        case done
    }

    /// The query whose reply is missing; nil if no reply is missing.
    private var awaited: Query?
    private var lastQueryTime: Instant?
    private var pendingReplies = 0 { didSet { gifplay_expect_reply(isReplyPending) } }
    private var replyCount = 0
    /// The shortest time from a query to its reply so far, in nanoseconds: an estimate of the round-trip time.
    private var shortestRoundTrip = Int64.max
    /// Whether the output is unlimited, because no reply is expected.
    private var isSilent = true
    /// The maximum number of sent bytes that no reply has acknowledged.
    private(set) var window = Self.firstWindow
    private var bytes = (sent: 0, acknowledged: 0, unqueried: 0)
    /// The number of grants since the first query.
    private var grantCount = 0
    /// The time of the latest query that was answered, and the time of the reply to it.
    private var lastReply: (query: Instant, arrival: Instant)?
    private var calibration = Calibration.pending
    /// The highest delivery rate that was measured during the calibration, in bytes per second.
    private var calibrationRate = 0.0
    /// After a repeated query, no further query is sent before this time, because more replies might arrive.
    private var repeatedRepliesEnd: Instant?

    /// The accepted delay that is caused by bytes in buffers. A reply that takes longer than the fastest reply plus
    /// this time shows that the terminal is behind.
    var targetDelay = Terminal.targetDelay
    /// The minimum time between two queries, unless the window requires a query earlier. Each reply is a wake-up, but with
    /// one query per second, up to seven frames are late after a stall.
    static let queryInterval = 500 * Span.millisecond
    /// If no reply has arrived after this time, for example because the terminal was detached, the query is repeated.
    static let repeatInterval = 10 * Span.second
    /// The timeout for the first reply. Until then, a terminal that never replies gets ``firstWindow`` and the grants.
    var firstReplyTimeout = Self.remoteReplyTimeout
    static let remoteReplyTimeout = 5 * Span.second
    /// Without ssh, a terminal has replied long before, or it never replies.
    static let localReplyTimeout = Span.second
    /// The bytes that may be sent in each ``grantInterval`` before the first reply, so that the picture moves. This
    /// is less than half the rate of a connection of 80 kbit/s, so even there the bytes in transit decrease.
    static let grant = 400
    static let grantInterval = 100 * Span.millisecond
    /// The timeout for the second reply. If the terminal replies only once, the picture waits for this time.
    static let secondReplyTimeout = 6 * Span.second
    /// The window before the calibration, in bytes. A connection of 80 kbit/s transmits it in 1.6 s, so the first reply
    /// arrives before ``remoteReplyTimeout``. The rest of a larger first frame waits for one round trip.
    static let firstWindow = 16 << 10
    /// The smallest window that the calibration sets, because a rate that is measured with few bytes can be too low.
    private static let calibratedWindow = 4 << 10
    /// A reply within this time makes the calibration unnecessary.
    static let quickReply = 50 * Span.millisecond
    private static let localReply = 20 * Span.millisecond
    /// The smallest and the largest value of ``window``, in bytes.
    static let windows = 256...64 << 20
    private static let minimumQueryDistance = 128
    /// The shortest time used to estimate a rate, because replies cannot be timed exactly.
    private static let resolution = 2 * Span.millisecond

    /// Whether the reply to any query is still missing.
    var isReplyPending: Bool { pendingReplies > 0 }
    /// Whether the timeout for the first reply has passed.
    var isUnanswered: Bool { isSilent && isReplyPending }
    var hasReplied: Bool { replyCount > 0 }
    /// Whether the terminal has replied more than once, or has replied after a timeout.
    var hasRepliedRepeatedly: Bool { replyCount > 1 }
    /// The number of sent bytes that no reply has acknowledged.
    var unacknowledged: Int { bytes.sent - bytes.acknowledged }
    /// The number of bytes that may be sent now.
    var allowance: Int {
        isSilent ? .max : isCalibrating ? 0 : max(0, window + grantCount * Self.grant - unacknowledged)
    }
    /// The number of bytes of pictures that may be sent now, so that the answer to a key waits for at most half a window;
    /// nil if the connection is quick. Small remainders are not used, because each update has bytes of its own.
    var pictureAllowance: Int? {
        guard !isSilent, window < Self.quickWindow else { return nil }
        if replyCount == 0 { return allowance }
        return isCalibrating || unacknowledged > window / 4 ? 0 : window / 2 - unacknowledged
    }
    /// In bytes. With a round trip of 100 ms, this is the window of about 200 KB per second.
    private static let quickWindow = 64 << 10
    private var isCalibrating: Bool { calibration == .draining || calibration == .measuring }
    /// The number of bytes after which a query is due. It is usually a quarter of the window, so that replies
    /// acknowledge the bytes in small steps.
    var queryDistance: Int { isSilent ? .max : max(Self.minimumQueryDistance, window / 4) }

    /// Returns whether to send a query after the next `count` bytes. Only one query is pending at a time, because some
    /// terminal emulators might reply to only one of two pending queries.
    /// - Parameter isPeriodic: whether a query is also due because ``queryInterval`` has passed.
    func shouldQuery(at now: Instant, adding count: Int = 0, isPeriodic: Bool = true) -> Bool {
        guard replyCount > 0, pendingReplies == 0 else { return false }
        if let repeatedRepliesEnd, now < repeatedRepliesEnd { return false }
        guard bytes.unqueried + count < queryDistance, !isCalibrating else { return true }
        guard isPeriodic else { return false }
        // The first query was sent before any update, so the reply to it does not show the rate of the connection.
        // Therefore, send the second query as soon as possible.
        if replyCount == 1 { return true }
        return lastQueryTime.map { now - $0 >= Self.queryInterval } ?? true
    }

    /// Records bytes that were sent, and then a query if `hasQuery` is true.
    mutating func recordSent(_ count: Int, hasQuery: Bool, at now: Instant) {
        bytes.unqueried += count
        bytes.sent += count
        guard hasQuery else { return }
        awaited = Query(time: now, position: bytes.sent, count: count, unacknowledged: unacknowledged)
        bytes.unqueried = 0
        pendingReplies += 1
        lastQueryTime = now
        isSilent = false
    }

    /// - Parameter earliest: the time of the poll before `now`. The reply cannot have arrived earlier.
    mutating func recordReply(at now: Instant, notBefore earliest: Instant) {
        // Ignore a reply without a pending query. It would suggest that the terminal replies to each query.
        guard pendingReplies > 0 else { return }
        replyCount += 1
        grantCount = 0
        let isRepeated = pendingReplies > 1
        pendingReplies = 0
        repeatedRepliesEnd = isRepeated ? now + Span.second : nil
        guard let query = awaited else { return }
        awaited = nil
        let arrival = max(query.time, earliest)
        let rate = deliveryRate(query, arrival)
        let isLimited = unacknowledged > window / 2
        bytes.acknowledged = query.position
        lastReply = (query.time, arrival)
        if isSilent {
            // This late reply shows that the terminal answers queries. Count it as the second reply, so that a missing
            // reply no longer makes the output unlimited. The reply to the next query can be missing for a long time,
            // because the output was unlimited until now.
            isSilent = false
            replyCount = max(replyCount, 2)
            window = Self.firstWindow
        } else if !isRepeated {
            adaptWindow(query, roundTrip: arrival - query.time, rate: rate, isLimited: isLimited)
        }
    }

    /// Returns a lower bound of the connection's rate, in bytes per second. It is the larger of two rates. The first
    /// one is the number of bytes that were sent together with the query, divided by the time until the reply. The
    /// second one is the number of bytes between the previous answered query and this query, divided by the time
    /// between the two queries or the time between the two replies, whichever is longer.
    ///
    /// Source: draft-cheng-iccrg-delivery-rate-estimation-02, section 2.
    private func deliveryRate(_ query: Query, _ arrival: Instant) -> Double {
        let alone = Self.rate(query.count, in: arrival - query.time)
        guard let lastReply else { return alone }
        let span = max(arrival - lastReply.arrival, query.time - lastReply.query)
        return max(alone, Self.rate(query.position - bytes.acknowledged, in: span))
    }

    private static func rate(_ count: Int, in span: Int64) -> Double {
        Double(count) * Double(Span.second) / Double(max(resolution, span))
    }

    /// - Parameter isLimited: whether the window limited the output. If so, `rate` is too low.
    private mutating func adaptWindow(_ query: Query, roundTrip: Int64, rate: Double, isLimited: Bool) {
        shortestRoundTrip = min(shortestRoundTrip, roundTrip)
        guard calibration == .done else { return calibrate(roundTrip: roundTrip, rate: rate) }
        let limit = shortestRoundTrip + targetDelay
        if roundTrip > limit {
            let size = Double(min(window, query.unacknowledged)) * Double(limit) / Double(roundTrip)
            window = max(Self.windows.lowerBound, window / 8, Int(size))
            return
        }
        let size = max(Int(rate * windowSpan), isLimited ? window * 3 / 2 : 0)
        // After a pause, the rate of the first bytes can exceed the rate of the connection. Therefore, a single reply
        // can increase the window to no more than twice its size.
        window = max(window, min(size, 2 * window, Self.windows.upperBound))
    }

    private mutating func calibrate(roundTrip: Int64, rate: Double) {
        if roundTrip <= Self.quickReply {
            calibration = .done
            return
        }
        calibrationRate = max(calibrationRate, rate)
        switch calibration {
        case .pending where !hasRepliedRepeatedly: break
        case .pending, .draining: calibration = unacknowledged == 0 ? .measuring : .draining
        case .measuring, .done:
            calibration = .done
            window = max(Self.calibratedWindow, min(window, Int(calibrationRate * windowSpan)))
        }
    }

    /// The time in seconds in which the connection transmits a full window. It includes two round trips, because a
    /// query waits for the reply to the previous one.
    private var windowSpan: Double { Double(2 * shortestRoundTrip + targetDelay) / Double(Span.second) }

    /// Returns whether the terminal is so far behind that another update would arrive late. On a connection with a high
    /// latency, several updates can be in transit without being late.
    func isBehind(at now: Instant) -> Bool {
        guard !isSilent else { return false }
        if replyCount == 0 { return allowance == 0 }
        if unacknowledged > window / 2 || pendingReplies > 1 || isCalibrating { return true }
        guard let awaited else { return false }
        let usual = shortestRoundTrip == .max ? 0 : shortestRoundTrip
        return now - awaited.time > usual + targetDelay
    }

    /// The time at which ``handleMissingReply(at:)`` is due; nil if no call is due.
    var deadline: Instant? {
        guard let awaited else { return repeatedRepliesEnd }
        guard !isSilent else { return nil }
        switch replyCount {
        case 0: return awaited.time + min(firstReplyTimeout, Int64(grantCount + 1) * Self.grantInterval)
        case 1: return awaited.time + Self.secondReplyTimeout
        default: return awaited.time + Self.repeatInterval
        }
    }

    /// Call this at ``deadline`` if a reply is missing. Before ``firstReplyTimeout``, grants further bytes. Later, if
    /// the terminal has replied repeatedly, the output waits for the reply to another query. Otherwise, nothing limits
    /// the output.
    /// - Returns: whether to send another query, which ``recordSent(_:hasQuery:at:)`` then records.
    mutating func handleMissingReply(at now: Instant) -> Bool {
        guard let awaited else {
            repeatedRepliesEnd = nil
            return shouldQuery(at: now, isPeriodic: false)
        }
        if replyCount == 0, now < awaited.time + firstReplyTimeout {
            grantCount = Int((now - awaited.time) / Self.grantInterval)
            return false
        }
        guard hasRepliedRepeatedly else {
            isSilent = true
            return false
        }
        return true
    }

    /// Whether a reply that arrives now is so quick that the terminal is on this machine or in the same building.
    func isReplyQuick(at now: Instant) -> Bool {
        (awaited.map { now - $0.time } ?? shortestRoundTrip) <= Self.localReply
    }

    /// The time until which the end of a session should wait for a missing reply.
    var lastReplyDeadline: Instant {
        let timeout = hasReplied ? Timeouts.lastReply : min(Timeouts.lastReply, firstReplyTimeout)
        return lastQueryTime.map { $0 + timeout } ?? Instant(nanoseconds: 0)
    }

    /// Forgets all queries without a reply.
    mutating func reset() {
        awaited = nil
        pendingReplies = 0
        bytes.acknowledged = bytes.sent
        bytes.unqueried = 0
        isSilent = isSilent || replyCount == 0
        if isCalibrating { calibration = .pending }
    }
}
