import Base
import Catalog
import Foundation
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

/// Presses every key in every view and compares the outcome with the table of keys and with the manual.
@Suite("Every key in every view")
struct KeyWalkTests {
    private static let keys: [Key] =
        (0x20...0x7E).map { .character(Character(Unicode.Scalar($0))) }
        + [
            .enter, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end,
            .escape, .other,
        ] + "abcdefgknopqrstuvwxyz".map { .control($0) }

    private static let global: [Key] = [.control("c"), .control("z"), .control("l")]

    /// A gallery in which every key can have an effect: a GIF in the middle is selected, and one is dismissed.
    private func session(_ way: [Key] = []) -> Session {
        var session = Session(.trending(source: nil)) { $0.feeds = [.trending(source: nil), .favourites, .history] }
        session.open((0..<40).map { .some("\($0)") }, next: nil)
        session.press(.pageDown, .right, .character("d"))
        for key in way { session.press(key) }
        session.wait(milliseconds: 5_000)
        return session
    }

    private func isRefused(_ session: Session) -> Bool {
        if case .unknownKey = session.state.notices.note { true } else { false }
    }

    @Test("A key acts if and only if the table has it for the view; any other key says so", arguments: [false, true])
    func walk(isLarge: Bool) {
        for key in Self.keys {
            var session = session(isLarge ? [.enter] : [])
            let before = session.state
            session.press(key)
            // There are three feeds.
            let isFeedWithoutNumber = if case .character("4"..."9") = key { true } else { false }
            let row = KeyTable.rows(in: isLarge ? .large : .grid).first { $0.keys.contains { $0.key == key } }
            let isListed = row != nil && !isFeedWithoutNumber
            #expect(isRefused(session) == !isListed, "\(key)")
            // The terminal suspends the process. The gallery already shows the first feed. The player has its own keys.
            guard isListed, ![.control("z"), .character("1")].contains(key), !isLarge || row?.group != .play else {
                continue
            }
            #expect(session.state != before || !session.effects.isEmpty, "\(key)")
        }
    }

    @Test("In the search field, each character is text, and no key is a command")
    func field() {
        for key in Self.keys where !Self.global.contains(key) {
            var session = session([.character("/")])
            session.press(key)
            #expect(session.effects.allSatisfy { $0.isHarmless }, "\(key)")
            guard case .character(let character) = key else { continue }
            #expect(session.state.search.field.text == [character] && session.state.mode == .typing)
        }
    }

    @Test("Over the help, '/' opens the search field, keys that move scroll, and any other key only closes it")
    func help() {
        for key in Self.keys where !Self.global.contains(key) {
            var session = session([.character("?")])
            session.press(key)
            #expect(session.effects.allSatisfy { $0.isShow }, "\(key)")
            let isHelp = if case .help = session.state.mode { true } else { false }
            let expected: Mode = key == .character("/") ? .typing : .browsing
            #expect(session.state.mode == expected || isHelp && key != .escape, "\(key)")
        }
    }

    @Test("The manual page names every key of every view")
    func documented() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let manual = try String(contentsOf: package.appendingPathComponent("docs/man/gifplay.1"), encoding: .utf8)
        let section = manual.components(separatedBy: ".Sh KEYS\n").last?.components(separatedBy: "\n.Sh ").first
        let entries = try #require(section).replacingOccurrences(of: "\\&", with: "").replacingOccurrences(
            of: "\\(en", with: "…"
        )
        .split(separator: "\n").filter { $0.contains(".It") || $0.contains(".Ic") }
        .map { Set($0.split(separator: " ").map(String.init)) }
        let names = ["←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "space": "Space"]
        for row in KeyTable.rows {
            for key in row.names(.english).split(separator: " ").map({ names[String($0)] ?? String($0) }) {
                #expect(entries.contains { $0.contains(key) }, "\(key)")
            }
        }
    }
}

extension GalleryEffect {
    /// Whether the effect only loads or displays something.
    var isHarmless: Bool {
        switch self {
        case .load, .loadStored, .cancel, .show, .suggest: true
        default: false
        }
    }
}

/// Types random words after `/` in every view, while services answer at once, late or never.
@Suite("Typed words")
struct TypedWordsTests {
    enum View: CaseIterable, CustomTestStringConvertible {
        case grid, large, help, favourites, emptyResults, files, fromPlayer

        var testDescription: String { "\(self)" }
    }

    @Test("500 random words after '/' are text and run no command", arguments: View.allCases, [false, true])
    func words(view: View, isSlow: Bool) {
        var random = SeededRandom(isSlow ? 7 : 3)
        let letters = Array("abcdefghijklmnopqrstuvwxyzDGYQ0123456789?.,+-=/äß猫 ")
        for _ in 0..<500 {
            let word = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "q"
            }
            var session = session(view)
            let typed = view == .fromPlayer ? word : ["/"] + word
            let before = session.all.count
            for character in typed {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    session.wait(milliseconds: Int64.random(in: 0...1_500, using: &random))
                    if !isSlow {
                        session.answer(
                            .success(ResultPage(items: Bool.random(using: &random) ? GIFReference.many(9) : [])))
                    }
                }
                session.press(.character(character))
            }
            #expect(session.all.dropFirst(before).allSatisfy { $0.isHarmless }, "\(view) \(String(word))")
            #expect(session.state.mode == .typing && session.state.search.field.text == word, "\(view) \(String(word))")
        }
    }

    private func session(_ view: View) -> Session {
        let feed: Feed = view == .files ? .files(matching: "") : view == .emptyResults ? .search(query: "x") : .random
        var session = Session(feed) { $0.startsTyping = view == .fromPlayer }
        session.open(view == .emptyResults ? [] : GIFReference.many(9))
        switch view {
        case .grid, .files, .fromPlayer, .emptyResults: break
        case .large: session.press(.enter)
        case .help: session.press(.character("?"))
        case .favourites: session.press(.tab, .tab)
        }
        // An empty listing has opened the field already.
        if view == .emptyResults || view == .favourites { session.press(.escape) }
        return session
    }
}
