import TestSupport
import Testing

@testable import Pixels

/// Pictures of 256 and fewer colours: where a pattern is shown, and which colours it mixes.
@Suite("Dither patterns on terminals with a palette")
struct SmoothPatternTests {
    static let palettes: [ColorDepth] = [.indexed, .sixteen, .eight]
    static let small: [ColorDepth] = [.sixteen, .eight]

    private static func rgb(_ color: CellColor, _ depth: ColorDepth) -> CellColor {
        let entries = PaletteColors.entries(depth)
        return CellColor(bits: entries.first { Int($0.number) == color.number }?.rgb ?? 0)
    }

    private static func oklab(_ color: CellColor) -> Oklab.Color { Oklab.color(TransferFunction.shared.light(color)) }

    /// The palette colours of a picture in half-blocks.
    private func halfBlocks(
        _ size: PixelSize, _ depth: ColorDepth, _ color: (_ x: Int, _ y: Int) -> CellColor
    ) throws -> [CellColor] {
        let source = PictureRaster(size: size)
        for index in 0..<size.area { source.pixels[index] = color(index % size.width, index / size.width) }
        let reducer = try #require(ColorReducer(size: size, ColorFormat(depth: depth), background: nil))
        _ = reducer.reduce(source, dirty: PixelRect(size), fidelity: .exact)
        return Array(UnsafeBufferPointer(start: reducer.raster.pixels.baseAddress, count: size.area))
    }

    @Test("With 8 and 16 colours, an area of one colour is flat", arguments: small)
    func flatAreas(depth: ColorDepth) throws {
        let palette = try #require(Palette(ColorFormat(depth: depth), background: nil))
        var random = SeededRandom(3)
        for _ in 0..<500 {
            let wanted = CellColor.random(using: &random)
            let shown = Set((0..<64).map { palette.entry(for: wanted, x: $0 % 8, y: $0 / 8).number })
            #expect(shown.count == 1, "\(wanted) as \(shown.sorted())")
        }
    }

    @Test("With 256 colours, most areas are flat, and the colours of a pattern are almost equal")
    func nearColors() throws {
        let palette = try #require(Palette(ColorFormat(depth: .indexed), background: nil))
        var random = SeededRandom(5)
        var flat = 0
        for _ in 0..<1000 {
            let wanted = CellColor.random(using: &random)
            let shown = Set((0..<64).map { palette.entry(for: wanted, x: $0 % 8, y: $0 / 8).bits })
            let colors = shown.map { Self.oklab(Self.rgb(CellColor(bits: $0), .indexed)) }
            if colors.count == 1 { flat += 1 }
            for color in colors {
                #expect(Oklab.distance(color, colors[0]).squareRoot() <= 0.0361, "\(wanted) as \(shown)")
            }
        }
        #expect(flat > 900)
        // Two greys are 10 levels apart. A grey between them is mixed from both, by its lightness.
        let shares = (UInt8(117)...127).map { grey in
            let wanted = CellColor(red: grey, green: grey, blue: grey)
            return (0..<64).filter { palette.entry(for: wanted, x: $0 % 8, y: $0 / 8).number == 244 }.count
        }
        #expect(shares == shares.sorted() && shares[0] == 0 && shares[10] > 40 && (10...54).contains(shares[6]))
    }

    private let mixed = CellColor(red: 123, green: 123, blue: 123)

