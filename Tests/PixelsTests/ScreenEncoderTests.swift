import Playback
import TestSupport
import Testing

@testable import Pixels

@Suite("Text and pictures on one screen")
struct ScreenEncoderTests {
    private static let size = CellSize(columns: 12, rows: 5)
    private static let nothing = VirtualScreen(columns: 1, rows: 1)[0, 0]

    /// A screen grid, and a virtual terminal that receives the encoded changes of the grid.
    private struct Session: ~Copyable {
        let grid = ScreenGrid(size: size)
        var encoder = ScreenEncoder(size: size)
        var glyphs = GlyphTable()
        var terminal = VirtualScreen(columns: size.columns, rows: size.rows)
        var lastCount = 0

        mutating func update(_ fidelity: Fidelity = .exact, in focus: PixelRect? = nil) throws {
            var out = ByteBuffer()
            encoder.encode(grid, glyphs, fidelity: fidelity, in: focus, into: &out)
            lastCount = out.count
            try terminal.feed(out.bytes)
        }

        mutating func write(_ text: String, row: Int, column: Int, _ attributes: TextAttributes = []) {
            var column = column
            for character in text {
                grid.set(ScreenCell(glyph: glyphs.index(of: character), attributes), row: row, column: column)
                let width = TerminalText.width(String(character))
                if width == 2 { grid.set(.continuation, row: row, column: column + 1) }
                column += width
            }
        }
    }

    @Test("Text and a picture are displayed side by side")
    func beside() throws {
        var session = Session()
        let red = CellColor(red: 200, green: 10, blue: 10)
        let blue = CellColor(red: 10, green: 10, blue: 200)
        session.grid.draw([red, red, blue, blue], width: 2, row: 1, column: 1, visible: 0..<5)
        session.write("abc", row: 1, column: 3, .bold)
        session.write("日本", row: 2, column: 0)
        try session.update()
        #expect(session.terminal.text(row: 2) == "日本")
        #expect(session.terminal[1, 3].glyph == "a" && session.terminal[1, 3].attributes == .bold)
        #expect(session.terminal[1, 1].upper == red && session.terminal[1, 2].lower == blue)
        #expect(session.terminal[1, 1].attributes == [])
        #expect(session.terminal[3, 0] == Self.nothing)
    }

    @Test("A link begins before its first cell and ends before the next cell without it, or with the update")
    func links() {
        let grid = ScreenGrid(size: Self.size)
        var encoder = ScreenEncoder(size: Self.size)
        var glyphs = GlyphTable()
        var out = ByteBuffer()
        let link = glyphs.number(ofLink: "https://example.org/")
        #expect(glyphs.number(ofLink: "https://example.org/") == link)
        for (column, number) in [(0, link), (1, link), (2, 0), (3, link)] {
            grid.set(ScreenCell(glyph: 0x61, [], link: number), row: 0, column: column)
        }
        encoder.encode(grid, glyphs, fidelity: .exact, into: &out)
        let text = String(decoding: out.bytes, as: UTF8.self)
        let (begin, end) = ("\u{1B}]8;;https://example.org/\u{1B}\\", "\u{1B}]8;;\u{1B}\\")
        #expect(text.ranges(of: begin).count == 2 && text.ranges(of: end).count == 2)
        out.removeAll()
        encoder.encode(grid, glyphs, fidelity: .exact, into: &out)
        #expect(out.count == 0)
    }

    @Test("The accent is a colour of the theme that suits the background, and is absent without colours")
    func accent() {
        let light = CellColor(red: 255, green: 255, blue: 255)
        for (depth, background, code) in [
            (ColorDepth.direct, nil, "\u{1B}[7;36m"), (.eight, .black, "\u{1B}[7;36m"),
            (.sixteen, light, "\u{1B}[7;34m"), (.none, nil, "\u{1B}[7m"),
        ] as [(ColorDepth, CellColor?, String)] {
            let grid = ScreenGrid(size: Self.size)
            var out = ByteBuffer()
            let colors = ColorFormat(depth: depth)
            var encoder = ScreenEncoder(size: Self.size, colors: colors, background: background)
            grid.set(ScreenCell(glyph: 0x61, [.accented, .reversed]), row: 0, column: 0)
            encoder.encode(grid, GlyphTable(), fidelity: .exact, into: &out)
            #expect(String(decoding: out.bytes, as: UTF8.self).contains(code), "\(depth)")
        }
    }

    @Test("A faded picture is mixed with the ground, in half-blocks and in patterns; the background stays")
    func faded() throws {
        var session = Session()
        let white = CellColor(red: 255, green: 255, blue: 255)
        session.grid.draw(
            [white, .terminalDefault], width: 1, row: 0, column: 0, visible: 0..<1, fadedInto: .black)
        try session.update()
        let shown = session.terminal[0, 0]
        #expect(shown.upper == CellColor(red: 158, green: 158, blue: 158) && shown.lower == .terminalDefault)
    }

