import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("The look of the gallery")
struct DesignTests {
    private static func traits(
        _ columns: Int, _ rows: Int, aspect: Double = 2, depth: ColorDepth = .direct, background: CellColor? = nil,
        program: String = ""
    ) -> TerminalTraits {
        let size = CellSize(columns: columns, rows: rows)
        var traits = TerminalTraits(
            size: size, cellAspect: aspect, background: background, colors: ColorFormat(depth: depth))
        traits.graphics.program = program
        return traits
    }

    private static func gallery(_ traits: TerminalTraits, _ items: [GIFReference] = .many(40)) -> Session {
        var session = Session(.search(query: "cats"), traits.size)
        session.send(.changed(traits))
        session.open(items)
        return session
    }

    @Test(
        "So many tiles are on the screen as a whole, for any shape of the cells, and after every key",
        arguments: [(80, 24, 6), (120, 40, 10), (200, 60, 16)], [1.8, 1.875, 2, 2.2])
    func wholeTiles(_ expected: (columns: Int, rows: Int, count: Int), aspect: Double) {
        var session = Self.gallery(Self.traits(expected.columns, expected.rows, aspect: aspect))
        for key in [nil, Key.down, .right, .pageDown, .down, .up] {
            if let key { session.press(key) }
            let grid = session.state.grid
            let whole = grid.indices(in: grid.visibleRows).filter {
                grid.rows(of: $0).clamped(to: grid.visibleRows) == grid.rows(of: $0)
            }
            #expect(whole.count >= expected.count && whole.count == session.tiles.count)
        }
    }

    @Test("Two rows of tiles fit, unless the pictures would be too low; '+' and '-' change the number of columns")
    func zoom() {
        for rows in 17...70 {
            let pane = Pane(Self.traits(100, rows))
            #expect(pane.content.count >= 2 * pane.rowPitch, "\(rows)")
        }
        var options = GalleryOptions()
        let pane = Pane(Self.traits(120, 40))
        options.tileZoom = 2
        let larger = Pane(Self.traits(120, 40), options)
        #expect(larger.columnCount == pane.columnCount - 2 && larger.box.rows > pane.box.rows)
        options.tileZoom = -90
        #expect(Pane(Self.traits(120, 40), options).columnCount == 10)
        options.tileZoom = 90
        #expect(Pane(Self.traits(120, 40), options).columnCount == 1)
    }

    @Test("Tiles consist of quadrants, except on a console, with few colours and after a choice")
    func modes() {
        func mode(_ traits: TerminalTraits, _ change: (inout GalleryOptions) -> Void) -> PictureMode {
            var options = GalleryOptions()
            change(&options)
            return Pane(traits, options).tileMode
        }
        let traits = Self.traits(80, 24)
        #expect(mode(traits) { _ in } == .subcells(.quadrant))
        #expect(mode(traits) { $0.hasQuadrants = false } == .half)
        #expect(mode(traits) { $0.hasChosenMode = true } == .half)
        let sextants = PictureMode.subcells(.sextant)
        #expect(mode(traits) { $0.drawing.characters = sextants } == sextants)
        #expect(mode(Self.traits(80, 24, depth: .indexed)) { _ in } == .subcells(.quadrant))
        #expect(mode(Self.traits(80, 24, depth: .sixteen)) { _ in } == .half)
        #expect(mode(Self.traits(80, 24, depth: .none)) { _ in } == .half)
        let screen = Self.gallery(traits).state.view()
        #expect(screen.subcells == .quadrant)
    }

    @Test("A frame in other subcells than the screen is not drawn, because its patterns have other glyphs")
    func outdatedFrame() {
        let composer = ScreenComposer(size: CellSize(columns: 4, rows: 2))
        let key = GIFKey(provider: "test", id: "a")
        let tile = TilePlacement(
            key: key, position: ScreenPosition(row: 0, column: 0), size: PixelSize(width: 1, height: 2),
            visibleRows: 0..<1, fill: CellColor(red: 7, green: 8, blue: 9))
        var screen = GalleryScreen(size: CellSize(columns: 4, rows: 2), tiles: [tile])
        screen.subcells = .quadrant
        let pixels = [CellColor(red: 1, green: 2, blue: 3), .black]
        composer.compose(screen) { _ in TileFrame(pixels: pixels, delay: 1, mode: .subcells(.octant)) }
        #expect(String(decoding: composer.output.bytes, as: UTF8.self).contains("7;8;9"))
        composer.compose(screen) { _ in TileFrame(pixels: pixels, delay: 1, mode: .subcells(.quadrant)) }
        #expect(String(decoding: composer.output.bytes, as: UTF8.self).contains("1;2;3"))
    }