    @Test("In half-blocks, a pattern is shown in smooth cells but not on an outline")
    func outlines() throws {
        // Rows 3 and 4 show the outline of a dark area. Each belongs to a cell of two colours.
        let size = PixelSize(width: 16, height: 8)
        let picture = try halfBlocks(size, .indexed) { _, y in
            y < 3 ? mixed : y == 3 ? .black : y == 4 ? CellColor(red: 250, green: 200, blue: 10) : mixed
        }
        func shown(_ y: Int) -> Set<Int> { Set(picture[y * 16..<(y + 1) * 16].map(\.number)) }
        #expect(shown(0) == [243, 244] && shown(1).count == 2 && shown(6).count == 2)
        for y in 2...5 { #expect(shown(y).count == 1, "row \(y): \(shown(y))") }
    }

    @Test(
        "In subcells, a pattern has the size of a subcell, and a cell with an outline has none",
        arguments: SubcellGrid.allCases)
    func subcells(grid: SubcellGrid) throws {
        let palette = try #require(Palette(ColorFormat(depth: .indexed), background: nil))
        let flat = SubcellPattern(flat: mixed)
        var columns = [Set<UInt32>](repeating: [], count: 2)
        for index in 0..<16 {
            let pattern = flat.reduced(palette, index / 4, index % 4, grid)
            #expect(Set([pattern.marked.number, pattern.rest.number]).isSubset(of: [243, 244]))
            for subcell in 0..<grid.count {
                columns[subcell % 2].insert(pattern.color(subcell).bits)
                let expected = palette.entry(
                    for: mixed, x: index % 4 * 2 + subcell % 2, y: index / 4 * grid.rawValue + subcell / 2)
                #expect(pattern.color(subcell) == expected)
            }
        }
        #expect(columns.allSatisfy { $0.count == 2 }, "each column of subcells shows both colours, not stripes")
        let outline = SubcellPattern(mask: 0b11, marked: mixed, rest: .black)
        let shown = Set((0..<16).map { outline.reduced(palette, $0 / 4, $0 % 4, grid).marked.bits })
        #expect(shown.count == 1)
        #expect(outline.reduced(palette, 0, 0, grid).mask == 0b11)
        let cut = SubcellPattern(mask: 0b11, marked: mixed, rest: .terminalDefault).reduced(palette, 0, 0, grid)
        #expect(cut.mask == 0b11 && cut.rest == .terminalDefault)
    }

    @Test("A cell whose pixels do not change keeps its colours while other cells change", arguments: palettes)
    func unchangedPixels(depth: ColorDepth) throws {
        let size = PixelSize(width: 12, height: 8)
        let source = PictureRaster(size: size)
        let reducer = try #require(ColorReducer(size: size, ColorFormat(depth: depth), background: nil))
        var random = SeededRandom(9)
        for index in 0..<size.area {
            let grey = UInt8(100 + random.next() % 40)
            source.pixels[index] = CellColor(red: grey, green: grey, blue: grey)
        }
        _ = reducer.reduce(source, dirty: PixelRect(size), fidelity: .standard)
        let first = (0..<size.area).map { reducer.raster.pixels[$0] }
        for _ in 0..<20 {
            for index in 0..<size.area where (index % 12 + index / 24) % 2 == 0 {
                source.pixels[index] = CellColor.random(using: &random)
            }
            _ = reducer.reduce(source, dirty: PixelRect(size), fidelity: .standard)
            for index in 0..<size.area where (index % 12 + index / 24) % 2 == 1 {
                #expect(reducer.raster.pixels[index] == first[index])
            }
        }
    }

    @Test("A pixel follows the other pixel of its cell: the pattern ends where an outline comes and returns afterwards")
    func partner() throws {
        let size = PixelSize(width: 8, height: 2)
        let source = PictureRaster(size: size)
        let reducer = try #require(ColorReducer(size: size, ColorFormat(depth: .indexed), background: nil))
        func upper(_ lower: CellColor) -> [Int] {
            for x in 0..<8 { (source.pixels[x], source.pixels[8 + x]) = (mixed, lower) }
            _ = reducer.reduce(source, dirty: PixelRect(size), fidelity: .exact)
            return (0..<8).map { reducer.raster.pixels[$0].number }
        }
        let smooth = upper(mixed)
        #expect(Set(smooth).count == 2)
        #expect(Set(upper(.black)).count == 1)
        #expect(upper(mixed) == smooth)
    }

    @Test(
        "With a palette, the hue goes before the lightness",
        arguments: [
            // Orange, dark red, brown, sky, navy, purple, teal.
            (0xFF9933, [9, 3, 11]), (0x8B1A1A, [1, 9]), (0x96693C, [1, 9, 3]), (0x6FA8E8, [12, 14, 6]),
            (0x30308C, [4, 12]), (0x6A2C8A, [5, 13, 4]), (0x128A96, [6, 14]),
        ] as [(UInt32, [Int])])
    func hue(color: UInt32, allowed: [Int]) throws {
        let wanted = CellColor(bits: color)
        let sixteen = try #require(Palette(ColorFormat(depth: .sixteen), background: nil))
        let shown = sixteen.entry(for: wanted).number
        #expect(allowed.contains(shown), "\(String(color, radix: 16)) as \(shown)")
        let indexed = try #require(Palette(ColorFormat(depth: .indexed), background: nil))
        let nearest = Self.oklab(Self.rgb(indexed.entry(for: wanted), .indexed)) - Self.oklab(wanted)
        for (_, rgb) in PaletteColors.entries(.indexed) {
            let other = Self.oklab(CellColor(bits: rgb)) - Self.oklab(wanted)
            func cost(_ step: Oklab.Color) -> Float { step.x * step.x + 2 * (step.y * step.y + step.z * step.z) }
            #expect(cost(nearest) < cost(other) + 1e-3)
        }
    }

    @Test("Pictures between text have no pattern of palette colours", arguments: palettes)
    func tiles(depth: ColorDepth) throws {
        let size = CellSize(columns: 8, rows: 4)
        let grid = ScreenGrid(size: size)
        grid.draw(Array(repeating: mixed, count: 64), width: 8, row: 0, column: 0, visible: 0..<4)
        var encoder = ScreenEncoder(size: size, colors: ColorFormat(depth: depth))
        var terminal = VirtualScreen(columns: 8, rows: 4)
        var out = ByteBuffer()
        encoder.encode(grid, GlyphTable(), fidelity: .exact, into: &out)
        try terminal.feed(out.bytes)
        let cells = (0..<32).map { terminal[$0 / 8, $0 % 8] }
        let shown = Set(cells.flatMap { [$0.upper.bits, $0.lower.bits] })
        #expect(shown.count == 1)
    }
}
