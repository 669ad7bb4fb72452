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

    @Test("Arrow keys and hjkl move the selection in the grid")
    func arrows() {
        for keys in [[Key.right, .down, .left, .up], "ljhk".map { .character($0) }] {
            var session = gallery()
            var path = [session.selected]
            for key in keys {
                session.press(key)
                path.append(session.selected)
            }
            #expect(path == ["0", "1", "4", "3", "0"])
        }
    }

    @Test("The selection does not move beyond the first and the last GIF")
    func edges() {
        var session = gallery()
        for key in [Key.up, .left] {
            session.press(key)
            #expect(session.selected == "0")
        }
        session.press(.end)
        #expect(session.selected == "29")
        session.press(.down, .right)
        #expect(session.selected == "29")
        session.press(.home)
        #expect(session.selected == "0")
    }

    @Test("Right and left continue in the next and previous row; down from a short column ends at the last GIF")
    func rowEnds() {
        var session = gallery(8)
        session.press(.right, .right, .right)
        #expect(session.selected == "3")
        session.press(.left)
        #expect(session.selected == "2")
        session.press(.down, .down)
        #expect(session.selected == "7")
    }

    @Test("Page keys move the selection by nearly a screen, up to the first or the last GIF")
    func pages() {
        var session = gallery(60)
        session.press(.pageDown)
        let first = session.selected
        #expect(first != "0")
        session.press(.pageUp)
        #expect(session.selected == "0")
        for _ in 0..<40 { session.press(.pageDown) }
        #expect(session.selected == "59")
        for _ in 0..<40 { session.press(.pageUp) }
        #expect(session.selected == "0")
    }

    @Test("The selected tile is completely visible after every key press")
    func visibleSelection() {
        var session = gallery(60)
        for key in [Key.down, .down, .down, .right, .pageDown, .up, .pageDown, .end, .up, .left, .home] {
            session.press(key)
            #expect(session.state.view().runs.contains { $0.style == .selected }, "\(key)")
            let tile = session.tiles.first { $0.key.id == session.selected }
            #expect(tile?.visibleRows.count == ((tile?.size.height ?? 0) + 1) / 2, "\(key)")
        }
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
        var session = Session(.search(query: "cats"))
        session.open([.some("g", source: "giphy")])
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
        var session = Session { $0.feeds = [.trending(source: nil), .community("gifs"), .favourites, .history] }
        session.open(GIFReference.many(3))
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
