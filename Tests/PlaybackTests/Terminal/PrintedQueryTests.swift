import Glibc
import Pixels
import Testing

@testable import Playback

/// Terminals that print the queries that they do not know, and terminals whose half-blocks are two cells wide.
@Suite("Printed queries and wide characters")
struct PrintedQueryTests {
    /// A line of a terminal that prints the contents of control strings and the rest of a sequence with `$`, as
    /// rxvt-unicode, zutty, PuTTY and qterminal do.
    private struct Line {
        var cells: [Character]
        var column: Int
        private(set) var wrapCount = 0
        private var saved = 0
        private var wraps = true

        init(_ text: String, width: Int) {
            cells = Array(text) + Array(repeating: " ", count: width - text.count)
            column = text.count
        }

        mutating func feed(_ text: String) {
            var rest = Substring(text).unicodeScalars
            while let scalar = rest.popFirst() {
                guard scalar == "\u{1B}" else {
                    put(Character(scalar))
                    continue
                }
                switch rest.popFirst() {
                case "7": saved = column
                case "8": column = saved
                case "[":
                    let body = rest.prefix { !("@"..."~").contains($0) }
                    rest = rest.dropFirst(body.count)
                    let final = rest.popFirst()
                    perform(String(body), final)
                // Everything else begins or ends a string, whose contents are printed.
                default: break
                }
            }
        }

        private mutating func perform(_ body: String, _ final: Unicode.Scalar?) {
            switch (body, final) {
            case ("?7", "l"): wraps = false
            case ("?7", "h"): wraps = true
            case ("", "K"): for index in column..<cells.count { cells[index] = " " }
            case (_, let final?) where body.hasSuffix("$"): put(Character(final))
            default: break
            }
        }

        private mutating func put(_ character: Character) {
            if column == cells.count {
                if wraps { wrapCount += 1 }
                column = wraps ? 0 : cells.count - 1
            }
            cells[column] = character
            column += 1
        }
    }

    private static let terminals = [
        "xterm", "xterm-256color", "rxvt-unicode", "rxvt-unicode-256color", "putty", "putty-256color", "st-256color",
        "mlterm", "konsole", "dvtm-256color", "eterm-color", "screen", "screen-256color", "tmux-256color", "vt220",
        "ansi", "fbterm", "unknown",
    ]

    @Test("A terminal that prints the queries shows nothing of them, and keeps the text before the cursor")
    func printed() {
        let memory = SharedMemory(limit: 100)
        defer { memory.removeUnread() }
        for name in Self.terminals {
            for (text, width) in [("", 80), ("$ echo", 20), ("", 3), ("a line", 7)] {
                let environment = TerminalEnvironment({ $0 == "TERM" ? name : nil }, terminfo: { _ in nil })
                let queries = environment.start(detectsGraphics: true, testMemory: memory).queries.text
                var line = Line(text, width: width)
                line.feed(queries)
                let shown = String(line.cells)
                #expect(shown == text + String(repeating: " ", count: width - text.count), "\(name)")
                #expect(line.column == text.count && line.wrapCount == 0 && queries.hasSuffix("\u{1B}[c"), "\(name)")
            }
        }
    }

    @Test("Shared memory that a killed process left is deleted after a minute, that of a running process never")
    func abandonedMemory() throws {
        // No process has the largest number.
        let names = ["\(pid_t.max)-test-old", "\(pid_t.max)-test-new", "\(getpid())-test-old"].map { "/gifplay-" + $0 }
        defer { for name in names { shm_unlink(name) } }
        for name in names {
            let object = shm_open(name, O_CREAT | O_RDWR, 0o600)
            try #require(object >= 0)
            let past = timespec(tv_sec: time(nil) - 90, tv_nsec: 0)
            if name.hasSuffix("old") { #expect(futimens(object, [past, past]) == 0) }
            close(object)
        }
        SharedMemory.removeAbandoned()
        #expect(names.map { access("/dev/shm" + $0, F_OK) } == [-1, 0, 0])
    }

    @Test("GNU Screen, Emacs and Terminal.app get no control strings for colours and graphics")
    func strings() {
        for (name, program) in [("screen", ""), ("eterm-color", ""), ("xterm", "Apple_Terminal"), ("nsterm", "")] {
            let variables = ["TERM": name, "TERM_PROGRAM": program]
            let environment = TerminalEnvironment({ variables[$0] }, terminfo: { _ in nil })
            let queries = environment.start(detectsGraphics: true).queries.text
            #expect(!queries.contains("\u{1B}_") && !queries.contains("\u{1B}P"), "\(name)")
        }
    }

    @Test(
        "Pictures consist of spaces only if a half-block is wider than a cell",
        arguments: [
            ("\u{1B}[5;1R\u{1B}[5;2R", true), ("\u{1B}[5;1R\u{1B}[5;3R", false), ("\u{1B}[1;7R\u{1B}[1;9R", false),
            // The bytes of the character, in a terminal without UTF-8.
            ("\u{1B}[5;1R\u{1B}[5;4R", false),
            // In the last column, and a reply that is lost.
            ("\u{1B}[5;80R\u{1B}[5;80R", true), ("\u{1B}[5;1R", true), ("", true),
        ])
    func width(replies: String, hasHalfBlocks: Bool) {
        for pieces in [replies.utf8.map { [$0] }, [Array(replies.utf8)]] {
            var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
            var parser = InputParser()
            for input in pieces.flatMap({ parser.parse($0) }) {
                guard case .reply(let reply) = input else {
                    Issue.record("\(input) is not a reply")
                    continue
                }
                #expect(traits.updated(by: reply, to: TerminalQueries.start()).colors.hasHalfBlocks)
                traits = traits.updated(by: reply, to: TerminalQueries.start(detectsWidth: true))
            }
            #expect(traits.colors.hasHalfBlocks == hasHalfBlocks)
            #expect(!parser.isIncomplete)
        }
    }

    @Test("The width is queried if the terminal has UTF-8")
    func queried() {
        for (locale, isQueried) in [("C.UTF-8", true), ("ja_JP.utf8", true), ("C", false), ("ja_JP.eucJP", false)] {
            let variables = ["TERM": "xterm", "LC_ALL": locale]
            let environment = TerminalEnvironment({ variables[$0] }, terminfo: { _ in nil })
            #expect(environment.start().queries.text.contains("▀") == isQueried, "\(locale)")
        }
    }
}
