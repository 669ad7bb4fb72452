import Foundation
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct TerminalReplyTests {
    private static let background = "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\"
    private static let mode = "\u{1B}[?2026;2$y"
    private static let attributes = "\u{1B}[?62;22c"
    private static let whole = background + mode + attributes

    /// The pieces of a terminal's reply. After each piece, the test pauses for `gap` milliseconds.
    struct Reply: CustomStringConvertible {
        var description: String
        var pieces: [[UInt8]]
        var gap = 40

        init(_ name: String, _ pieces: [String], gap: Int = 40) {
            description = name
            self.pieces = pieces.map { Array($0.utf8) }
            self.gap = gap
        }

        init(_ name: String, bytes: [UInt8]) {
            description = name
            pieces = [bytes]
        }
    }

    private static let replies = [
        Reply("whole", [whole]),
        Reply("in single bytes", whole.map { String($0) }),
        Reply(
            "cut in every sequence",
            ["\u{1B}]11;rgb:1e1e/1e", "1e/2e2e\u{1B}", "\\\u{1B}[?20", "26;2$y\u{1B}[?", "62;22c"], gap: 200),
        Reply(
            "with other sequences around",
            [
                "\u{1B}]52;c;cXE=\u{7}" + background + "\u{1B}P>|q q/q\u{1B}\\" + mode + "\u{1B}[>q\u{1B}[?1;q"
                    + attributes + "\u{1B}_q\u{1B}\\"
            ]),
        Reply("an unterminated colour", ["\u{1B}]11;rgb:1e1e/"]),
        Reply("an unterminated string", ["\u{1B}]2;quite a title, and q / ?"]),
        Reply("an unterminated sequence", ["\u{1B}[?62;"]),
        Reply("cut off by the next sequence", ["\u{1B}]11;rgb:1e\(mode)\u{1B}[?62\(attributes)"]),
        Reply("twice", [whole + whole]),
        Reply("a string of 1 MB", ["\u{1B}]11;" + String(repeating: "q/?\u{20}", count: 1 << 18) + "\u{7}"]),
        Reply("parameters of 100 KB", ["\u{1B}[" + String(repeating: "1;?", count: 33_000) + "q"]),
        Reply("1 MB of invalid UTF-8", bytes: (0..<1 << 20).map { UInt8(0x80 + $0 * 7 % 128) }),
        Reply("none", []),
    ]

    private static func send(_ reply: Reply, to terminal: PseudoTerminal) {
        for piece in reply.pieces {
            // A pseudo-terminal buffers at most 4 KB of unread input.
            for start in stride(from: 0, to: piece.count, by: 2048) {
                terminal.send(Array(piece[start..<min(start + 2048, piece.count)]))
                if piece.count > 2048 { terminal.readOutput(at: nil, for: .milliseconds(1)) }
            }
            terminal.readOutput(at: nil, for: .milliseconds(reply.gap))
        }
    }

    @Test("Playback continues after any reply from the terminal, and the key 'q' quits")
    func player() throws { try play(Self.replies, after: 0) { _ in nil } }

    @Test("Over ssh, replies that arrive after 2 s still enable synchronized updates")
    func late() throws {
        // Single bytes take almost two more seconds. A first reply after 5 s would count as proof of a second one, and
        // the program would wait for the reply that the test never sends.
        try play(Array(Self.replies.prefix(2)), after: 2000) {
            $0.text.contains("\u{1B}[?2026h") ? nil : "no synchronized update"
        }
    }

    private func play(
        _ replies: [Reply], after wait: Int, _ check: @escaping @Sendable (PseudoTerminal) -> String?
    ) throws {
        let folder = try TemporaryFolder()
        let animation = NumberedAnimation(columns: 20, rows: 6, frames: 30, centiseconds: 10)
        let file = try folder.write(animation.bytes, to: "animation.gif")
        forEachConcurrently(replies) { reply in
            // Over ssh, the first reply may take 5 s, so that it is in time on a slow machine, too.
            let terminal = try PseudoTerminal(
                ["--bare", file], columns: 20, rows: 6, environment: ["SSH_CONNECTION": "::1 1 ::1 22"], answers: false)
            try terminal.read(until: "\u{1B}[2J")
            terminal.readOutput(at: nil, for: .milliseconds(wait))
            Self.send(reply, to: terminal)
            terminal.readOutput(at: nil, for: .milliseconds(700))
            let count = terminal.output.count
            // Playback can pause for up to 6 s here, because the test never answers the program's second query.
            try terminal.read("more frames") { $0.output.count > count + 4000 }
            if terminal.hasEnded || terminal.text.contains("?1049l") { return "stopped playing" }
            if terminal.text.contains("1e1e/") || terminal.text.contains("62;22") { return "printed the reply" }
            return check(terminal) ?? terminal.exitProblem()
        }
    }

    @Test("The gallery does not interpret replies from the terminal as keys")
    func browser() throws {
        let folder = try TemporaryFolder()
        forEachConcurrently(Array(Self.replies[2...4] + Self.replies.suffix(4).prefix(1))) { reply in
            let terminal = try PseudoTerminal(
                ["browse", "--reduced-motion", "cat"], columns: 60, rows: 16,
                environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path], answers: false)
            try terminal.read(until: "\u{1B}[38;2;")
            Self.send(reply, to: terminal)
            terminal.readOutput(at: nil, for: .milliseconds(700))
            // The characters '?' and '/' in a reply must not open the help or the search.
            if terminal.hasEnded || terminal.text.contains("Keys") || terminal.text.contains("search GIFs") {
                return "treated the reply as keys"
            }
            // The program can wait for a missing reply until 2 s after its query.
            return terminal.exitProblem(within: .seconds(2.5))
        }
    }

    @Test("The Esc key quits, even if the terminal does not reply to queries")
    func escape() throws {
        forEachConcurrently([true, false]) { answers in
            let terminal = try PseudoTerminal(["dancing cat"], answers: answers, until: "\u{1B}[38;2;")
            // The program waits for the first reply until 2 s after its query.
            return terminal.exitProblem(keys: "\u{1B}", within: .seconds(answers ? 1 : 2.5))
        }
    }
}
