import Foundation
import Testing

/// Tests that no reply of the terminal arrives in the shell after the program has ended.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct LateReplyTests {
    private static let replies = "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c"

    /// Runs the program in a shell. After the program's exit, the shell reads a line, so the terminal would echo a late
    /// reply.
    private func start(_ argument: String) throws -> PseudoTerminal {
        let script = "'\(Binary.path)' '\(argument)' 2>/dev/null; echo ended; read -t 1"
        return try PseudoTerminal(["-c", script], answers: false, path: "/bin/bash")
    }

    @Test("Replies that arrive 0.6 s after an early 'q' or an error do not reach the shell", arguments: [true, false])
    func earlyEnd(isDamaged: Bool) throws {
        let folder = try TemporaryFolder()
        let damaged = try folder.write("GIF89a", to: "damaged.gif")
        let terminal = try start(isDamaged ? damaged : Binary.sample("dancing-cat"))
        try terminal.read(until: "\u{1B}[c")
        if !isDamaged { terminal.send("q") }
        terminal.readOutput(at: nil, for: .milliseconds(600))
        #expect(!terminal.text.contains("ended"))
        terminal.send(Self.replies)
        let start = ContinuousClock.now
        try terminal.read(until: "ended")
        #expect(ContinuousClock.now - start < .milliseconds(500))
        try terminal.finish()
        #expect(!terminal.text.contains("62;22c") && !terminal.text.contains("1e1e"))
    }

    @Test("After the key 'q', another 'q' or Ctrl-C ends the wait for a reply", arguments: ["q", "\u{3}"])
    func interrupted(key: String) throws {
        let terminal = try PseudoTerminal(["dancing cat"], answers: false, until: "\u{1B}[2J")
        let start = ContinuousClock.now
        try terminal.send("q", until: "\u{1B}[?1049l")
        try terminal.quit(key)
        #expect(ContinuousClock.now - start < .seconds(1), "\(ContinuousClock.now - start)")
    }
}
