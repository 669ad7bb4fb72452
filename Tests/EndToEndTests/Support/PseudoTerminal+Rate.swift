import Foundation

/// Simulates a slow connection to the terminal, and checks how the program exits on such a connection.
extension PseudoTerminal {
    /// The total number of bytes received up to a point in time.
    struct Arrival {
        var time: ContinuousClock.Instant
        var count: Int
    }

    /// Reads output at a limited rate, in slices of 10 ms.
    /// - Parameters:
    ///   - rate: bytes per second; nil for the maximum (16 MiB per second), 0 for a stalled connection.
    ///   - condition: stops reading early when it returns true.
    /// - Returns: the byte count at the end of each slice.
    @discardableResult
    func readOutput(
        at rate: Int?, for duration: Duration, until condition: () -> Bool = { false }
    ) -> [Arrival] {
        var arrivals: [Arrival] = []
        var last = ContinuousClock.now
        let end = last + duration
        var allowance = 0.0
        while last < end, !condition() {
            poll(nil, 0, 10)
            let now = ContinuousClock.now
            let more = Double(rate ?? 1 << 24) * ((now - last) / .seconds(1))
            // Limits the bytes that may be read at once to 100 ms of data. Otherwise, the test would read a burst after
            // a delay of its own.
            allowance = min(allowance + more, max(1, Double(rate ?? 1 << 24) / 10))
            last = now
            while allowance >= 1, isReadable {
                let count = take(atMost: min(Int(allowance), 64 << 10))
                guard count > 0 else { return arrivals }
                allowance -= Double(count)
            }
            arrivals.append(Arrival(time: .now, count: output.count))
        }
        return arrivals
    }

    private var isReadable: Bool {
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    var hasEnded: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_code != 0
    }

    /// Reads at `rate` until the program exits.
    /// - Returns: the exit status and the time until the exit; nil if the program does not exit within 30 seconds.
    func waitForExit(readingAt rate: Int?) -> (status: Int32, time: Duration)? {
        let start = ContinuousClock.now
        readOutput(at: rate, for: .seconds(30)) { hasEnded }
        // The reading stops when the kernel closes the terminal, which is shortly before the program has ended.
        while !hasEnded, ContinuousClock.now - start < .seconds(30) { poll(nil, 0, 10) }
        let time = ContinuousClock.now - start
        guard hasEnded else { return nil }
        let status = reap()
        readOutput(at: nil, for: .milliseconds(50))
        return (status, time)
    }

    /// Ends the program with `keys`, or with `signal` if given, while reading at `rate`.
    /// - Returns: a description of the first exit property that is wrong (status, modes, screen, time); nil if all are
    ///   correct.
    func exitProblem(
        keys: String = "q", signal: Int32? = nil, readingAt rate: Int? = nil, status: Int32 = 0,
        within limit: Duration = .seconds(1)
    ) -> String? {
        if let signal { Foundation.kill(process, signal) } else { send(keys) }
        guard let end = waitForExit(readingAt: rate) else { return "does not exit" }
        if end.status != status { return "status \(end.status)" }
        if !hasInitialModes { return "terminal modes not restored" }
        // The kernel keeps up to 4 KB of output for a stalled terminal, and no program can withdraw it. If this output
        // contains a query, the terminal replies after the program has ended.
        let isRestored = isScreenRestored || (rate == 0 && text.hasSuffix(Self.restored + "^[[?62;22c"))
        if !isRestored { return "screen not restored: \(text.suffix(100).debugDescription)" }
        return end.time < limit ? nil : "exit after \(end.time)"
    }

    /// Returns the value in KiB of a field of `/proc/PID/status`. Throws if the field is missing.
    func memory(_ field: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
            let value = Int(number)
        else { throw Failure(description: "no \(field) of \(process)") }
        return value
    }

    func hasLocalMode(_ mode: Int32) -> Bool {
        var present = termios()
        return tcgetattr(master, &present) == 0 && present.c_lflag & tcflag_t(mode) != 0
    }

    /// Whether the terminal modes equal the initial modes, which are the modes of a new pseudo-terminal.
    var hasInitialModes: Bool {
        var other: Int32 = -1
        var slave: Int32 = -1
        guard openpty(&other, &slave, nil, nil, nil) == 0 else { return false }
        defer {
            close(other)
            close(slave)
        }
        var fresh = termios()
        var present = termios()
        guard tcgetattr(other, &fresh) == 0, tcgetattr(master, &present) == 0 else { return false }
        return withUnsafeBytes(of: &fresh.c_cc) { one in
            withUnsafeBytes(of: &present.c_cc) { other in one.elementsEqual(other) }
        } && fresh.c_iflag == present.c_iflag && fresh.c_oflag == present.c_oflag
            && fresh.c_cflag == present.c_cflag && fresh.c_lflag == present.c_lflag
    }

    /// Whether the output ends with the sequences that show the cursor and leave the alternate screen.
    var isScreenRestored: Bool { text.hasSuffix(Self.restored) }

    private static let restored = "\u{1B}[?25h\u{1B}[?1049l"

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

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
