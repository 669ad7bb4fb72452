import Foundation
import TestSupport
import Testing

/// The real program on terminals whose answers to queries arrive late, in pieces, with garbage, or never.
@Suite(.timeLimit(.minutes(15))) struct StrangeAnswerTests {
    private static let background = "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\"
    private static let mode = "\u{1B}[?2026;2$y"
    private static let attributes = "\u{1B}[?62;22c"
    private static let whole = background + mode + attributes

    /// The pieces of the terminal's answer, sent with a pause of `gap` milliseconds (at least 40) after each.
    struct Answer: CustomStringConvertible {
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

    private static let answers = [
        Answer("whole", [whole]),
        Answer("in single bytes", whole.map { String($0) }),
        Answer(
            "cut in every sequence",
            ["\u{1B}]11;rgb:1e1e/1e", "1e/2e2e\u{1B}", "\\\u{1B}[?20", "26;2$y\u{1B}[?", "62;22c"], gap: 200),
        Answer(
            "with rubbish around",
            [
                "\u{1B}]52;c;cXE=\u{7}" + background + "\u{1B}P>|q q/q\u{1B}\\" + mode + "\u{1B}[>q\u{1B}[?1;q"
                    + attributes + "\u{1B}_q\u{1B}\\"
            ]),
        Answer("a colour that never ends", ["\u{1B}]11;rgb:1e1e/"]),
        Answer("a string that never ends", ["\u{1B}]2;quite a title, and q / ?"]),
        Answer("a sequence that never ends", ["\u{1B}[?62;"]),
        Answer("cut by the next one", ["\u{1B}]11;rgb:1e\(mode)\u{1B}[?62\(attributes)"]),
        Answer("twice", [whole + whole]),
        Answer("a string of 1 MB", ["\u{1B}]11;" + String(repeating: "q/?\u{20}", count: 1 << 18) + "\u{7}"]),
        Answer("parameters of 100 KB", ["\u{1B}[" + String(repeating: "1;?", count: 33_000) + "q"]),
        Answer("1 MB of no text", bytes: (0..<1 << 20).map { UInt8(0x80 + $0 * 7 % 128) }),
        Answer("never", []),
    ]

    private static func send(_ answer: Answer, to terminal: PseudoTerminal) {
        for piece in answer.pieces {
            // A pseudo-terminal accepts only 4 KB of input that is not read.
            for start in stride(from: 0, to: piece.count, by: 2048) {
                terminal.send(Array(piece[start..<min(start + 2048, piece.count)]))
                if piece.count > 2048 { terminal.carry(nil, for: .milliseconds(1)) }
            }
            terminal.carry(nil, for: .milliseconds(answer.gap))
        }
    }

    @Test("Whatever the terminal answers, it plays on, and q ends it")
    func player() throws { try play(Self.answers, after: 0) { _ in nil } }

    @Test("Answers that come after 3 s are taken as well")
    func late() throws {
        try play(Array(Self.answers.prefix(2)), after: 3000) {
            $0.text.contains("\u{1B}[?2026h") ? nil : "no synchronized update"
        }
    }

    private func play(
        _ answers: [Answer], after wait: Int, _ check: @escaping @Sendable (PseudoTerminal) -> String?
    ) throws {
        let folder = try TemporaryFolder()
        let film = NumberedFilm(columns: 20, rows: 6, frames: 30, centiseconds: 10)
        let file = try folder.write(film.bytes, to: "film.gif")
        atOnce(answers) { answer in
            let terminal = try PseudoTerminal(["--bare", file], columns: 20, rows: 6, answers: false)
            try terminal.read(until: "\u{1B}[2J")
            terminal.carry(nil, for: .milliseconds(wait))
            Self.send(answer, to: terminal)
            terminal.carry(nil, for: .milliseconds(700))
            let count = terminal.output.count
            // The second query is never answered; the program waits for the answer for at most 3 s.
            try terminal.read("more of the film") { $0.output.count > count + 4000 }
            if terminal.hasEnded || terminal.text.contains("?1049l") { return "did not play on" }
            if terminal.text.contains("1e1e/") || terminal.text.contains("62;22") { return "echoed" }
            return check(terminal) ?? terminal.problem()
        }
    }

    @Test("The browser takes none of it for keys")
    func browser() throws {
        let folder = try TemporaryFolder()
        atOnce(Array(Self.answers[2...4] + Self.answers.suffix(4).prefix(1))) { answer in
            let terminal = try PseudoTerminal(
                ["browse", "--reduced-motion", "cat"], columns: 60, rows: 16,
                environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path], answers: false)
            try terminal.read(until: "\u{1B}[38;2;")
            Self.send(answer, to: terminal)
            terminal.carry(nil, for: .milliseconds(700))
            // Neither the help (?) nor the search (/) has been opened.
            if terminal.hasEnded || terminal.text.contains("Keys (") || terminal.text.contains("search GIFs") {
                return "took it for keys"
            }
            return terminal.problem()
        }
    }

    @Test("An ESC alone stays a key, before the answers and after")
    func escape() throws {
        atOnce([true, false]) { answers in
            let terminal = try PseudoTerminal(["dancing cat"], answers: answers)
            try terminal.read(until: "\u{1B}[38;2;")
            return terminal.problem(endingBy: "\u{1B}")
        }
    }
}
