import Base
import Catalog
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

@Suite("The large picture beside the list")
struct SideTests {
    private func gallery(
        _ columns: Int = 160, _ rows: Int = 45, _ feed: Feed = .search(query: "cats"), language: Language = .english,
        adjust: (inout GalleryOptions) -> Void = { _ in }
    ) -> Session {
        var session = Session(feed, CellSize(columns: columns, rows: rows)) {
            $0.language = language
            adjust(&$0)
        }
        session.open(GIFReference.many(60))
        return session
    }

    private func large(_ session: Session) -> TilePlacement? { session.tiles.first { $0.isLarge } }

    @Test(
        "Columns of the list, size of the picture, and tiles in panes of these sizes",
        arguments: [
            (139, 40, 139, 0, 0, 5, 3), (140, 40, 55, 84, 35, 3, 4), (160, 45, 63, 96, 40, 4, 5),
            (200, 60, 79, 120, 55, 4, 6), (240, 16, 205, 34, 13, 7, 1), (240, 70, 95, 144, 65, 4, 6),
            (160, 12, 133, 26, 10, 6, 1), (140, 5, 129, 10, 4, 10, 1),
        ])
    func sizes(columns: Int, rows: Int, list: Int, width: Int, height: Int, across: Int, down: Int) {
        let session = gallery(columns, rows) { $0.showsSide = true }
        let pane = session.state.grid.pane
        #expect(pane.listColumns == list && pane.columnCount == across && pane.content.count == down * pane.rowPitch)
        #expect((pane.side?.box ?? CellSize(columns: 0, rows: 0)) == CellSize(columns: width, rows: height))
        // The tiles keep two fifths, and nothing overlaps the picture.
        #expect(pane.columnCount * pane.pitch <= list && list * 5 >= (columns - 5) * 2)
        guard let side = pane.side, let picture = large(session) else { return #expect(columns < 140) }
        #expect(picture.position == ScreenPosition(row: side.rows.lowerBound, column: list + 1))
        #expect(picture.size.width <= width && picture.size.rows <= height)
        #expect(picture.size.width == width || picture.size.rows == height)
    }

    @Test("'v' shows the picture and removes it, and stores each change")
    func toggle() {
        var session = gallery()
        #expect(large(session) == nil)
        session.press(.character("v"))
        #expect(session.effects.contains(.storeSide(true)) && large(session)?.key.id == "0")
        session.press(.character("v"))
        #expect(session.effects.contains(.storeSide(false)) && large(session) == nil)
    }

    @Test(
        "Below 140 columns, 'v' says why nothing happens; the picture comes back with the room",
        arguments: Language.allCases)
    func narrow(language: Language) {
        var session = gallery(139, 40, language: language)
        session.press(.character("v"))
        #expect(session.notice == language(en: "v needs 140 columns", de: "v braucht 140 Spalten"))
        #expect(session.effects.isEmpty)
        session.resize(140, 40)
        #expect(large(session) == nil)
        session.press(.character("v"))
        session.resize(100, 40)
        #expect(large(session) == nil && session.state.options.showsSide)
        session.press(.character("v"))
        #expect(session.state.options.showsSide)
        session.resize(160, 45)
        #expect(large(session)?.key.id == "0")
    }

    @Test("The picture follows the selection at once, with title, credit and facts below it")
    func follows() {
        var session = gallery { $0.showsSide = true }
        for (key, id) in [(Key.right, "1"), (.down, "5"), (.end, "59"), (.character("g"), "0")] {
            session.press(key)
            let picture = large(session)
            #expect(picture?.key.id == id)
            let row = picture.map { $0.position.row + $0.size.rows } ?? 0
            let texts = session.state.view().runs.filter { $0.position.column == 64 && $0.position.row >= row }
            #expect(texts.first?.text == "Title \(id)" && texts.first?.style == .bold)
            #expect(texts.dropFirst().first?.text.hasPrefix("Ada · CC BY-SA 4.0 · Wikimedia Commons") == true)
            // The first request, whose file is that of the tile until a larger one has arrived.
            let request = session.shown.first
            #expect(request?.id == picture?.id && request?.target == picture?.size && request?.purpose == .animation)
            let tile = session.shown.first { $0.id == TileID(key: GIFKey(provider: "commons", id: id)) }
            #expect(request?.tileSize == tile?.pixels && tile?.purpose == .slowAnimation)
        }
    }

    @Test("Only the large picture has the exact colours and the whole frame rate, and moves with reduced motion")
    func focus() {
        let session = gallery { $0.showsSide = true }
        #expect(session.tiles.allSatisfy { $0.isBeside != $0.isLarge })
        let still = gallery {
            $0.showsSide = true
            $0.reducesMotion = true
        }
        #expect(still.shown.filter { $0.purpose == .animation }.map(\.id.isLarge) == [true])
    }

    @Test("A click on the picture opens the large view; one on the text beside the tiles opens it too")
    func click() {
        for row in [2, 20, 43] {
            var session = gallery { $0.showsSide = true }
            session.press(.right)
            session.send(.pointer(PointerEvent(.press, row: row, column: 64)))
            #expect(session.large == "1")
            session.press(.escape)
            #expect(session.large == nil && large(session)?.key.id == "1")
        }
        var empty = gallery { $0.showsSide = true }
        empty.press(.tab)
        empty.send(.pointer(PointerEvent(.press, row: 20, column: 100)))
        #expect(empty.large == nil)
    }

    @Test("While a new listing has no picture, the old picture stays, dimmed and still, and a click does nothing")
    func dimmed() {
        var session = gallery { $0.showsSide = true }
        session.press(.tab)
        let old = large(session)
        #expect(old?.key.id == "0" && old?.isPrevious == true && old?.isFaded == true)
        #expect(session.shown.first { $0.id.isLarge }?.purpose == .still)
        session.send(.pointer(PointerEvent(.press, row: 20, column: 100)))
        #expect(session.large == nil)
        session.wait(milliseconds: 400)
        session.answer(.success(ResultPage(items: GIFReference.many(3, from: 80))))
        #expect(large(session)?.key.id == "0")
        session.send(.tile(GIFKey(provider: "commons", id: "81"), .size(PixelSize(width: 480, height: 270))))
        #expect(large(session)?.key.id == "80" && large(session)?.isPrevious == false)
    }

    @Test("A GIF that cannot be fetched has its reason beside the tiles, too")
    func failed() {
        var session = gallery { $0.showsSide = true }
        session.send(.tile(GIFKey(provider: "commons", id: "0"), .failed(.notGIF(.html, host: "example.org"))))
        #expect(large(session) == nil && !session.shown.contains { $0.id.isLarge })
        let texts = session.state.view().runs.filter { $0.position.column >= 64 }.map(\.text).joined(separator: " ")
        #expect(texts.contains("failed:") && texts.contains("Title 0"))
    }

    @Test("Folders, the picker, favourites and searches in German have the picture, and other keys work as without it")
    func everywhere() {
        for feed in [Feed.files(matching: ""), .trending(source: nil), .community("gifs")] {
            var session = gallery(160, 45, feed, language: .german) {
                $0.showsSide = true
                $0.picker = .url
            }
            #expect(large(session)?.key.id == "0" && session.text.contains("Enter wählen"))
            session.press(.right, .character(" "))
            #expect(session.large == "1")
            session.press(.escape, .enter)
            #expect(session.effects.contains(.pick([session.state.grid.items[1]])))
            session.press(.character("?"))
            #expect(session.text.contains("großes Bild neben der Liste"))
        }
    }

    @Test("A query without results has its message and the built-in GIFs in the list, beside the first one")
    func substitutes() {
        var session = Session(.search(query: "dancng cta"), CellSize(columns: 160, rows: 45)) { $0.showsSide = true }
        session.open([])
        #expect(large(session)?.key == session.state.grid.items.first?.key)
        let message = session.state.view().runs.first { $0.text.contains("nothing found") }
        #expect(message.map { $0.position.column + $0.text.count <= 63 } == true)
    }
}

/// What the terminal shows beside the list while the selection moves.
@Suite("The large picture on the terminal")
struct SidePictureTests {
    private static let size = CellSize(columns: 40, rows: 12)

