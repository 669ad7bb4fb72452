import Pixels
import TestSupport
import Testing

@Suite("Encoding cells")
struct HalfBlockEncoderTests {
    @Test("After every update, the screen shows exactly the pixels of the raster", arguments: 0..<16)
    func exact(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let offsets: [(row: Int, column: Int)?] = [nil, (0, 0), (3, 5), (0, 11)]
        var session = try EncodingSession(
            width: .random(in: 1...30, using: &random), height: .random(in: 1...17, using: &random),
            offset: offsets[Int(seed % 4)])
        for _ in 0..<25 {
            session.scramble(&random, share: .random(in: 0...1, using: &random))
            _ = try session.update()
            let (shown, wanted) = (session.shown, session.wanted)
            #expect(shown == wanted)
        }
        #expect(session.screen.scrolledLines == 0)
    }

    @Test("After every update, the cursor is in the row below the inline picture", arguments: [1, 2, 9])
    func inlineCursor(width: Int) throws {
        var random = SeededRandom(3)
        var session = try EncodingSession(width: width, height: 7, offset: nil)
        for _ in 0..<20 {
            session.scramble(&random)
            _ = try session.update()
            let position = (session.screen.row, session.screen.column)
            #expect(position == (4, 0))
        }
    }

    @Test("Only the cells that the dirty rectangle touches are encoded")
    func dirty() throws {
        var session = try EncodingSession(width: 4, height: 4)
        for index in session.raster.pixels.indices { session.raster.pixels[index] = .black }
        _ = try session.update(dirty: PixelRect(x: 1, y: 0, width: 2, height: 1))
        let shown = session.shown
        let blank = CellColor.terminalDefault
        #expect(
            shown == [blank, .black, .black, blank, blank, .black, .black, blank] + Array(repeating: blank, count: 8))
    }

    @Test("No bytes are sent for an unchanged raster", arguments: [true, false])
    func unchanged(inline: Bool) throws {
        var random = SeededRandom(1)
        var session = try EncodingSession(width: 9, height: 6, offset: inline ? nil : (2, 2))
        session.scramble(&random)
        #expect(try !session.update().isEmpty)
        #expect(try session.update().isEmpty)
        #expect(try session.update(dirty: .empty).isEmpty)
    }

    @Test("A picture of one column or an odd number of rows is shown completely", arguments: [(1, 9), (1, 1), (12, 1)])
    func narrow(size: (Int, Int)) throws {
        var session = try EncodingSession(width: size.0, height: size.1)
        for index in 0..<size.0 * size.1 {
            session.raster.pixels[index] = CellColor(red: UInt8(index), green: 9, blue: 9)
        }
        _ = try session.update()
        let (shown, wanted) = (session.shown, session.wanted)
        #expect(shown == wanted)
        #expect(shown.last == (size.1 % 2 == 1 ? .terminalDefault : wanted.last))
    }

    @Test("The terminal's default background is never used as a foreground colour")
    func defaultIsBackground() throws {
        let red = CellColor(red: 255, green: 0, blue: 0)
        var session = try EncodingSession(width: 3, height: 2)
        let picture: [CellColor] = [.terminalDefault, red, .terminalDefault, red, .terminalDefault, .terminalDefault]
        for (index, color) in picture.enumerated() { session.raster.pixels[index] = color }
        _ = try session.update()
        #expect((0..<2).map { session.screen[0, $0].glyph } == ["▄", "▀"])
        let shown = session.shown
        #expect(shown == picture)
        for index in picture.indices { session.raster.pixels[index] = .terminalDefault }
        _ = try session.update()
        let backgrounds = (0..<3).map { session.screen[0, $0].background }
        #expect(backgrounds.allSatisfy { $0 == .terminalDefault })
    }

    @Test("An update resets the colours at its end")
    func resets() throws {
        var random = SeededRandom(5)
        var session = try EncodingSession(width: 5, height: 4)
        session.scramble(&random, share: 1)
        _ = try session.update()
        try session.screen.feed("\u{1B}[5;1Hx".utf8)
        #expect(session.screen[session.raster.cells.rows, 0].background == .terminalDefault)
    }

    @Test("If the content of the screen is unknown, every cell is written")
    func unknownScreen() throws {
        var session = try EncodingSession(width: 3, height: 4)
        session.encoder.forget()
        let bytes = try session.update()
        #expect(bytes.filter { $0 == 0x20 }.count == 6)
    }

    @Test("An update of a single cell contains a cursor move, the colours, the cell and a reset")
    func cost() throws {
        var session = try EncodingSession(width: 80, height: 2)
        session.raster.pixels[0] = CellColor(red: 1, green: 2, blue: 3)
        let bytes = try session.update()
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1;H\u{1B}[38;2;1;2;3;49m▀\u{1B}[0m")
    }
}
