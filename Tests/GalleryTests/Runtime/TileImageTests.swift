import Base
import Catalog
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

@Suite("Tiles as images")
struct TileImageTests {
    private static let cell = PixelSize(width: 4, height: 8)
    private static let kitty = PictureMode.kitty(cell: cell, .direct, firstImage: 1)
    private static let sixel = PictureMode.sixel(cell: cell, background: .black, colors: 256)
    private static let size = CellSize(columns: 40, rows: 12)

    /// A composer, the terminal that shows its output, and the frames of tiles.
    private final class Harness {
        let composer = ScreenComposer(size: TileImageTests.size)
        var terminal = ImageTerminal(TileImageTests.size, cell: TileImageTests.cell)
        var frames: [GIFKey: TileFrame] = [:]
        /// The number of bytes of the latest update.
        var count = 0

        func show(_ tiles: [TilePlacement], _ runs: [TextRun] = [], size: CellSize = TileImageTests.size) throws {
            composer.compose(GalleryScreen(size: size, runs: runs, tiles: tiles)) { frames[$0.key] }
            try feed()
        }

        func feed() throws {
            count = composer.output.count
            try terminal.feed(Array(composer.output.bytes))
        }
    }

    private static func key(_ id: String) -> GIFKey { GIFKey(provider: "test", id: id) }

    /// Returns a tile of 8 by 6 cells.
    private static func tile(_ id: String, row: Int, column: Int, visible: Range<Int> = 0..<12) -> TilePlacement {
        TilePlacement(
            key: key(id), position: ScreenPosition(row: row, column: column), size: PixelSize(width: 8, height: 12),
            visibleRows: visible)
    }

    /// Returns a frame for ``tile(_:row:column:visible:)`` in which the red of each cell's pixels is 10 times its row,
    /// counted from 1.
    private static func frame(_ mode: PictureMode, green: UInt8 = 0) -> TileFrame {
        let pixels = (0..<6 * cell.height).flatMap { line in
            let color = CellColor(red: UInt8(10 * (line / cell.height + 1)), green: green, blue: 0)
            return Array(repeating: color, count: 8 * cell.width)
        }
        return TileFrame(pixels: pixels, delay: Span.second, mode: mode)
    }

    @Test(
        "Images cover exactly the visible rows of their tiles, while tiles move, change and leave",
        arguments: [kitty, sixel])
    func moving(mode: PictureMode) throws {
        let harness = Harness()
        for id in ["a", "b"] { harness.frames[Self.key(id)] = Self.frame(mode) }
        try harness.show([Self.tile("a", row: 2, column: 1), Self.tile("b", row: 4, column: 20)])
        let first = ScreenPosition.area(2..<8, 1..<9).union(ScreenPosition.area(4..<10, 20..<28))
        #expect(harness.terminal.imageCells == first)
        // Tile a is scrolled partly out of the content, whose first row is 2.
        let second = [
            Self.tile("a", row: -1, column: 1, visible: 2..<12), Self.tile("b", row: 1, column: 20, visible: 2..<12),
        ]
        let title = TextRun("below", at: ScreenPosition(row: 6, column: 1))
        try harness.show(second, [title])
        let cells = ScreenPosition.area(2..<5, 1..<9).union(ScreenPosition.area(2..<7, 20..<28))
        #expect(harness.terminal.imageCells == cells)
        #expect(harness.terminal.screen.text(row: 6).contains("below"))
        try harness.show(second, [title])
        #expect(harness.count == 0)
        harness.frames[Self.key("b")] = Self.frame(mode, green: 200)
        try harness.show(second, [title])
        #expect(harness.terminal.imageCells == cells && harness.count > 0)
        try harness.show([Self.tile("b", row: 1, column: 1, visible: 2..<12)])
        #expect(harness.terminal.imageCells == ScreenPosition.area(2..<7, 1..<9))
        #expect(harness.terminal.imageCells.allSatisfy { harness.terminal.isBlank($0) })
    }

    @Test("A clipped image shows the visible rows of the picture")
    func clipped() throws {
        let harness = Harness()
        harness.frames[Self.key("a")] = Self.frame(Self.kitty)
        try harness.show([Self.tile("a", row: -2, column: 0, visible: 1..<12)])
        // The image consists of strips, whose numbers are in the order of the rows.
        let reds = harness.terminal.kittyImages.keys.sorted().flatMap { image in
            let bytes = harness.terminal.pixels.data[image] ?? []
            return stride(from: 0, to: bytes.count, by: 8 * Self.cell.area * 3).map { bytes[$0] }
        }
        #expect(reds == [40, 50, 60])
    }

