import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("The help over the picture")
struct KeyHelpTests {
    private func session(_ script: [VirtualTerminal.ScriptedEvent], _ size: CellSize) -> Session {
        var session = Session(loops: .forever, script: script)
        session.size = size
        return session
    }

    private func text(_ screen: VirtualScreen) -> String {
        (0..<screen.size.rows).map { screen.text(row: $0) }.joined(separator: "\n")
    }

    @Test("The help lists the keys and pauses playback until a key closes it")
    func opens() throws {
        let size = CellSize(columns: 80, rows: 24)
        let run = try session([.key("?", at: 550), .key("x", at: 4000), .key("q", at: 5000)], size)
            .play(ScriptedFrameSource.flat([50, 100, 30]))
        let help = try #require(run.screenUpdates.last { $0.time < 4000 })
        #expect(text(help.screen).contains("Esc q") && text(help.screen).contains("quit"))
        #expect(text(help.screen).contains("paused · frame"))
        // Frame 1 had been displayed for 50 ms. Closing the help draws the frame again, with 950 ms left.
        #expect(run.times == [0, 500, 4000, 4950])
        let after = try #require(run.screenUpdates.first { $0.time >= 4000 })
        #expect(!text(after.screen).contains("Esc q "))
    }

    @Test("If the help is open, the key 'q' quits playback, and Escape closes the help")
    func quits() throws {
        let size = CellSize(columns: 80, rows: 24)
        let quit = try session([.key("?", at: 100), .key("q", at: 200)], size).play(ScriptedFrameSource.flat([50]))
        #expect(quit.end == .quit && quit.endTime == 200)
        let closed = try session([.key("?", at: 100), .at(200, .key(.escape)), .key("q", at: 300)], size)
            .play(ScriptedFrameSource.flat([50, 50]))
        #expect(closed.endTime == 300)
    }

    @Test("After a resize, the help is drawn over the picture again")
    func resize() throws {
        let script: [VirtualTerminal.ScriptedEvent] = [
            .key("?", at: 100), .resize(60, 20, at: 200), .key("q", at: 300),
        ]
        let run = try session(script, CellSize(columns: 80, rows: 24)).play(ScriptedFrameSource.flat([50, 50]))
        let last = try #require(run.screenUpdates.last { $0.time >= 200 && $0.time < 300 })
        #expect(text(last.screen).contains("Esc q") && text(last.screen).contains("quit"))
    }

    @Test(
        "The help is drawn over an inline picture, and the cursor returns to the line below",
        arguments: [(60, 30), (30, 9)])
    func inline(columns: Int, rows: Int) throws {
        var session = session(
            [.key("?", at: 100), .key("x", at: 200), .key("q", at: 300)], .init(columns: columns, rows: rows))
        session.options.screen = .inline
        session.options.size = CellSize(columns: columns, rows: rows - 4)
        let run = try session.play(ScriptedFrameSource.flat([500, 500]))
        let help = try #require(run.screenUpdates.last { $0.time < 200 })
        #expect(text(help.screen).contains("quit"))
        let first = try #require(run.screenUpdates.first)
        #expect(help.screen.row == first.screen.row && help.screen.column == 0)
        let after = try #require(run.screenUpdates.first { $0.time >= 200 })
        #expect(!text(after.screen).contains("quit") && after.screen.row == first.screen.row)
    }

    @Test("In a small pane, Down scrolls the help of the player, and another key closes it")
    func scrolled() throws {
        let run = try session(
            [.key("?", at: 100)] + (1...60).map { .at(100 + $0 * 10, .key(.down)) }
                + [.key("x", at: 800), .key("q", at: 900)], CellSize(columns: 20, rows: 5)
        ).play(ScriptedFrameSource.flat([5000, 10]))
        let texts = run.screenUpdates.map { (time: $0.time, text: text($0.screen)) }
        #expect(texts.last { $0.time < 110 }?.text.contains("↓ more") == true)
        let end = try #require(texts.last { $0.time < 800 }?.text)
        #expect(end.contains("Keys") && end.contains("Ctrl-Z suspend") && !end.contains("↓ more"))
        #expect(texts.last { $0.time < 900 }?.text.contains("Keys") == false)
    }

    @Test("The help fits any pane", arguments: [(1, 1), (3, 2), (20, 5), (33, 9), (34, 10), (200, 60)])
    func fits(columns: Int, rows: Int) {
        let lines = KeySheet.lines(in: CellSize(columns: columns, rows: rows), .english)
        #expect(!lines.isEmpty && lines.count <= rows)
        #expect(lines.allSatisfy { TerminalText.width($0) <= columns })
    }

    @Test("The groups are in two columns if the pane is wide; a long help can be scrolled")
    func sheet() {
        let groups = ["Move", "Play", "Keep", "Find"].map { name in
            KeySheet.Group(name, (1...6).map { ("\($0)", "\(name) number \($0) with a meaning") })
        }
        func text(_ columns: Int, _ rows: Int, from first: Int = 0) -> [String] {
            KeySheet(groups, in: CellSize(columns: columns, rows: rows), .english, from: first).lines
                .map { $0.map(\.text).joined() }
        }
        let wide = text(80, 24)
        #expect(wide[1].contains("Move") && wide[1].contains("Keep") && wide.count <= 24)
        #expect(Set(wide.map(TerminalText.width)).count == 1)
        let narrow = text(40, 12)
        #expect(narrow.count == 12 && narrow[0].contains("↓ more") && narrow[1].contains("Move"))
        let sheet = KeySheet(groups, in: CellSize(columns: 40, rows: 12), .english, from: 99)
        #expect(sheet.lastFirstLine > 0 && sheet.lines.contains { $0.contains { $0.text.contains("Find number 6") } })
    }

    @Test("For the first five seconds, the status line shows the key for the help")
    func hint() throws {
        var session = session([.key("q", at: 9000)], CellSize(columns: 60, rows: 10))
        session.options.showsKeyHint = true
        // Only the hint changes, because the first frame lasts a minute.
        let run = try session.play(ScriptedFrameSource.flat([6000, 10]))
        #expect(run.screenUpdates.first.map { text($0.screen).contains("? keys") } == true)
        #expect(run.screenUpdates.map(\.time) == [0, 5000, 9000])
        #expect(run.screenUpdates.last.map { text($0.screen).contains("? keys") } == false)
    }

    @Test("The status line reports a damaged file as soon as the damage is known")
    func damaged() throws {
        let bytes = GIFBuilder(width: 8, height: 8).loop(0)
            .control(delay: 10).image(width: 8, height: 8, [UInt8](repeating: 1, count: 64))
            .control(delay: 10).image(width: 8, height: 8, [UInt8](repeating: 2, count: 64)).bytes
        func play(_ bytes: [UInt8]) throws -> (first: String, last: String) {
            let run = try session([.key("q", at: 3000)], CellSize(columns: 60, rows: 10))
                .play(DirectFrameSource(GIFReader(MemoryByteSource(bytes))))
            return (
                text(try #require(run.screenUpdates.first).screen), text(try #require(run.screenUpdates.last).screen)
            )
        }
        let cut = try play(bytes.dropLast(3).map { $0 })
        #expect(!cut.first.contains("damaged") && cut.last.contains("damaged"))
        // Without its last byte, the trailer, nothing is missing on the screen.
        #expect(try !play(bytes + [0x3B]).last.contains("damaged") && !play(bytes).last.contains("damaged"))
    }
}
