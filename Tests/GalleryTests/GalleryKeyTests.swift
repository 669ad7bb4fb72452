import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Keys of the gallery")
struct GalleryKeyTests {
    private func gallery(_ count: Int = 30, _ columns: Int = 80, _ rows: Int = 24) -> Session {
        var session = Session(.search(query: "cats"), CellSize(columns: columns, rows: rows))
        session.open((0..<count).map { .some("\($0)") })
        return session
    }

    private static let letters = "ljhk".map { Key.character($0) }

    @Test(
        "Keys select the neighbour in the row or the column, and no key goes beyond the first or the last GIF",
        arguments: [
            (30, [Key.right, .down, .left, .up], ["1", "4", "3", "0"]), (30, letters, ["1", "4", "3", "0"]),
            (30, [.up, .left, .end, .down, .right, .home], ["0", "0", "29", "29", "29", "0"]),
            // The ends of the rows, and a short column.
            (8, [.right, .right, .right, .left, .down, .down], ["1", "2", "3", "2", "5", "7"]),
            (60, Array(repeating: .pageDown, count: 40) + Array(repeating: .pageUp, count: 40), ["6", "12"]),
        ])
    func moves(count: Int, keys: [Key], selected: [String]) {
        var session = gallery(count)
        let path = keys.map { key in
            session.press(key)
            return session.selected ?? ""
        }
        #expect(Array(path.prefix(selected.count)) == selected)
        #expect(keys.count < 80 || path[39] == "59" && path[79] == "0")
    }

    @Test("Enter opens the large view, 'n' and 'p' change the GIF, and Esc returns with the shown GIF selected")
    func full() {
        var session = gallery()
        session.press(.enter)
        #expect(session.effects.contains(.markViewed(.some("0"))))
        #expect(session.large == "0")
        session.press(.character("n"), .character("n"), .character("p"))
        #expect(session.large == "1")
        session.press(.escape)
        #expect(session.selected == "1" && session.large == nil)
    }

    @Test("In the large view, the tiles stay as they are, and only the files of the neighbours are fetched")
    func requests() {
        var session = gallery(60)
        let tiles = session.shown.filter { $0.purpose != .prefetch }
        session.press(.enter)
        #expect(session.shown == tiles)
        session.press(.pageDown, .pageDown, .pageDown, .pageDown, .pageDown, .pageDown)
        #expect(session.large == "6" && session.shown.prefix(tiles.count) == tiles[...])
        let others = session.shown.dropFirst(tiles.count)
        #expect(others.map { $0.reference.id } == ["7"] && others.allSatisfy { $0.purpose == .prefetch })
        session.press(.escape)
        #expect(session.shown.first?.reference.id == "6" && session.shown != tiles)
    }

    @Test("The large view reports that the first or the last GIF is reached")
    func ends() {
        var session = gallery(2)
        session.press(.enter, .character("p"))
        #expect(session.notice == "first GIF")
        session.press(.character("n"), .character("n"))
        #expect(session.notice == "last GIF" && session.large == "1")
    }

    @Test("Each action key has the same effect in the gallery and in the large view")
    func actions() {
        let one = GIFReference.some("0")
        let expected: [(Character, GalleryEffect)] = [
            ("s", .act(.save, [one])), ("y", .act(.copyLink, [one])), ("Y", .act(.copyAddress, [one])),
            ("c", .act(.copyFile, [one])), ("o", .act(.open, [one])),
            ("f", .setFavourite([one], true)), ("d", .setDismissed([one], true)),
        ]
        for (letter, effect) in expected {
            var session = gallery()
            session.press(.character(letter))
            #expect(session.effects.contains(effect), "\(letter)")
            session = gallery()
            session.press(.enter, .character(letter))
            #expect(session.effects.contains(effect), "\(letter)")
        }
    }

