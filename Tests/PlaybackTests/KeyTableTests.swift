import Base
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
