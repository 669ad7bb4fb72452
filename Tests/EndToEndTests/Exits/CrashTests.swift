import CSpawn
import Foundation
import TestServer
import Testing

@Suite(
    .ownThreads, .timeLimit(.minutes(15)),
    .disabled(if: Binary.isSanitized, "the sanitizers handle these signals themselves"))
struct CrashTests {
    enum Phase: String, CaseIterable {
        case loading, playing, gallery, recording
    }

    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

    private static let restoring =
        "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[9999H\n\u{1B}[?25h\u{1B}[?1049l"

    /// By default, each thread gets one of the signals. With GIFPLAY_ALL_CRASHES=1, it gets each one.
    private static let sendsAll = ProcessInfo.processInfo.environment["GIFPLAY_ALL_CRASHES"] != nil

    @Test(
        "A crash signal in any thread restores the terminal and ends the program by that signal",
        arguments: Phase.allCases)
    func anyThread(phase: Phase) throws {
        var (thread, threads) = (0, 1)
        while thread < threads {
            let signals = Self.sendsAll ? Self.signals : [Self.signals[thread % Self.signals.count]]
            for signal in signals {
                let program = try RunningPhase(phase)
                let ids = try program.threads()
                threads = max(threads, ids.count)
                #expect(kill_thread(program.terminal.process, ids[min(thread, ids.count - 1)], signal) == 0)
                #expect(try program.terminal.finish() == -signal)
                #expect(program.terminal.hasInitialModes)
                let modes = ModeTracker(program.terminal.output).unrestored
                #expect(modes == (phase == .recording ? [] : ["?2004"]), "only a shell sets bracketed paste again")
                #expect(phase == .recording || program.terminal.isScreenRestored)
                guard phase == .playing else { continue }
                #expect(program.terminal.text.hasSuffix(Self.restoring) && program.terminal.text.contains("\u{18}"))
            }
            thread += 1
        }
        // The main thread, the threads for tasks and the transfer thread exist in each phase.
        #expect(threads >= 5)
    }

    /// A program in a phase in which libcurl's thread exists.
    private final class RunningPhase {
        let terminal: PseudoTerminal
        private let end = Gate()
        private let home: BrowserHome?

        init(_ phase: Phase) throws {
            home = phase == .gallery ? try BrowserHome() : nil
            if let home {
                terminal = try PseudoTerminal(["browse", "octopus"], environment: home.environment())
                try terminal.read(until: "Octopus 1")
                return
            }
            let bytes = try Binary.bytes("campfire")
            let arrived = Gate()
            let server = try RawServer { [end] connection, _ in
                connection.readHead()
                connection.respond(bytes.prefix(phase == .loading ? 0 : bytes.count / 2), length: bytes.count)
                arrived.open()
                end.wait()
            }
            let url = "\(server.base)/a.gif"
            terminal = try PseudoTerminal(
                phase == .recording ? ["record", url, "-o", "/dev/null", "--format", "svg"] : [url],
                environment: ["GIFPLAY_OFFLINE": "0"])
            switch phase {
            case .loading: try terminal.read(until: "loading a.gif…")
            case .playing: try terminal.read(until: "a.gif")
            case .gallery, .recording: arrived.wait()
            }
        }

        deinit { end.open() }

        func threads() throws -> [Int32] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(terminal.process)/task").compactMap {
                Int32($0)
            }
            .sorted()
        }
    }
}
