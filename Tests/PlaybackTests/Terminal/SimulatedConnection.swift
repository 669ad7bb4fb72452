import Base

@testable import Playback

/// A model of an ssh or network connection with a limited rate, a round-trip time and unlimited buffers. It drives an
/// ``UpdatePacer`` in virtual time, as ``Terminal`` does in real time.
struct SimulatedConnection {
    /// The rate in bytes per second.
    let rate: Double
    /// The round-trip time in nanoseconds, without the time to transmit the bytes.
    let roundTrip: Int64
    /// Whether the terminal replies to queries.
    var replies = true

    private(set) var pacer = UpdatePacer()
    private(set) var queryCount = 0
    private(set) var updateCount = 0
    private(set) var sentCount = 0
    /// The longest time in seconds that sent bytes were in transit. The time before ``settlingTime`` is not measured.
    private(set) var longestTransit = 0.0
    private var now: Int64 = 0
    /// The time at which the last of the sent bytes arrives.
    private var busyUntil: Int64 = 0
    private var replyTimes: [Int64] = []
    /// The packet that contains the latest query: the number of bytes after the query, and the time at which the packet
    /// began.
    private var packet = (count: 0, begin: -Span.second)

    static let settlingTime = 3 * Span.second
    /// The number of bytes in the two control sequences that begin and end a synchronized update.
    private static let updateOverhead = 16

    init(rate: Double, roundTrip: Int64, targetDelay: Int64 = 200 * Span.millisecond) {
        pacer.gauge.targetDelay = targetDelay
        self.rate = rate
        self.roundTrip = roundTrip
    }

    /// The average number of bytes sent per second, as a fraction of the rate.
    var utilization: Double { Double(sentCount) / rate / (Double(now) / Double(Span.second)) }

    private var instant: Instant { Instant(nanoseconds: now) }
    private var isDrained: Bool { !pacer.isHolding && !pacer.gauge.isBehind(at: instant) }

    /// Begins an update every `interval` nanoseconds unless the connection is behind.
    mutating func play(_ update: [UInt8], interval: Int64, for duration: Int64) {
        pacer.gauge.recordSent(0, hasQuery: true, at: instant)
        send(0, hasQuery: true)
        var isDue = true
        var nextDue = interval
        while now < duration {
            if isDue, isDrained {
                isDue = false
                present(update)
            }
            let events: [Int64?] = [nextDue, replyTimes.first, pacer.gauge.deadline?.nanoseconds]
            now = max(now, events.compactMap { $0 }.min() ?? duration)
            if let reply = replyTimes.first, reply <= now {
                replyTimes.removeFirst()
                pacer.gauge.recordReply(at: instant, notBefore: instant)
                sendHeld()
            } else if let deadline = pacer.gauge.deadline, deadline <= instant {
                if pacer.gauge.handleMissingReply(at: instant) { sendQuery() }
                sendHeld()
            }
            while nextDue <= now {
                nextDue += interval
                isDue = true
            }
        }
    }

    private mutating func present(_ update: [UInt8]) {
        updateCount += 1
        if pacer.admits(update.count) { return sendUpdate(update.count) }
        update.withUnsafeBytes { pacer.hold($0) }
        sendHeld()
    }

    private mutating func sendHeld() {
        while let piece = pacer.nextPiece() { sendUpdate(piece.count) }
        pacer.compact()
        if pacer.gauge.shouldQuery(at: instant, isPeriodic: false) { sendQuery() }
    }

    private mutating func sendUpdate(_ count: Int) {
        let hasQuery = pacer.gauge.shouldQuery(at: instant, adding: count)
        pacer.gauge.recordSent(count, hasQuery: hasQuery, at: instant)
        send(count + Self.updateOverhead, hasQuery: hasQuery)
    }

    private mutating func sendQuery() {
        pacer.gauge.recordSent(0, hasQuery: true, at: instant)
        send(0, hasQuery: true)
    }

    private mutating func send(_ count: Int, hasQuery: Bool) {
        sentCount += count
        busyUntil = max(now, busyUntil) + Int64(Double(count) / rate * Double(Span.second))
        if now >= Self.settlingTime {
            longestTransit = max(longestTransit, Double(busyUntil - now) / Double(Span.second))
        }
        // Like ssh, the connection delivers bytes in packets. Therefore, bytes that follow a query in the same packet
        // delay the reply.
        if now - packet.begin < Self.packetTime, packet.count < Self.packetSize, let last = replyTimes.last {
            packet.count += count
            replyTimes[replyTimes.count - 1] = max(last, busyUntil + roundTrip)
        }
        guard hasQuery else { return }
        queryCount += 1
        packet = (0, now)
        if replies { replyTimes.append(busyUntil + roundTrip) }
    }

    private static let packetTime = 5 * Span.millisecond
    private static let packetSize = 32 << 10
}