    @Test("A picture is not drawn outside the visible rows")
    func clipped() throws {
        var session = Session()
        let red = CellColor(red: 200, green: 10, blue: 10)
        session.write("head", row: 0, column: 0)
        session.grid.draw(Array(repeating: red, count: 2 * 8), width: 2, row: -1, column: 0, visible: 1..<2)
        try session.update()
        #expect(session.terminal.text(row: 0) == "head")
        #expect(session.terminal[1, 0].upper == red)
        #expect(session.terminal[2, 0] == Self.nothing)
    }

    @Test("Outside the focus, the next coarser fidelity applies")
    func focus() throws {
        var session = Session()
        let colors = [100, 108].map { CellColor(red: $0, green: $0, blue: $0) }
        for (color, focus) in [(0, 0), (1, 6), (1, 0)] {
            for column in [0, 6] {
                session.grid.draw([colors[color], colors[color]], width: 1, row: 1, column: column, visible: 0..<5)
            }
            try session.update(.standard, in: PixelRect(x: focus, y: 1, width: 1, height: 1))
            #expect(session.terminal[1, 0].upper == (color == 1 && focus == 0 ? colors[1] : colors[0]))
            #expect(session.terminal[1, 6].upper == (color == 1 ? colors[1] : colors[0]))
        }
    }

    @Test("No bytes are sent for an unchanged screen")
    func unchanged() throws {
        var session = Session()
        session.write("title", row: 0, column: 0, .reversed)
        try session.update()
        #expect(session.lastCount > 0)
        session.grid.clear()
        session.write("title", row: 0, column: 0, .reversed)
        try session.update()
        #expect(session.lastCount == 0)
    }

    @Test("The terminal shows the grid after each random change", arguments: [Fidelity.exact, .standard, .low])
    func anySequence(fidelity: Fidelity) throws {
        var random = SeededRandom(7)
        var session = Session()
        let words = ["plain", "日本語", "x", "  ", "é▶•"]
        for _ in 0..<120 {
            if random.next() % 3 == 0 { session.grid.clear() }
            for _ in 0..<4 {
                let row = Int(random.next() % 5)
                let column = Int(random.next() % 12)
                if random.next() % 2 == 0 {
                    let attributes = TextAttributes(rawValue: UInt8(random.next() % 16))
                    draw(words[Int(random.next() % 5)], row, column, attributes, &session)
                } else {
                    let base = UInt8(random.next() % 250)
                    let pixels = (0..<12).map { _ in
                        CellColor(red: base, green: UInt8(random.next() % 6), blue: base / 2)
                    }
                    breakWide(row, column..<column + 3, session.grid)
                    breakWide(row + 1, column..<column + 3, session.grid)
                    session.grid.draw(pixels, width: 3, row: row, column: column, visible: 0..<5)
                }
            }
            try session.update(fidelity)
            check(session, bound: fidelity.bound)
        }
    }

    /// Blanks both cells of each wide character that crosses the start or the end of `columns`.
    private func breakWide(_ row: Int, _ columns: Range<Int>, _ grid: borrowing ScreenGrid) {
        guard row < 5 else { return }
        for column in [columns.lowerBound, columns.upperBound] where column > 0 && column < 12 {
            if grid.cells[row * 12 + column] == .continuation {
                grid.set(.blank, row: row, column: column - 1)
                grid.set(.blank, row: row, column: column)
            }
        }
    }

    private func draw(
        _ text: String, _ row: Int, _ column: Int, _ attributes: TextAttributes, _ session: inout Session
    ) {
        var fitting = ""
        for character in text
        where column + TerminalText.width(fitting) + TerminalText.width(String(character)) <= 12 {
            fitting.append(character)
        }
        breakWide(row, column..<column + TerminalText.width(fitting), session.grid)
        session.write(fitting, row: row, column: column, attributes)
    }

    private func check(_ session: borrowing Session, bound: Int) {
        let terminal = session.terminal
        for index in 0..<60 {
            let (row, column) = index.quotientAndRemainder(dividingBy: 12)
            let wanted = session.grid.cells[index]
            let shown = terminal[row, column]
            if let glyph = wanted.character {
                #expect(shown.glyph == glyph && shown.attributes == wanted.style)
            } else if let (top, bottom) = wanted.halves {
                #expect(visibleDifference(shown.upper, top) <= bound && visibleDifference(shown.lower, bottom) <= bound)
                #expect(!shown.attributes.contains(.reversed) && !shown.attributes.contains(.underlined))
            }
        }
    }
}

extension ScreenCell {
    /// The character; nil for a picture, the right half of a wide character, and a character with several scalars.
    fileprivate var character: Character? {
        guard isText, self != .continuation else { return nil }
        return Unicode.Scalar(glyph).map { Character($0) }
    }

    /// The attributes of the character; empty for a picture.
    fileprivate var style: TextAttributes { isText ? attributes : [] }

    /// The colours of a cell of half-blocks; nil for text and for subcells.
    fileprivate var halves: (top: CellColor, bottom: CellColor)? { isText || mask != 0 ? nil : (top, bottom) }
}
