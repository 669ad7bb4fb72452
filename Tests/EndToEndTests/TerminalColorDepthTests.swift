import Foundation
import TestSupport
import Testing

@Suite(.ownThreads) struct TerminalColorDepthTests {
    @Test("--colors, --dither and the configuration determine the colours of stills and animations")
    func output() throws {
        let file = Binary.sample("campfire")
        func text(_ arguments: [String], configuration: String = "") throws -> String {
            let folder = try TemporaryFolder()
            let environment = try folder.configure(configuration)
            let outcome = try runGifplay(["--size", "20x8"] + arguments + [file], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.text
        }
        #expect(try text([]).contains("8;2;"))
        for animate in [[], ["--animate", "--loop", "1"]] {
            let indexed = try text(animate + ["--colors", "256"])
            #expect(indexed.contains("8;5;") && !indexed.contains("8;2;"))
            #expect(try text(animate, configuration: "--colors 256") == indexed)
            let plain = try text(animate + ["--colors", "256", "--dither", "none"])
            #expect(plain != indexed)
            #expect(try text(animate, configuration: "--colors 256\n--dither=none") == plain)
            let eight = try text(animate + ["--colors", "8"])
            #expect(!eight.contains("8;5;") && !eight.contains("8;2;") && eight.contains("\u{1B}[3"))
        }
        let characters = try text(["--colors", "none"])
        #expect(!characters.contains("\u{1B}") && characters.contains("*"))
        #expect(try text(["--colors", "24bit"], configuration: "--colors 8") == text([]))
        try expectError(["--colors", "99", file], "--colors 99: expected auto, 24bit, 256, 16, 8 or none", status: 2)
    }

    @Test("With '--colors none', a GIF plays even if NO_COLOR is set")
    func noColor() throws {
        let file = Binary.sample("campfire")
        let environment = ["NO_COLOR": "1"]
        #expect(try runGifplay(["--size", "8x4", "--colors", "none", file], environment: environment).status == 0)
        #expect(try runGifplay(["--size", "8x4", "--colors", "16", file], environment: environment).status == 1)
    }

    private static let attributes = "\u{1B}[?62;22c"

    @Test("The program uses the environment's colours until the terminal reports more, and then redraws the picture")
    func upgrade() throws {
        let terminal = try PseudoTerminal(
            [Binary.sample("campfire")], environment: ["COLORTERM": ""], answers: false, until: "8;5;")
        #expect(terminal.text.contains("\u{1B}P+q524742\u{1B}\\") && !terminal.text.contains("[38;2;"))
        terminal.send(Array(("\u{1B}P1$r0;38:2::1:2:3m\u{1B}\\" + Self.attributes).utf8))
        try terminal.read(until: "\u{1B}[38;2;")
        // The program sends a query after some frames. The test does not answer these queries, so the program waits
        // for a reply before it exits.
        #expect(terminal.exitProblem(within: .seconds(2.5)) == nil)
    }

    @Test("Inside GNU Screen and on a VT100, no query for colours is sent")
    func noQueries() throws {
        for (environment, cell) in [
            (["TERM": "screen", "STY": "1.pts-0.vm"], "\u{1B}[3"), (["TERM": "vt100", "COLORTERM": ""], "*"),
        ] {
            let terminal = try PseudoTerminal([Binary.sample("campfire")], environment: environment, until: cell)
            #expect(!terminal.text.contains("\u{1B}P") && !terminal.text.contains("8;2;"))
            #expect(terminal.exitProblem() == nil)
        }
    }

    @Test("With '--colors 16', the gallery draws only palette colours")
    func gallery() throws {
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal(
            ["browse", "--reduced-motion", "--colors", "16", "cat"], columns: 60, rows: 16,
            environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path])
        try terminal.read("palette colours") { $0.text.contains("\u{1B}[9") || $0.text.contains(";10") }
        #expect(!terminal.text.contains("8;2;") && !terminal.text.contains("8;5;"))
        #expect(terminal.exitProblem() == nil)
    }
}