    @Test("If the source of a GIF forbids copies, the key 's' saves nothing, and the status line states the reason")
    func forbidden() {
        var session = Session(.search(query: "cats"), showing: [.some("g", source: "giphy")])
        session.press(.character("s"))
        #expect(session.effects.allSatisfy { $0.isShow })
        #expect(session.status.contains("GIPHY does not allow saving"))
    }

    @Test("The key 'f' immediately marks a GIF with a star, and pressing it again removes the star")
    func favourites() {
        var session = gallery(2)
        session.press(.character("f"))
        #expect(session.text.contains("★ Title 0"))
        session.press(.character("f"))
        #expect(!session.text.contains("★ Title 0"))
        #expect(session.effects == [.setFavourite([.some("0")], false)])
    }

    @Test("Ctrl-C, Ctrl-Z and Ctrl-L have the same effect in every view")
    func program() {
        let ways: [[Key]] = [[], [.character("/")], [.enter], [.character("?")]]
        for way in ways {
            var session = gallery()
            for key in way { session.press(key) }
            session.press(.control("l"))
            #expect(session.effects == [.redraw])
            session.press(.control("z"))
            #expect(session.effects.isEmpty)
            session.press(.control("c"))
            #expect(session.effects == [.quit(signal: 2)])
        }
    }

    @Test("The key 'q' quits in the gallery, and returns to the gallery from other views")
    func quits() {
        var session = gallery()
        session.press(.enter, .character("q"))
        #expect(!session.all.contains(.quit(signal: nil)) && session.large == nil)
        session.press(.character("?"), .character("q"))
        #expect(!session.all.contains(.quit(signal: nil)))
        session.press(.character("q"))
        #expect(session.effects == [.quit(signal: nil)])
    }

    @Test("Esc closes the current view, and quits in the gallery")
    func escapes() {
        let ways: [[Key]] = [[], [.character("/")], [.enter], [.enter, .character("?")], [.character("/"), .enter]]
        for way in ways {
            var session = gallery()
            for key in way { session.press(key) }
            for _ in 0..<3 where !session.all.contains(.quit(signal: nil)) { session.press(.escape) }
            #expect(session.effects == [.quit(signal: nil)], "\(way)")
        }
        var session = gallery()
        session.press(.character("/"), .escape)
        #expect(!session.all.contains(.quit(signal: nil)) && session.state.view().cursor == nil)
    }

    @Test(
        "Keys for a screen and half a screen scroll the help by its lines, and stop at its ends",
        arguments: [(40, 8), (30, 12), (80, 10)])
    func helpPages(columns: Int, rows: Int) {
        var session = Session(.search(query: "cats"), CellSize(columns: columns, rows: rows))
        session.open(GIFReference.many(9))
        session.press(.character("?"))
        func line() -> Int? { if case .help(let line) = session.state.mode { line } else { nil } }
        let last = GalleryView(session.state).lastHelpLine
        #expect(last > 0)
        let half = max(1, (rows - 2) / 2)
        for (key, expected) in [
            (Key.down, 1), (.up, 0), (.pageDown, 2 * half), (.control("u"), half), (.control("d"), 2 * half),
            (.pageUp, 0), (.up, 0),
        ] {
            session.press(key)
            #expect(line() == min(last, expected), "\(key)")
        }
        for _ in 0..<30 { session.press(.character(" ")) }
        #expect(line() == last)
    }

    @Test("The key '?' shows the help over the gallery, and any other key hides the help")
    func help() {
        var session = gallery()
        session.press(.character("?"))
        #expect(session.text.contains("Keys") && session.text.contains("select a GIF"))
        session.press(.character("d"))
        #expect(session.effects.isEmpty && !session.text.contains("select a GIF"))
    }

