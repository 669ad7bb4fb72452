import Foundation

/// Simulates ssh on a slow connection: all output is read at once, but the terminal receives it at a limited rate.
extension PseudoTerminal {
    /// The state of the simulated connection.
    struct Relay {
        /// Bytes per second.
        var rate: Double
        var roundTrip: Duration
        /// The number of bytes that the terminal has received.
        var received = 0.0
        fileprivate var last = ContinuousClock.now
        fileprivate var searched = 0
        fileprivate var replies: [ContinuousClock.Instant] = []

        init(rate: Double, roundTrip: Duration) {
            self.rate = rate
            self.roundTrip = roundTrip
        }
    }

    private static let query = Array("\u{1B}[c".utf8)

    /// The time in seconds until the terminal has received the bytes in transit.
    func transit(_ relay: Relay) -> Double { (Double(output.count) - relay.received) / relay.rate }

    /// Relays the output until `condition` returns true or `duration` has passed. The terminal replies to each query
    /// that it receives.
    func pass(through relay: inout Relay, for duration: Duration, until condition: (Relay) -> Bool = { _ in false }) {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end, !condition(relay) {
            var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            // After the program's exit, the first `poll` returns without a wait. The second `poll` then waits 2 ms, so
            // that the loop does not use all processor time.
            if poll(&descriptor, 1, 2) > 0, take(atMost: 64 << 10) <= 0 { poll(nil, 0, 2) }
            let now = ContinuousClock.now
            relay.received = min(
                Double(output.count), relay.received + relay.rate * ((now - relay.last) / .seconds(1)))
            relay.last = now
            while let found = output.firstRange(of: Self.query, in: relay.searched..<Int(relay.received)) {
                relay.searched = found.upperBound
                relay.replies.append(now + relay.roundTrip)
            }
            relay.searched = max(relay.searched, Int(relay.received) - Self.query.count + 1)
            while let reply = relay.replies.first, reply <= now {
                relay.replies.removeFirst()
                send("\u{1B}[?62;22c")
            }
        }
    }
}