    @Test("A closed frame with the title in its lower edge marks the selected tile; other titles are dim")
    func selection() {
        for (depth, bars, edge) in [
            (ColorDepth.direct, ["▐", "▌"], "▗▄▄"), (.eight, ["▐", "▌"], "▗▄▄"), (.none, ["┃", "┃"], "┏━━"),
        ] {
            let session = Self.gallery(Self.traits(80, 24, depth: depth))
            let runs = session.state.view().runs
            let pane = session.state.grid.pane
            for (bar, column) in zip(bars, [0, pane.pitch - 1]) {
                let count = runs.count { $0.text == bar && $0.position.column == column && $0.style == .accented }
                #expect(count == pane.box.rows, "\(bar)")
            }
            let upper = runs.first { $0.text.hasPrefix(edge) && $0.style == .accented }
            let title = runs.first { $0.style == .selected }
            #expect(upper.map { TerminalText.width($0.text) } == pane.pitch)
            #expect(title.map { $0.position.row - (upper?.position.row ?? 0) } == pane.box.rows + 1)
            #expect(title.map { TerminalText.width($0.text) } == pane.pitch)
            #expect(title?.text.hasPrefix(" Title 0 ") == true)
            #expect(runs.first { $0.text == "Title 1" }?.style == .dim && !session.text.contains("▶"))
        }
    }

    @Test("The credit is a link if the terminal has links and the address cannot end the sequence")
    func links() {
        func links(_ program: String, _ address: String) -> Set<String?> {
            var reference = GIFReference.some("1")
            reference.pageURL = address
            let session = Self.gallery(Self.traits(80, 24, program: program), [reference])
            return Set(session.state.view().runs.map(\.link).filter { $0 != nil })
        }
        let page = "https://example.org/1"
        for program in ["kitty(0.41.1)", "WezTerm 20240203", "VTE(7600)"] { #expect(links(program, page) == [page]) }
        for program in ["", "XTerm(390)", "tmux 3.3a"] { #expect(links(program, page).isEmpty) }
        let unsafe = [
            "https://example.org/\u{1B}\\x", "https://example.org/\u{7}", "javascript:alert(1)", "file:///etc/passwd",
            "https://example.org/ä", "https://example.org/" + String(repeating: "x", count: 2000),
        ]
        for address in unsafe { #expect(links("kitty(0.41.1)", address).isEmpty, "\(address.debugDescription)") }
    }

    @Test("A running query fills the tiles with one colour, and the status line says who is asked, and for how long")
    func asking() {
        var session = Session(.search(query: "cats"))
        session.send(.opened)
        #expect(session.text.contains("searching for “cats”…") && session.tiles.count == 6)
        #expect(session.status.contains("searching for “cats”…"))
        session.send(.asking(ticket: session.lastLoad ?? 0, source: "commons"))
        #expect(session.text.contains("asking Wikimedia Commons"))
        session.wait(milliseconds: 3_000)
        #expect(session.text.contains("asking Wikimedia Commons, 3 s"))
        session.send(.asking(ticket: 999, source: "giphy"))
        #expect(!session.text.contains("GIPHY"))
        session.answer(.failure(.timedOut(host: "commons.wikimedia.org", milliseconds: 1)))
        #expect(session.text.contains("Wikimedia Commons: server timed out") && !session.text.contains(".org"))
        #expect(session.state.nextDeadline == nil)
    }

    @Test("A long query is cut in the line of feeds, and the names of the other feeds stay")
    func longQuery() {
        let session = Session(.search(query: String(repeating: "cat ", count: 40) + "cat"))
        let line = session.lines[1]
        #expect(line.hasPrefix("[“cat cat ") && line.contains("…”]") && TerminalText.width(line) <= 80)
        #expect(["Trending", "Favourites", "History"].allSatisfy(line.contains))
    }

    @Test("The name of a file is cut in the middle, so that its extension stays")
    func fileNames() {
        let path = "/home/ada/a-very-long-name-of-a-file-from-a-holiday-at-the-sea-2024.gif"
        let session = Self.gallery(Self.traits(80, 24), [GIFReference.file(path)])
        #expect(session.text.contains(/a-very-long-n\S*…\S*2024\.gif/))
        #expect(TerminalText.fittedTitle("abcdefghijklmnopqrst.gif", to: 16) == "abcdefg…qrst.gif")
        let cut = "no clipboard for files, path copied: ~/a/folder/w…/dancing-cat.gif"
        for cells in 30..<TerminalText.width(cut) {
            let text = TerminalText.statusLine("Dancing cat", cut, "", "", room: cells).fields[1]
            #expect(TerminalText.width(text) <= cells && text.count { $0 == "…" } == 1 && text.hasSuffix("-cat.gif"))
        }
        #expect(TerminalText.fittedTitle("A long title of a GIF", to: 16) == "A long title of…")
    }
}

extension [GIFReference] {
    fileprivate static func many(_ count: Int) -> [GIFReference] { GIFReference.many(count) }
}
