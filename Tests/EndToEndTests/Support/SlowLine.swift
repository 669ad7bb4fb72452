import Foundation

/// A pseudo terminal at the end of a slow line.
extension PseudoTerminal {
    /// How many bytes had come by when.
    struct Arrival {
        var time: ContinuousClock.Instant
        var count: Int
    }

    /// Reads as a line of so many bytes a second carries them, in slices of 10 ms.
    /// - Parameters:
    ///   - rate: nil for as fast as they come, 0 for a line that stands still.
    ///   - condition: ends it before its time.
    /// - Returns: what had come at the end of each slice.
    @discardableResult
    func carry(
        _ rate: Int?, for duration: Duration, until condition: () -> Bool = { false }
    ) -> [Arrival] {
        var arrivals: [Arrival] = []
        var last = ContinuousClock.now
        let end = last + duration
        var room = 0.0
        while last < end, !condition() {
            poll(nil, 0, 10)
            let now = ContinuousClock.now
            let more = Double(rate ?? 1 << 24) * ((now - last) / .seconds(1))
            // A line that stood still for want of the test does not make up for it.
            room = min(room + more, max(1, Double(rate ?? 1 << 24) / 10))
            last = now
            while room >= 1, isReadable {
                let count = take(atMost: min(Int(room), 64 << 10))
                guard count > 0 else { return arrivals }
                room -= Double(count)
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

    /// Goes on carrying until the program has ended.
    /// - Returns: its exit status and how long it took; nil where it does not end in half a minute.
    func end(carrying rate: Int?) -> (status: Int32, time: Duration)? {
        let start = ContinuousClock.now
        carry(rate, for: .seconds(30)) { hasEnded }
        let time = ContinuousClock.now - start
        guard hasEnded else { return nil }
        let status = reap()
        carry(nil, for: .milliseconds(50))
        return (status, time)
    }

    /// Ends it as the keys or the signal say, on a line of this rate.
    /// - Returns: what is wrong with how it ended; nil where nothing is.
    func problem(
        endingBy keys: String = "q", signal: Int32? = nil, carrying rate: Int? = nil, status: Int32 = 0,
        within limit: Duration = .seconds(1)
    ) -> String? {
        if let signal { Foundation.kill(process, signal) } else { send(keys) }
        guard let end = end(carrying: rate) else { return "does not end" }
        if end.status != status { return "status \(end.status)" }
        if !hasFirstModes { return "other modes than before" }
        if !hasFarewell { return "the screen is not given back: \(text.suffix(100).debugDescription)" }
        return end.time < limit ? nil : "ended after \(end.time)"
    }

    /// A line of `/proc/PID/status` in KiB.
    func memory(_ field: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
            let value = Int(number)
        else { throw Failure(description: "no \(field) of \(process)") }
        return value
    }

    /// The terminal's modes are those of a new one, as they were at the start.
    var hasFirstModes: Bool {
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

    /// The screen was given back as the last thing.
    var hasFarewell: Bool { text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l") }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