    @Test(
        "A tile that text covers partly consists of half-blocks, and is an image again without the text",
        arguments: [kitty, sixel])
    func covered(mode: PictureMode) throws {
        let harness = Harness()
        for id in ["a", "b"] { harness.frames[Self.key(id)] = Self.frame(mode) }
        let tiles = [Self.tile("a", row: 2, column: 1), Self.tile("b", row: 2, column: 20)]
        try harness.show(tiles)
        let before = harness.terminal.imageCells
        try harness.show(tiles, [TextRun("keys", at: ScreenPosition(row: 3, column: 2), .bold)])
        #expect(harness.terminal.imageCells == ScreenPosition.area(2..<8, 20..<28))
        #expect(harness.terminal.screen.text(row: 3).hasPrefix("  keys"))
        let red = { (row: Int) in CellColor(red: UInt8(row), green: 0, blue: 0) }
        #expect(harness.terminal.screen[2, 1].upper == red(10) && harness.terminal.screen[3, 7].lower == red(20))
        #expect(harness.terminal.screen[7, 8].lower == red(60))
        try harness.show(tiles)
        #expect(harness.terminal.imageCells == before)
        #expect(before.allSatisfy { harness.terminal.isBlank($0) })
    }

    @Test("Transparent pixels are the terminal's background in the half-blocks of a covered tile")
    func transparent() throws {
        var pixels = Self.frame(Self.kitty).pixels
        for index in 0..<8 * Self.cell.width * 2 { pixels[index] = .terminalDefault }
        let cells = TileFrame(pixels: pixels, delay: 0, mode: Self.kitty).cells(columns: 8)
        #expect(cells.count == 8 * 12)
        // Two of the four lines of the first half-blocks are transparent.
        #expect(cells[0] == .terminalDefault && cells[8] == CellColor(red: 10, green: 0, blue: 0))
    }

    @Test("Resizing, redrawing and leaving remove the images", arguments: [kitty, sixel])
    func removing(mode: PictureMode) throws {
        let harness = Harness()
        harness.frames[Self.key("a")] = Self.frame(mode)
        let tiles = [Self.tile("a", row: 2, column: 1)]
        try harness.show(tiles)
        harness.composer.invalidate()
        try harness.show(tiles)
        #expect(harness.terminal.imageCells == ScreenPosition.area(2..<8, 1..<9))
        try harness.show(tiles, size: CellSize(columns: 20, rows: 12))
        #expect(harness.terminal.imageCells == ScreenPosition.area(2..<8, 1..<9))
        harness.composer.removeImages()
        try harness.feed()
        #expect(harness.terminal.kittyImages.isEmpty)
    }

    @Test("At most 16 tiles are sixel images, because xterm shows no more")
    func limit() throws {
        let harness = Harness()
        let pixels = Array(repeating: CellColor.black, count: Self.cell.area)
        let tiles = (0..<20).map { number in
            harness.frames[Self.key("\(number)")] = TileFrame(pixels: pixels, delay: 0, mode: Self.sixel)
            return TilePlacement(
                key: Self.key("\(number)"), position: ScreenPosition(row: 1, column: number),
                size: PixelSize(width: 1, height: 2), visibleRows: 0..<12)
        }
        try harness.show(tiles)
        #expect(harness.terminal.imageCells == ScreenPosition.area(1..<2, 0..<16))
        #expect(harness.terminal.screen[1, 19].upper == .black)
    }

    @Test("A frame of another size is not drawn")
    func otherSize() throws {
        let harness = Harness()
        harness.frames[Self.key("a")] = TileFrame(pixels: [.black, .black], delay: 0, mode: Self.kitty)
        try harness.show([Self.tile("a", row: 2, column: 1)])
        #expect(harness.terminal.imageCells.isEmpty && harness.terminal.screen[2, 1].upper == .black)
    }

    // MARK: - Choosing the mode

    private static func traits(kitty: Bool) -> TerminalTraits {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        traits.graphics.supported = kitty ? [.kitty] : []
        traits.graphics.cell = cell
        return traits
    }

    @Test("Tiles are images after the terminal has reported graphics, except over a network")
    func modes() {
        for isLocal in [true, false] {
            var session = Session { ($0.drawing.graphics, $0.hasImageTiles) = (.auto, isLocal) }
            session.open(GIFReference.many(3))
            #expect(session.shown.allSatisfy { $0.mode == .subcells(.quadrant) })
            let targets = session.shown.map(\.target)
            session.send(.changed(Self.traits(kitty: true)))
            #expect(session.shown.prefix(3).allSatisfy { ($0.mode == Self.kitty) == isLocal })
            #expect(session.shown.map(\.target) == targets)
        }
    }

    @Test("A sixel picture is not larger than the terminal's limit")
    func sixelLimit() {
        var traits = Self.traits(kitty: false)
        traits.graphics.supported = [.sixel]
        traits.graphics.sixelLimit = PixelSize(width: 80, height: 80)
        var options = GalleryOptions()
        options.drawing.graphics = .auto
        let pane = Pane(traits, options)
        let canvas = PixelSize(width: 400, height: 300)
        let pixels = pane.tileMode.target(pane.target(for: canvas))
        #expect(pixels.width <= 80 && pixels.height <= 80 && max(pixels.width, pixels.height) > 70)
    }
}
