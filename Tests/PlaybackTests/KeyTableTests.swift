import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("The table of keys")
struct KeyTableTests {
    @Test(
        "The keys of a playing GIF have the expected commands",
        arguments: [
            (Key.character("q"), KeyCommand.quit), (.escape, .quit), (.character("/"), .search),
            (.character("?"), .help), (.character("h"), .seek(seconds: -1)), (.character("k"), .seek(seconds: 5)),
            (.character("s"), .act(.save)), (.character("f"), .act(.favourite)), (.character("y"), .act(.copyLink)),
            (.character("Y"), .act(.copyAddress)), (.character("o"), .act(.open)), (.character("d"), .act(.dismiss)),
            (.character("c"), .act(.copyFile)), (.character("m"), .changeDrawing),
            (.character("."), .step(isBackward: false)),
            (.character("="), .changeSpeed(isFaster: true)), (.down, .seek(seconds: -5)), (.character("r"), .random),
        ])
    func player(key: Key, command: KeyCommand) {
        #expect(KeyTable.command(of: key, in: .player) == command)
    }

    @Test(
        "The player and the large view have the same commands for the same keys, except to load and to leave the view")
    func sameKeys() {
        for row in KeyTable.rows(in: .player) {
            for (key, command) in row.keys where ![.random, .reload, .quit].contains(command) {
                #expect(KeyTable.command(of: key, in: .large) == command, "\(key)")
            }
        }
    }

    @Test("In each view, a key has one command", arguments: [KeyViews.player, .large, .grid, .screensaver])
    func unique(view: KeyViews) {
        var keys: [Key] = []
        for row in KeyTable.rows(in: view) {
            for (key, _) in row.keys {
                #expect(!keys.contains(key), "\(key)")
                keys.append(key)
            }
        }
    }

    @Test("Each name of a key in the help is the name of the key at the same position", arguments: Language.allCases)
    func names(language: Language) {
        let names: [String: Key] = [
            "←": .left, "→": .right, "↑": .up, "↓": .down, "space": .character(" "), "Leertaste": .character(" "),
            "Esc": .escape, "Enter": .enter, "Tab": .tab, "Shift-Tab": .backTab, "Umschalt-Tab": .backTab,
            "PgUp": .pageUp, "PgDn": .pageDown, "Bild↑": .pageUp, "Bild↓": .pageDown, "Home": .home, "End": .end,
            "Pos1": .home, "Ende": .end, "Backspace": .backspace, "Rücktaste": .backspace, "1…9": .character("1"),
        ]
        for row in KeyTable.rows {
            let shown = row.names(language).split(separator: " ").map(String.init)
            #expect(shown.count <= row.keys.count)
            for (name, entry) in zip(shown, row.keys) {
                let control = name.split(separator: "-").last.flatMap(\.first).map {
                    Key.control(Character($0.lowercased()))
                }
                let isControl = name.hasPrefix("Ctrl-") || name.hasPrefix("Strg-")
                let key = names[name] ?? (isControl ? control : name.first.map { .character($0) })
                #expect(key == entry.key, "\(name)")
            }
        }
    }

    @Test("Every key that the help does not name is another form of a key that it names")
    func unnamed() {
        let others: [Key] =
            [.character("="), .control("f"), .control("b")] + (2...9).map { .character(Character("\($0)")) }
        for row in KeyTable.rows {
            for entry in row.keys.dropFirst(row.names(.english).split(separator: " ").count) {
                #expect(others.contains(entry.key), "\(entry.key)")
                #expect(row.keys.contains { $0.key != entry.key && $0.command.isLike(entry.command) })
            }
        }
    }
}

extension KeyCommand {
    fileprivate func isLike(_ other: KeyCommand) -> Bool {
        if case (.selectFeed, .selectFeed) = (self, other) { true } else { self == other }
    }
}

@Suite("The help over the picture")
struct KeyHelpTests {
    private func session(_ script: Script, _ size: CellSize) -> Session {
        let session = Session(loops: .forever, size: size, script: script)
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
        let script: Script = [.key("?", at: 100), .resize(60, 20, at: 200), .key("q", at: 300)]
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

/// Draws each text of the player in both languages.
@Suite("The player in German")
struct GermanPlaybackTests {
    @Test("The help has no English text", arguments: [(20, 5), (80, 24), (200, 50)])
    func help(columns: Int, rows: Int) {
        let size = CellSize(columns: columns, rows: rows)
        let (english, german) = (KeySheet.lines(in: size, .english), KeySheet.lines(in: size, .german))
        let common = words(english.joined(separator: "\n")).intersection(words(german.joined(separator: "\n")))
        #expect(common.isSubset(of: ["Esc", "GIF", "Pause"]))
        #expect(german.first?.contains("Tasten") == true && german.count <= rows)
        #expect(german.allSatisfy { TerminalText.width($0) <= columns })
    }

    @Test("The status line has no English text")
    func status() {
        var state = StatusLine.PlaybackState(isPaused: false, speed: 1.25, elapsed: 0, length: nil, frame: 0)
        (state.isDamaged, state.hasKeyHint) = (true, true)
        let label = PlaybackLabel(title: "A")
        #expect(StatusLine(label, .german).compose(state, width: 50).hasSuffix("? Tasten  beschädigt ×1.25 0:00"))
    }
}

extension KeySheet {
    /// The text of the player's help.
    static func lines(in size: CellSize, _ language: Language) -> [String] {
        KeySheet(.all(in: .player, language), in: size, language, isPacked: true).lines.map { $0.map(\.text).joined() }
    }
}
