import Foundation
import Pixels
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct TerminalTests {
    private static let firstCell = "\u{1B}[38;2;"

    @Test("Three loops of a GIF take three times its duration, with an error of at most 2%")
    func realTime() throws {
        // The test makes up to three attempts, because a busy machine can delay the test's own clock readings.
        var measured: [Double] = []
        repeat {
            // The GIF has 20 frames with delays of 0 or 1 centiseconds. Each frame is displayed for 100 ms.
            let terminal = try PseudoTerminal(["--loop", "3", Binary.sample("pixel-slime")], columns: 40, rows: 12)
            try terminal.read(until: "\u{1B}[2J")
            let start = ContinuousClock.now
            #expect(try terminal.finish() == 0)
            measured.append((ContinuousClock.now - start) / .seconds(1))
        } while measured.count < 3 && !measured.contains { abs($0 - 6.0) <= 0.12 }
        #expect(measured.contains { abs($0 - 6.0) <= 0.12 }, "\(measured) s")
    }

    @Test("Synchronized updates are used only if the terminal reports support for them")
    func synchronized() throws {
        let terminal = try PseudoTerminal(["dancing cat"], until: "\u{1B}[?2026h")
        try terminal.quit()
        let silent = try PseudoTerminal(["--loop", "1", "--speed", "max", "dancing cat"], answers: false)
        #expect(try silent.finish() == 0)
        #expect(!silent.text.contains("\u{1B}[?2026h"))
        // The program writes the restore sequence twice, because the reply to its query is missing. Only the first
        // restore sequence may move the cursor.
        #expect(silent.text.components(separatedBy: "\u{1B}[?1049l").count == 3)
        #expect(silent.text.components(separatedBy: "\u{1B}[9999H").count == 2)
    }

    @Test(
        "Small panes have no status line, and a GIF plays even in a single cell",
        arguments: [(20, 5), (1, 1), (3, 40)])
    func smallPanes(columns: Int, rows: Int) throws {
        let terminal = try PseudoTerminal(
            ["--loop", "1", "--speed", "max", "dancing cat"], columns: columns, rows: rows)
        #expect(try terminal.finish() == 0)
        #expect(terminal.text.contains("Dancing cat") == (rows >= 6 && columns > 3))
        _ = try shownBeforeLeaving(terminal, columns: columns, rows: rows)
    }

    @Test("With '--inline', the last frame stays on screen, and the cursor is below the frame")
    func inline() throws {
        let terminal = try PseudoTerminal(
            [
                "--inline", "--bare", "--size", "20x6", "--loop", "1", "--speed", "max", "--fidelity", "exact",
                "dancing cat",
            ],
            columns: 40, rows: 10)
        #expect(try terminal.finish() == 0)
        #expect(!terminal.text.contains("\u{1B}[?1049h"))
        var screen = VirtualScreen(columns: 40, rows: 10)
        try screen.feed(pictureBytes(terminal.text))
        let expected = try ExpectedPicture(
            bytes: try Binary.bytes("dancing-cat"), frame: 39,
            box: CellSize(columns: 20, rows: 6), enlarges: false)
        #expect(screen.halves(expected.cells) == expected.pixels)
        #expect(screen.row == expected.cells.rows && screen.column == 0)
    }

    @Test("During a frame of a minute, a resize clears the pane once and draws the picture again, and 'q' quits")
    func resize() throws {
        let folder = try TemporaryFolder()
        let gif = GIFBuilder(width: 4, height: 4).loop(0).frame(1, delay: 6_000, width: 4, height: 4)
            .frame(2, delay: 6_000, width: 4, height: 4).trailer()
        let file = try folder.write(gif.bytes, to: "slow.gif")
        let terminal = try PseudoTerminal(["--bare", file], columns: 40, rows: 10, until: "\u{1B}[2J")
        terminal.resize(columns: 30, rows: 20)
        try terminal.read("a second clearing") { $0.count(of: "\u{1B}[2J") >= 2 }
        #expect(terminal.exitProblem() == nil)
        #expect(terminal.count(of: "\u{1B}[2J") == 2)
        let last = terminal.text.components(separatedBy: "\u{1B}[2J").last ?? ""
        var screen = VirtualScreen(columns: 30, rows: 20)
        try screen.feed(pictureBytes(last))
        // The GIF is scaled to 30x30 half-block pixels, which fill 15 rows in the middle of the 20 rows.
        #expect(screen[1, 0].upper == .terminalDefault)
        #expect(screen[3, 0].upper != .terminalDefault && screen[16, 29].lower != .terminalDefault)
        #expect(screen[18, 0].lower == .terminalDefault)
    }

    @Test("The first frame is displayed before all of standard input has arrived")
    func playsBeforeEnd() throws {
        let folder = try TemporaryFolder()
        let pipe = try folder.makePipe("pipe")
        let terminal = try PseudoTerminal(["-c", "'\(Binary.path)' --bare - < '\(pipe)'"], path: "/bin/sh")
        let bytes = try Data(Binary.bytes("campfire"))
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: bytes.prefix(bytes.count / 2))
        // The test sends the second half of the GIF only after the program has drawn the first cells.
        try terminal.read(until: Self.firstCell)
        try writer.write(contentsOf: bytes.suffix(bytes.count - bytes.count / 2))
        try writer.close()
        try terminal.quit()
    }

    @Test("Any key ends the screensaver", arguments: ["x", "\u{1B}[A", " "])
    func screensaver(key: String) throws {
        let terminal = try PseudoTerminal(["--screensaver"], until: Self.firstCell)
        try terminal.quit(key)
    }

    @Test("Random mode switches between GIFs and repeats none of the first six")
    func random() throws {
        let terminal = try PseudoTerminal(["--every", "150ms"], columns: 100, rows: 8)
        try terminal.read("six titles") { titles($0.text).count >= 6 }
        try terminal.quit()
        let shown = titles(terminal.text)
        #expect(Set(shown).count == shown.count, "\(shown)")
    }

    /// Returns the titles on the status line, without consecutive duplicates.
    private func titles(_ text: String) -> [String] {
        let lines = text.components(separatedBy: " · built-in").dropLast()
        return lines.compactMap { $0.components(separatedBy: "\u{1B}[0;2m").last }
            .reduce(into: []) { titles, title in if titles.last != title { titles.append(title) } }
    }

    @Test("The keys 'n', 'p' and 'r' switch to another GIF")
    func switches() throws {
        let terminal = try PseudoTerminal(
            ["--loop", "forever", Binary.sample("campfire"), Binary.sample("aquarium")], columns: 100, rows: 8)
        try terminal.read(until: "campfire.gif")
        try terminal.send("n", until: "aquarium.gif")
        terminal.send("p")
        try terminal.read("campfire again") { $0.count(of: "campfire.gif") == 2 }
        terminal.send("r")
        try terminal.read("aquarium again") { $0.count(of: "aquarium.gif") == 2 }
        try terminal.quit()
    }

    // MARK: -

    /// Returns the output without the queries, which draw nothing, and without the sequence that scrolls the screen
    /// just before the exit.
    private func pictureBytes(_ text: String) -> [UInt8] {
        Array(
            TerminalQueries.removed(from: text).replacingOccurrences(of: "\u{1B}[9999H\n", with: "").utf8)
    }

    private func shownBeforeLeaving(_ terminal: PseudoTerminal, columns: Int, rows: Int) throws -> VirtualScreen {
        var screen = VirtualScreen(columns: columns, rows: rows)
        try screen.feed(pictureBytes(terminal.text))
        return screen
    }
}
