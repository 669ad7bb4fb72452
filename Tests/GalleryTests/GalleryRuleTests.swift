import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("The gallery")
struct GalleryRuleTests {
    private func gallery(_ items: [GIFReference], _ columns: Int = 80, _ rows: Int = 24) -> Session {
        Session(.search(query: "cats"), CellSize(columns: columns, rows: rows), showing: items)
    }

    @Test("A picture keeps its aspect ratio for any aspect ratio of the terminal's cells")
    func aspect() {
        var session = gallery([.some("a", 400, 200)], 40, 30)
        #expect(session.tiles.first?.size == PixelSize(width: 18, height: 9))
        session.send(.changed(TerminalTraits(size: CellSize(columns: 40, rows: 30), cellAspect: 1)))
        #expect(session.tiles.first?.size == PixelSize(width: 18, height: 18))
    }

    @Test("The aspect ratio of a tile comes from the canvas of the GIF and not from the service's metadata")
    func canvas() {
        var session = gallery([.some("a", 400, 200)], 40, 30)
        session.send(.tile(GIFKey(provider: "commons", id: "a"), .size(PixelSize(width: 100, height: 100))))
        #expect(session.tiles.first?.size == PixelSize(width: 14, height: 14))
    }

    @Test("The selected tile does not move when the sizes of other tiles become known")
    func anchored() {
        var session = gallery(GIFReference.many(40))
        session.press(.pageDown, .pageDown, .down)
        let selected = session.selected
        let before = session.tiles
        let place = before.first { $0.key.id == selected }
        for number in 0..<40 where "\(number)" != selected {
            session.send(.tile(GIFKey(provider: "commons", id: "\(number)"), .size(PixelSize(width: 100, height: 50))))
            let now = session.tiles.first { $0.key.id == selected }
            #expect(now?.position == place?.position, "\(number)")
        }
        #expect(session.selected == selected && session.tiles != before)
    }

    @Test("The title of the selected tile stays visible when the size of the GIF becomes known")
    func seenWhole() {
        var session = gallery(GIFReference.many(6), 30, 24)
        session.press(.down)
        guard let selected = session.selected else { return }
        session.send(.tile(GIFKey(provider: "commons", id: selected), .size(PixelSize(width: 100, height: 130))))
        #expect(session.state.view().runs.contains { $0.text.contains("Title \(selected)") })
    }

    @Test("A size change of the last tile moves no other tile")
    func below() {
        var session = gallery(GIFReference.many(40))
        let before = session.tiles
        guard let last = before.last else { return }
        session.send(.tile(last.key, .size(PixelSize(width: 100, height: 300))))
        #expect(session.tiles.filter { $0.key != last.key } == before.filter { $0.key != last.key })
    }

    @Test("The gallery works in panes of any size", arguments: [(0, 0), (1, 1), (2, 2), (7, 3), (500, 2), (3, 300)])
    func smallPanes(_ columns: Int, _ rows: Int) {
        var session = gallery(GIFReference.many(5), columns, rows)
        #expect(!session.tiles.isEmpty)
        for key in [Key.down, .enter, .escape, .character("?"), .escape, .character("/"), .character("a")] {
            session.press(key)
            #expect(session.state.view().size.columns >= 1)
        }
    }

    @Test("Visible tiles are animated, most of them slowly; near tiles are prefetched, and distant tiles are released")
    func requests() {
        var session = gallery((0..<60).map { .some("\($0)") })
        #expect(session.shown.first?.reference.id == "0")
        let onScreen = Set(session.tiles.map { $0.key.id })
        #expect(session.shown.filter { $0.purpose == .animation }.map { $0.reference.id } == ["0"])
        let slow = Set(session.shown.filter { $0.purpose == .slowAnimation }.map { $0.reference.id })
        #expect(slow == onScreen.subtracting(["0"]))
        let near = session.shown.filter { $0.purpose == .prefetch }
        #expect(!near.isEmpty && near.count < 10 && near.allSatisfy { $0.target == PixelSize(width: 0, height: 0) })
        session.press(.end)
        #expect(!session.shown.contains { $0.reference.id == "0" })
    }

