import Base
import Catalog
import Foundation
import Pixels
import Playback
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
        if case .unknownKey = session.state.notices.message { true } else { false }
    }

    @Test("A key acts if and only if the table has it for the view; any other key says so", arguments: [false, true])
    func walk(isLarge: Bool) {
        for key in Self.keys {
            var session = session(isLarge ? [.enter] : [])
            let before = session.state
            session.press(key)
            // There are three feeds.
            let isFeedWithoutNumber = if case .character("4"..."9") = key { true } else { false }
            let isListed = KeyTable.command(of: key, in: isLarge ? .large : .grid) != nil && !isFeedWithoutNumber
            #expect(isRefused(session) == !isListed, "\(key)")
            // The terminal suspends the process. The gallery already shows the first feed.
            guard isListed, ![.control("z"), .character("1")].contains(key) else { continue }
            #expect(session.state != before || !session.effects.isEmpty, "\(key)")
        }
    }

    @Test("In the screensaver, a listed key acts on the shown GIF, and any other key acts in the grid")
    func screensaver() throws {
        for key in Self.keys {
            var idle = session()
            var grid = idle
            idle.wait(milliseconds: 60_000)
            grid.now = idle.now
            let ticket = try #require(
                idle.effects.compactMap { if case .loadRandom(let ticket) = $0 { ticket } else { nil } }.first)
            idle.send(.loadedRandom(ticket: ticket, .success(.some("shown"))))
            #expect(idle.state.screensaver.shown?.id == "shown")
            idle.press(key)
            grid.press(key)
            if KeyTable.command(of: key, in: .screensaver) != nil, !key.isGlobal {
                let isOpen = idle.state.mode.isFull && idle.state.grid.selected?.id == "shown"
                #expect(isOpen == (key == .enter), "\(key)")
                #expect(!idle.effects.isEmpty && idle.effects != grid.effects, "\(key)")
            } else {
                #expect(idle.state.mode == grid.state.mode && idle.state.listing.feed == grid.state.listing.feed)
                #expect(idle.state.grid.selection == grid.state.grid.selection && idle.state.screensaver.shown == nil)
                let own = { (session: Session) in session.effects.filter { !$0.isShow } }
                // The tickets differ, because the screensaver has used one.
                #expect(own(idle).count == own(grid).count, "\(key)")
            }
        }
    }

    @Test("In the search field, each character is text, and no key is a command")
    func field() {
        for key in Self.keys where !key.isGlobal {
            var session = session([.character("/")])
            session.press(key)
            #expect(session.effects.allSatisfy { $0.isHarmless }, "\(key)")
            guard case .character(let character) = key else { continue }
            #expect(session.state.search.field.text == [character] && session.state.mode == .typing)
        }
    }

    @Test("Over the help, '/' opens the search field, keys that move scroll, and any other key only closes it")
    func help() {
        for way in [[Key.character("?")], [.enter, .character("?")]] {
            for key in Self.keys where !key.isGlobal {
                var session = session(way)
                let below = session.state.mode.below
                session.press(key)
                #expect(session.effects.allSatisfy { $0.isShow }, "\(key)")
                if key == .character("/") {
                    #expect(session.state.mode == .typing)
                } else {
                    #expect(session.state.mode.below == below, "\(key)")
                }
            }
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
        case .load, .loadStored, .cancel, .show, .suggest, .loadRandom: true
        default: false
        }
    }
}