    @Test("Tab changes the feed, and the services are queried only for a feed that stays selected for 0.3 s")
    func feeds() {
        var session = Session(showing: GIFReference.many(3)) {
            $0.feeds = [.trending(source: nil), .community("gifs"), .favourites, .history]
        }
        session.press(.tab)
        #expect(session.effects.contains { $0.isStoreLoad } && session.effects.allSatisfy { $0.loadTicket == nil })
        #expect(session.lines[1].contains("[r/gifs]"))
        session.press(.tab)
        #expect(session.lines[1].contains("[★ Favourites]"))
        session.press(.backTab)
        session.wait(milliseconds: 300)
        #expect(session.effects.contains { $0.isLoad(of: .community("gifs")) })
        session.press(.backTab)
        #expect(session.lines[1].contains("[Trending]") && session.shown.count == 3)
        #expect(session.effects.allSatisfy { !$0.isLoad(of: .trending(source: nil)) })
    }

    @Test("When another feed is selected, the search is still listed among the feeds")
    func searchFeed() {
        var session = gallery()
        session.press(.down, .tab)
        #expect(session.lines[1].contains("“cats”") && session.lines[1].contains("[Trending]"))
        session.press(.backTab)
        #expect(session.lines[1].contains("[“cats”]") && session.selected == "3")
    }
}

@Suite("The mouse")
struct PointerTests {
    private func gallery() -> Session {
        Session(.search(query: "cats"), showing: (0..<30).map { .some("\($0)") })
    }

    @Test("A click selects a tile, a second click opens the large view, and a third click closes it")
    func click() {
        var session = gallery()
        session.send(.pointer(PointerEvent(.press, row: 6, column: 60)))
        #expect(session.selected == "2")
        session.send(.pointer(PointerEvent(.press, row: 6, column: 60)))
        #expect(session.large == "2")
        session.send(.pointer(PointerEvent(.press, row: 6, column: 60)))
        #expect(session.large == nil && session.selected == "2")
    }

    @Test("A click beside the hints of the large view does not close it", arguments: [(80, 24), (40, 5), (160, 12)])
    func besideHints(columns: Int, rows: Int) {
        var session = gallery()
        session.resize(columns, rows)
        session.press(.enter)
        for column in [0, columns / 2, columns - 1] {
            session.send(.pointer(PointerEvent(.press, row: rows - 1, column: column)))
            #expect(session.large == "0")
        }
        session.send(.pointer(PointerEvent(.press, row: rows - 2, column: 5)))
        #expect(session.large == nil)
    }

    @Test("A notch of the wheel scrolls one row of tiles; the selection stays on the screen")
    func wheel() {
        var session = gallery()
        let before = session.tiles.first?.position.row ?? 0
        session.press(.down)
        session.send(.pointer(PointerEvent(.wheelDown, row: 6, column: 6)))
        #expect(session.tiles.first?.key.id == "3" && session.tiles.first?.position.row == before)
        #expect(session.selected == "3")
        for _ in 0..<30 { session.send(.pointer(PointerEvent(.wheelDown, row: 6, column: 6))) }
        #expect(session.selected != "3" && session.state.view().runs.contains { $0.style == .selected })
        for _ in 0..<60 { session.send(.pointer(PointerEvent(.wheelUp, row: 6, column: 6))) }
        #expect(session.tiles.first?.position.row == before)
    }

    @Test("A click on the search field or on a feed activates it, and a click on an empty area does nothing")
    func searchFieldAndFeeds() {
        var session = gallery()
        session.send(.pointer(PointerEvent(.press, row: 0, column: 10)))
        #expect(session.state.view().cursor != nil)
        let column = session.lines[1].unicodeScalars.count { _ in true } - 3
        session.send(.pointer(PointerEvent(.press, row: 1, column: column)))
        #expect(session.lines[1].contains("[Dismissed]"))
        let before = session.state.view()
        session.send(.pointer(PointerEvent(.press, row: 2, column: 79)))
        session.send(.pointer(PointerEvent(.press, row: 500, column: 900)))
        #expect(session.state.view() == before)
    }
}
