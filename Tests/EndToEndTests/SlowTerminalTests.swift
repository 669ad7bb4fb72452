import Foundation
import Pixels
import TestSupport
import Testing

/// The real program on terminal connections that are slow or stalled.
@Suite(.timeLimit(.minutes(15)), .serialized) struct SlowTerminalTests {
    /// A rate in bytes per second, and the size of a pane whose frames take about a second at that rate.
    private struct Line {
        var rate: Int
        var columns: Int
        var rows: Int
    }

    /// Prints a measurement for docs/RELIABILITY.md if GIFPLAY_TELL is set.
    private static func tell(_ text: String) {
        if ProcessInfo.processInfo.environment["GIFPLAY_TELL"] != nil { print(text) }
    }

    private static func play(_ film: NumberedFilm, _ folder: TemporaryFolder) throws -> PseudoTerminal {
        let file = try folder.write(film.bytes, to: UUID().uuidString + ".gif")
        return try PseudoTerminal(["--bare", file], columns: film.columns, rows: film.rows)
    }

    /// Waits for the first frame and returns the current time.
    private static func begin(_ terminal: PseudoTerminal) throws -> ContinuousClock.Instant {
        try terminal.read("the first frame") { $0.output.firstRange(of: Array("\u{1B}[2J".utf8)) != nil }
        return .now
    }

    @Test("A frame on a slow line is the one that is due or the one before, and memory is flat")
    func keepsUp() throws {
        let lines = [
            Line(rate: 2000, columns: 12, rows: 4), Line(rate: 20_000, columns: 40, rows: 12),
            Line(rate: 200_000, columns: 80, rows: 24),
        ]
        let folder = try TemporaryFolder()
        atOnce(lines) { line in
            let film = NumberedFilm(columns: line.columns, rows: line.rows, frames: 30, centiseconds: 20)
            let terminal = try Self.play(film, folder)
            let start = try Self.begin(terminal)
            let before = try terminal.memory("VmRSS")
            let arrivals = terminal.carry(line.rate, for: .seconds(6))
            let growth = try terminal.memory("VmRSS") - before
            if let problem = terminal.problem(carrying: line.rate) { return problem }
            // The first frames are sent before the terminal has answered for the first time, so they are ignored.
            let drawn = try film.drawn(terminal.output, arrivals).filter { $0.begin - start > .seconds(2.5) }
            let behind = drawn.map { film.framesBehind($0, at: $0.begin, start: start) }
            Self.tell("\(line): frames of \(drawn.map(\.bytes).max() ?? 0) bytes, behind \(behind), \(growth) KiB more")
            if behind.count < 3 || growth > 2048 { return "\(behind.count) frames, \(growth) KiB more" }
            return behind.allSatisfy { $0 <= 1 } ? nil : "frames behind: \(behind)"
        }
    }

    @Test("After a line has stood still for 5 s the right frame is next, and nothing has piled up")
    func standsStill() throws {
        let folder = try TemporaryFolder()
        atOnce([CellSize(columns: 14, rows: 6), CellSize(columns: 80, rows: 24)]) { size in
            let film = NumberedFilm(columns: size.columns, rows: size.rows, frames: 36, centiseconds: 20)
            let terminal = try Self.play(film, folder)
            let start = try Self.begin(terminal)
            var arrivals = terminal.carry(nil, for: .seconds(1))
            let before = try terminal.memory("VmRSS")
            arrivals += terminal.carry(0, for: .seconds(5))
            let flows = ContinuousClock.now
            let growth = try terminal.memory("VmRSS") - before
            arrivals += terminal.carry(nil, for: .seconds(1))
            if let problem = terminal.problem() { return problem }
            let drawn = try film.drawn(terminal.output, arrivals).filter { $0.end > flows }
            let behind = drawn.map { film.framesBehind($0, at: $0.begin, start: start) }
            Self.tell("stall, \(size): behind \(behind), \(growth) KiB more")
            if behind.count < 3 || growth > 2048 { return "\(behind.count) frames, \(growth) KiB more" }
            // Frames sent before the stall still arrive, because a connection that keeps up is queried only twice a
            // second.
            let old = behind.prefix { $0 > 1 }
            return old.count <= 3 && behind.dropFirst(old.count).allSatisfy { $0 <= 1 }
                ? nil : "frames behind: \(behind)"
        }
    }

    @Test("q and SIGTERM end it within a second however slow the line, and the screen is given back")
    func quits() throws {
        let film = NumberedFilm(columns: 80, rows: 24, frames: 10, centiseconds: 4)
        let folder = try TemporaryFolder()
        for signal in [nil, SIGTERM] {
            atOnce([0, 2000, 20_000, 200_000]) { rate in
                let terminal = try Self.play(film, folder)
                _ = try Self.begin(terminal)
                terminal.carry(rate, for: .seconds(1))
                let start = ContinuousClock.now
                let problem = terminal.problem(signal: signal, carrying: rate, status: signal == nil ? 0 : 143)
                Self.tell(
                    "\(signal == nil ? "q" : "SIGTERM") at \(rate) bytes a second: \(ContinuousClock.now - start)")
                return problem
            }
        }
    }

    @Test("Keys and resizes on a line that stands still do not pile up")
    func pilesNothing() throws {
        let film = NumberedFilm(columns: 80, rows: 24, frames: 10, centiseconds: 4)
        let folder = try TemporaryFolder()
        let file = try folder.write(film.bytes, to: "film.gif")
        atOnce([".", " ", "+-", "resize"]) { keys in
            let terminal = try PseudoTerminal([file], columns: 80, rows: 24)
            _ = try Self.begin(terminal)
            // By now the loop is cached, so memory does not grow by itself.
            terminal.carry(nil, for: .milliseconds(1200))
            terminal.carry(0, for: .milliseconds(500))
            let before = try terminal.memory("VmRSS")
            for number in 0..<200 {
                if keys == "resize" {
                    terminal.resize(columns: 60 + number % 20, rows: 20)
                } else {
                    terminal.send(keys)
                }
                // The pauses let the program handle the inputs individually.
                if number % 2 == 0 { terminal.carry(0, for: .milliseconds(10)) }
            }
            let growth = try terminal.memory("VmRSS") - before
            let count = terminal.output.count
            terminal.carry(nil, for: .milliseconds(50))
            // Pending output arrives at once; later frames arrive at their normal rate.
            let waited = terminal.output.count - count
            Self.tell("\(keys) 200 times: \(growth) KiB more, \(waited) bytes waited")
            if growth > 2048 || waited > 250_000 { return "\(growth) KiB more, \(waited) bytes waited" }
            return terminal.problem()
        }
    }

    @Test("The browser on a slow line hears keys and ends within a second")
    func browser() throws {
        let folder = try TemporaryFolder()
        atOnce([0, 2000, 20_000, 200_000]) { rate in
            let terminal = try PseudoTerminal(
                ["browse", "cat"], columns: 60, rows: 16,
                environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path])
            try terminal.read("tiles") { $0.output.count > 4000 }
            let before = try terminal.memory("VmRSS")
            terminal.carry(rate, for: .seconds(2))
            let sent = terminal.output.count
            let start = ContinuousClock.now
            terminal.send("?")
            let isTooSlow = rate == 0 || rate == 2000
            if !isTooSlow { terminal.carry(rate, for: .seconds(5)) { terminal.text.contains("Keys (") } }
            Self.tell(
                "browser at \(rate): help after \(terminal.output.count - sent) bytes, \(ContinuousClock.now - start), "
                    + "\(try terminal.memory("VmRSS") - before) KiB more")
            if !isTooSlow, !terminal.text.contains("Keys (") { return "no help" }
            return terminal.problem(endingBy: "\u{3}", carrying: rate, status: 130)
        }
    }
}
