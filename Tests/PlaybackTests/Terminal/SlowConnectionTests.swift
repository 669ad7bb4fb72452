import Base
import Testing

@testable import Playback

@Suite("Updates on a simulated connection")
struct SlowConnectionTests {
    struct Link: CustomTestStringConvertible {
        /// The rate in kilobits per second.
        var rate: Double
        /// The round-trip time in milliseconds.
        var roundTrip: Int64
        var testDescription: String { "\(Int(rate)) kbit/s, \(roundTrip) ms" }
    }

    static let links = [80.0, 160, 400, 800, 2000].flatMap { rate in
        [2, 20, 100, 300].map { Link(rate: rate, roundTrip: $0) }
    }

    /// Returns an update with a control sequence for each cell, which is the encoder's output for noise.
    private func update(of count: Int) -> [UInt8] {
        let cell = Array("\u{1B}[38;2;100;100;100;48;2;100;100;100m▀".utf8)
        return (0..<count / cell.count).flatMap { _ in cell }
    }

    private func play(_ link: Link, bytes: Int, interval: Int64 = 40, seconds: Int64 = 20) -> SimulatedConnection {
        var connection = SimulatedConnection(rate: link.rate * 1000 / 8, roundTrip: link.roundTrip * Span.millisecond)
        connection.play(update(of: bytes), interval: interval * Span.millisecond, for: seconds * Span.second)
        return connection
    }

    @Test(
        "After 3 s, bytes are in transit for at most 1 s, and a slow connection uses over 30 % of its rate",
        arguments: links, [2_000, 12_000, 48_000, 250_000])
    func transit(link: Link, bytes: Int) {
        let connection = play(link, bytes: bytes)
        #expect(connection.longestTransit <= 1, "\(connection.longestTransit) s")
        let isSlower = link.rate * 1000 / 8 < Double(bytes) * 25
        #expect(!isSlower || connection.utilization > 0.3, "\(connection.utilization)")
    }

    @Test("With a target delay of 100 ms, a connection of 1 Mbit/s and 20 ms delivers updates within 200 ms")
    func shortDelay() {
        let updates = [2_000, 4_000, 8_000, 16_000].map(update)
        for roundTrip in [2, 20] {
            for update in updates {
                var connection = SimulatedConnection(
                    rate: 125_000, roundTrip: Int64(roundTrip) * Span.millisecond, targetDelay: 100 * Span.millisecond)
                connection.play(update, interval: 40 * Span.millisecond, for: 20 * Span.second)
                #expect(connection.longestTransit <= 0.2, "\(update.count) bytes: \(connection.longestTransit) s")
                #expect(connection.utilization > 0.3, "\(connection.utilization)")
            }
        }
    }

    @Test("A quick connection carries every update, with two queries per second", arguments: [2_000, 48_000])
    func quick(bytes: Int) {
        let connection = play(Link(rate: 400_000, roundTrip: 1), bytes: bytes)
        #expect(connection.updateCount >= 20 * 25 - 1)
        #expect(connection.queryCount <= 2 * 20 + 5, "\(connection.queryCount) queries")
    }

    @Test("On a terminal that does not reply, small updates are sent from the first second", arguments: [1_000, 4_000])
    func movesFromTheStart(bytes: Int) {
        var connection = SimulatedConnection(rate: 50e6, roundTrip: 0)
        connection.replies = false
        connection.play(update(of: bytes), interval: 100 * Span.millisecond, for: 4 * Span.second)
        // 16 KiB at once, then 4 kB per second.
        #expect(connection.updateCount >= 28_000 / bytes && connection.sentCount < 38_000)
    }

    @Test("A terminal that does not reply delays only the updates of the first 5 s")
    func silent() {
        var connection = SimulatedConnection(rate: 50e6, roundTrip: 0)
        connection.replies = false
        connection.play(update(of: 48_000), interval: 40 * Span.millisecond, for: 8 * Span.second)
        #expect(connection.updateCount >= 3 * 25 && connection.queryCount == 1)
    }

    @Test("A large update is divided only between control sequences, and no byte is lost")
    func pieces() {
        var pacer = UpdatePacer()
        pacer.gauge.recordSent(0, hasQuery: true, at: Instant(nanoseconds: 0))
        let bytes = Array("\u{1B}]52;c;AAAA\u{1B}\\".utf8) + update(of: 200_000) + Array("the end".utf8)
        #expect(!pacer.admits(bytes.count))
        bytes.withUnsafeBytes { pacer.hold($0) }
        var received: [UInt8] = []
        var now = Instant(nanoseconds: Span.millisecond)
        for _ in 0..<1000 where pacer.isHolding {
            while let piece = pacer.nextPiece() {
                let next = pacer.heldBytes[piece.upperBound...]
                #expect(next.isEmpty || next.starts(with: "\u{1B}[".utf8))
                received += pacer.heldBytes[piece]
                pacer.gauge.recordSent(piece.count, hasQuery: pacer.gauge.shouldQuery(at: now), at: now)
            }
            now = now + 20 * Span.millisecond
            pacer.gauge.recordReply(at: now, notBefore: now)
            if pacer.gauge.shouldQuery(at: now) { pacer.gauge.recordSent(0, hasQuery: true, at: now) }
        }
        #expect(received == bytes)
    }
}

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
