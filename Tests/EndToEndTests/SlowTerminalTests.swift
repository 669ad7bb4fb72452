import Foundation
import Pixels
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct SlowTerminalTests {
    /// A rate in bytes per second, and the size of a pane whose frames take 0.2 to 0.7 s at that rate.
    private struct Connection {
        var rate: Int
        var columns: Int
        var rows: Int
    }

    /// Prints a measurement for docs/RELIABILITY.md if GIFPLAY_PRINT_FIGURES is set.
    private static func printFigure(_ text: String) {
        if ProcessInfo.processInfo.environment["GIFPLAY_PRINT_FIGURES"] != nil { print(text) }
    }

    private static func play(_ animation: NumberedAnimation, _ folder: TemporaryFolder) throws -> PseudoTerminal {
        let file = try folder.write(animation.bytes, to: UUID().uuidString + ".gif")
        return try PseudoTerminal(["--bare", file], columns: animation.columns, rows: animation.rows)
    }

    /// Waits for the first frame and returns the current time.
    private static func begin(_ terminal: PseudoTerminal) throws -> ContinuousClock.Instant {
        try terminal.read("the first frame") { $0.output.firstRange(of: Array("\u{1B}[2J".utf8)) != nil }
        return .now
    }

    @Test("On a slow connection, playback is at most one frame late and memory does not grow")
    func playsOnTime() throws {
        let connections = [
            Connection(rate: 2000, columns: 12, rows: 4), Connection(rate: 20_000, columns: 40, rows: 12),
            Connection(rate: 200_000, columns: 80, rows: 24),
        ]
        let folder = try TemporaryFolder()
        forEachConcurrently(connections) { connection in
            let animation = NumberedAnimation(
                columns: connection.columns, rows: connection.rows, frames: 30, centiseconds: 20)
            let terminal = try Self.play(animation, folder)
            let start = try Self.begin(terminal)
            let before = try terminal.memory("VmRSS")
            let arrivals = terminal.readOutput(at: connection.rate, for: .seconds(6))
            let growth = try terminal.memory("VmRSS") - before
            if let problem = terminal.exitProblem(readingAt: connection.rate) { return problem }
            // Ignores the frames of the first 2.5 s, because gifplay detects a slow connection only after the
            // terminal has answered a query.
            let drawn = try animation.drawnFrames(in: terminal.output, arrivals: arrivals).filter {
                $0.begin - start > .seconds(2.5)
            }
            let behind = drawn.map { animation.framesBehind($0, at: $0.begin, start: start) }
            Self.printFigure(
                "\(connection): frames of \(drawn.map(\.bytes).max() ?? 0) bytes, behind \(behind), \(growth) KiB more")
            if behind.count < 3 || growth > 2048 { return "\(behind.count) frames, \(growth) KiB more" }
            return behind.allSatisfy { $0 <= 1 } ? nil : "frames behind: \(behind)"
        }
    }

    @Test("After a stall of 5 s, at most three frames are late, and memory does not grow")
    func stall() throws {
        let folder = try TemporaryFolder()
        forEachConcurrently([CellSize(columns: 14, rows: 6), CellSize(columns: 80, rows: 24)]) { size in
            let animation = NumberedAnimation(columns: size.columns, rows: size.rows, frames: 36, centiseconds: 20)
            let terminal = try Self.play(animation, folder)
            let start = try Self.begin(terminal)
            var arrivals = terminal.readOutput(at: nil, for: .seconds(1))
            let before = try terminal.memory("VmRSS")
            arrivals += terminal.readOutput(at: 0, for: .seconds(5))
            let resumed = ContinuousClock.now
            let growth = try terminal.memory("VmRSS") - before
            arrivals += terminal.readOutput(at: nil, for: .seconds(1))
            if let problem = terminal.exitProblem() { return problem }
            let drawn = try animation.drawnFrames(in: terminal.output, arrivals: arrivals).filter { $0.end > resumed }
            let behind = drawn.map { animation.framesBehind($0, at: $0.begin, start: start) }
            Self.printFigure("stall, \(size): behind \(behind), \(growth) KiB more")
            if behind.count < 3 || growth > 2048 { return "\(behind.count) frames, \(growth) KiB more" }
            // While the connection keeps up, gifplay queries the terminal only twice a second, so it detects the stall
            // late. The frames that it draws until then arrive when the stall ends.
            let old = behind.prefix { $0 > 1 }
            return old.count <= 3 && behind.dropFirst(old.count).allSatisfy { $0 <= 1 }
                ? nil : "frames behind: \(behind)"
        }
    }

    @Test("On a slow or stalled connection, 'q' and SIGTERM end the program within 2.5 s and restore the screen")
    func quits() throws {
        let animation = NumberedAnimation(columns: 80, rows: 24, frames: 10, centiseconds: 4)
        let folder = try TemporaryFolder()
        for signal in [nil, SIGTERM] {
            // Rates between 0 and 10,000 bytes per second are not tested, because a reply could then arrive after the
            // program's timeout of 2 s and reach the shell.
            forEachConcurrently([0, 10_000, 20_000, 200_000]) { rate in
                let terminal = try Self.play(animation, folder)
                _ = try Self.begin(terminal)
                terminal.readOutput(at: rate, for: .seconds(1))
                let start = ContinuousClock.now
                let problem = terminal.exitProblem(
                    signal: signal, readingAt: rate, status: signal == nil ? 0 : 143, within: .seconds(2.5))
                Self.printFigure(
                    "\(signal == nil ? "q" : "SIGTERM") at \(rate) bytes a second: \(ContinuousClock.now - start)")
                return problem
            }
        }
    }

    @Test("Keys and resizes during a stall increase neither the pending output nor the memory")
    func inputDuringStall() throws {
        let animation = NumberedAnimation(columns: 80, rows: 24, frames: 10, centiseconds: 4)
        let folder = try TemporaryFolder()
        let file = try folder.write(animation.bytes, to: "animation.gif")
        forEachConcurrently([".", " ", "+-", "resize"]) { keys in
            let terminal = try PseudoTerminal([file], columns: 80, rows: 24)
            _ = try Self.begin(terminal)
            // After 1.2 s, gifplay has cached the whole loop, so playback alone does not need more memory.
            terminal.readOutput(at: nil, for: .milliseconds(1200))
            terminal.readOutput(at: 0, for: .milliseconds(500))
            let before = try terminal.memory("VmRSS")
            for number in 0..<200 {
                if keys == "resize" {
                    terminal.resize(columns: 60 + number % 20, rows: 20)
                } else {
                    terminal.send(keys)
                }
                // The pauses let the program handle the inputs individually.
                if number % 2 == 0 { terminal.readOutput(at: 0, for: .milliseconds(10)) }
            }
            let growth = try terminal.memory("VmRSS") - before
            let count = terminal.output.count
            terminal.readOutput(at: nil, for: .milliseconds(50))
            // In these 50 ms, the test reads all pending output, and gifplay draws at most two more frames.
            let pending = terminal.output.count - count
            Self.printFigure("\(keys) 200 times: \(growth) KiB more, \(pending) bytes pending")
            if growth > 2048 || pending > 250_000 { return "\(growth) KiB more, \(pending) bytes pending" }
            return terminal.exitProblem()
        }
    }

    @Test("The gallery shows its help on a slow connection and quits within 2.5 s on a stalled connection")
    func browser() throws {
        let folder = try TemporaryFolder()
        forEachConcurrently([0, 2000, 20_000, 200_000]) { rate in
            let terminal = try PseudoTerminal(
                ["browse", "cat"], columns: 60, rows: 16,
                environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path])
            try terminal.read("tiles") { $0.output.count > 4000 }
            let before = try terminal.memory("VmRSS")
            terminal.readOutput(at: rate, for: .seconds(2))
            let sent = terminal.output.count
            let start = ContinuousClock.now
            terminal.send("?")
            let isTooSlow = rate == 0 || rate == 2000
            if !isTooSlow { terminal.readOutput(at: rate, for: .seconds(5)) { terminal.text.contains("Keys") } }
            Self.printFigure(
                "browser at \(rate): help after \(terminal.output.count - sent) bytes, \(ContinuousClock.now - start), "
                    + "\(try terminal.memory("VmRSS") - before) KiB more")
            if !isTooSlow, !terminal.text.contains("Keys") { return "no help" }
            return terminal.exitProblem(keys: "\u{3}", readingAt: rate, status: 130, within: .seconds(2.5))
        }
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct BufferedConnectionTests {
    struct Case: CustomTestStringConvertible {
        var kilobits: Double
        var milliseconds: Int
        var isGallery = false
        var testDescription: String { "\(Int(kilobits)) kbit/s, \(milliseconds) ms\(isGallery ? ", gallery" : "")" }
    }

    static let cases = [
        Case(kilobits: 160, milliseconds: 20), Case(kilobits: 400, milliseconds: 300),
        Case(kilobits: 160, milliseconds: 100, isGallery: true),
    ]

    @Test(
        "After 3 s of playback, at most 1 s of output is in transit, and a key ends the program within 1.5 s",
        arguments: cases)
    func transit(link: Case) throws {
        let folder = try TemporaryFolder()
        let animation = NumberedAnimation(columns: 80, rows: 24, frames: 10, centiseconds: 4)
        let file = try folder.write(animation.bytes, to: "noise.gif")
        let terminal = try PseudoTerminal(
            link.isGallery ? ["browse", "cat"] : [file], columns: 80, rows: 24,
            environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path], answers: false)
        var relay = PseudoTerminal.Relay(
            rate: link.kilobits * 1000 / 8, roundTrip: .milliseconds(link.milliseconds))
        terminal.pass(through: &relay, for: .seconds(3))
        var longest = 0.0
        terminal.pass(through: &relay, for: .seconds(3)) {
            longest = max(longest, terminal.transit($0))
            return false
        }
        #expect(longest <= 1, "\(longest) s in transit")
        let start = ContinuousClock.now
        terminal.send(link.isGallery ? "\u{3}" : "q")
        terminal.pass(through: &relay, for: .seconds(20)) { terminal.hasEnded && terminal.transit($0) <= 0 }
        let time = ContinuousClock.now - start + .milliseconds(link.milliseconds)
        #expect(time < .seconds(1.5), "\(time) to the prompt")
        #expect(terminal.reap() == (link.isGallery ? 130 : 0))
        #expect(terminal.isScreenRestored)
    }
}