    private static func tile(_ id: String, isLarge: Bool = false) -> TilePlacement {
        TilePlacement(
            key: GIFKey(provider: "test", id: id), isLarge: isLarge,
            position: ScreenPosition(row: 1, column: isLarge ? 10 : 0),
            size: PixelSize(width: isLarge ? 20 : 8, height: 16), visibleRows: 1..<9, isBeside: !isLarge,
            fill: CellColor(red: 99, green: 99, blue: 99))
    }

    private static func frame(_ red: UInt8, _ cells: Int) -> TileFrame {
        TileFrame(pixels: Array(repeating: CellColor(red: red, green: 0, blue: 0), count: cells * 2), delay: 1)
    }

    @Test("The picture stays until that of the next GIF is decoded; without a tile to decode, its place is filled")
    func handover() throws {
        let composer = ScreenComposer(size: Self.size, fidelity: .exact)
        var terminal = VirtualScreen(columns: Self.size.columns, rows: Self.size.rows)
        var frames: [TileID: TileFrame] = [:]
        func shown(_ id: String) throws -> Int {
            let tiles = [Self.tile(id), Self.tile(id, isLarge: true)]
            composer.compose(GalleryScreen(size: Self.size, tiles: tiles)) { frames[$0] }
            try terminal.feed(composer.output.bytes)
            return Int(terminal[4, 20].upper.red)
        }
        #expect(try shown("a") == 99)
        frames = [Self.tile("a").id: Self.frame(10, 64), Self.tile("a", isLarge: true).id: Self.frame(20, 160)]
        #expect(try shown("a") == 20)
        frames[Self.tile("b").id] = Self.frame(30, 64)
        #expect(try shown("b") == 20)
        frames[Self.tile("b", isLarge: true).id] = Self.frame(40, 160)
        #expect(try shown("b") == 40)
        #expect(try shown("c") == 99)
    }
}