    @Test("Tiles are not requested again while nothing changes")
    func noRepeats() {
        var session = gallery(GIFReference.many(20))
        session.send(.reported(.linkCopied), .marked([:]))
        session.press(.up, .other)
        #expect(session.effects.allSatisfy { !$0.isShow })
    }

    @Test("With reduced motion only the selected tile is animated, and no screensaver starts")
    func reducedMotion() {
        var session = Session(showing: (0..<10).map { .some("\($0)") }) { $0.reducesMotion = true }
        session.press(.right)
        #expect(session.shown.filter { $0.purpose == .animation }.map { $0.reference.id } == ["1"])
        #expect(session.shown.contains { $0.purpose == .still })
        #expect(session.state.nextDeadline == nil)
    }

    @Test("Near the end of the listing, the next page is requested once; after the last page, none is requested")
    func more() {
        var session = Session(.search(query: "cats"))
        session.open((0..<20).map { .some("\($0)") }, next: .page(1), total: 22)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        for _ in 0..<10 { session.press(.pageDown) }
        #expect(session.all.count { $0.isLoad(of: .search(query: "cats"), page: .page(1)) } == 1)
        #expect(session.status.contains("of 22") && session.status.contains("loading more"))
        session.answer(.success(ResultPage(items: [.some("19"), .some("20"), .some("21")])))
        session.press(.end)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        #expect(session.status.contains("22 of 22") && session.status.contains("the end"))
    }

    @Test("The only GIF of a listing is not called the end, the last of two is")
    func end() {
        for count in 1...2 {
            var session = Session(.search(query: "cats"), showing: (0..<count).map { .some("\($0)") }, next: nil)
            session.press(.end)
            #expect(session.status.contains("\(count) of \(count)"))
            #expect(session.status.contains("the end") == (count == 2))
        }
    }

    @Test("A listing ends after three pages without new GIFs")
    func repeatedPages() {
        var session = Session(.search(query: "cats"), showing: [.some("0")], next: .page(1))
        for number in 2...4 {
            #expect(session.effects.contains { $0.loadTicket != nil })
            session.answer(.success(ResultPage(items: [.some("0")], next: .page(number))))
        }
        #expect(session.effects.allSatisfy { $0.loadTicket == nil } && session.state.phase == .results)
    }

    @Test("The key 'r' refreshes the results, keeps the selected GIF, and adds new ones below")
    func refresh() {
        var session = gallery(GIFReference.many(30))
        session.press(.pageDown, .character("r"))
        session.answer(.success(ResultPage(items: GIFReference.many(30, from: 50))))
        #expect(session.state.grid.items.map(\.id) == (Array(0..<30) + (50..<80)).map { "\($0)" })
        #expect(session.selected != "0" && session.state.grid.isAtTop == false)
    }

    @Test("The attribution marks of the visible sources are displayed in panes of every size")
    func sourceMarks() {
        for (columns, rows) in [(20, 5), (40, 12), (80, 24), (20, 20)] {
            let session = gallery([.some("c"), .some("g", source: "giphy")], columns, rows)
            let shown = session.tiles.contains { $0.key.provider == "giphy" }
            #expect(session.text.contains("Powered By GIPHY") == shown, "\(columns)x\(rows)")
        }
    }

    @Test("A failed tile shows the reason, and is requested again only after the key 'r' is pressed")
    func failed() {
        var session = gallery(GIFReference.many(2))
        session.send(.tile(GIFKey(provider: "commons", id: "0"), .failed(.notAnimated)))
        #expect(session.text.contains("failed: not animated") && !session.shown.contains { $0.reference.id == "0" })
        session.press(.character("r"))
        #expect(session.shown.contains { $0.reference.id == "0" })
    }
}
