import Foundation
import TestSupport
import Testing

@testable import Pixels

@Suite("Pictures on terminals with fewer colours")
struct ColorDepthTests {
    static let depths: [ColorDepth] = [.indexed, .sixteen, .eight]

    /// Converts linear light to Oklab in double precision, by the definition of Oklab.
    private static func oklab(_ light: [Double]) -> [Double] {
        let rows = [
            [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
        let roots = rows.map { row in cbrt(zip(row, light).map(*).reduce(0, +)) }
        let second = [
            [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
        return second.map { row in zip(row, roots).map(*).reduce(0, +) }
    }

    private static func light(_ color: CellColor) -> [Double] {
        [color.red, color.green, color.blue].map {
            let value = Double($0) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }

    private static func oklab(_ color: CellColor) -> [Double] { oklab(light(color)) }

    /// The distance of two colours in Oklab. The expression is plain because a debug build evaluates it 700,000 times.
    private static func distance(_ first: [Double], _ second: [Double]) -> Double {
        let (lightness, red, yellow) = (first[0] - second[0], first[1] - second[1], first[2] - second[2])
        return (lightness * lightness + red * red + yellow * yellow).squareRoot()
    }

    /// The RGB value of a palette colour, as xterm defines its palette.
    private static func color(_ number: Int, _ depth: ColorDepth) -> CellColor {
        guard depth == .indexed else {
            let colors: [UInt32] = [
                0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000,
                0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
            ]
            return CellColor(bits: colors[number])
        }
        if number >= 232 { return CellColor(bits: UInt32(8 + (number - 232) * 10) * 0x10101) }
        func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + step * 40) }
        let cube = number - 16
        return CellColor(red: level(cube / 36), green: level(cube / 6 % 6), blue: level(cube % 6))
    }

    private static func numbers(_ depth: ColorDepth) -> ClosedRange<Int> {
        depth == .indexed ? 16...255 : 0...(depth == .sixteen ? 15 : 7)
    }

    @Test("Without dithering, a colour is shown as the palette colour nearest in RGB", arguments: depths)
    func nearest(depth: ColorDepth) throws {
        let palette = try #require(Palette(ColorFormat(depth: depth, dithering: .none), background: nil))
        var random = SeededRandom(7)
        func coordinates(_ color: CellColor) -> [Double] {
            [color.red, color.green, color.blue].map { Double($0) / 255 }
        }
        let available = Self.numbers(depth).map { coordinates(Self.color($0, depth)) }
        for round in 0..<1500 {
            var wanted = CellColor.random(using: &random)
            if depth == .indexed && round % 3 == 0 {
                // The palette has 24 greys.
                let grey = UInt8(wanted.red / 2)
                wanted = CellColor(red: grey, green: grey + UInt8(round % 12), blue: grey + 1)
            }
            // With 8 and 16 colours, the table rounds the channels to 6 bits, and greys are shown in greys only.
            let rounded = depth == .indexed ? wanted : Palette.representative(of: wanted)
            let channels = [wanted.red, wanted.green, wanted.blue].sorted()
            if depth != .indexed && channels[2] - channels[0] < 24 { continue }
            let shown = palette.entry(for: wanted, x: 3, y: 5).number
            let position = coordinates(rounded)
            let errors = available.map { zip($0, position).map { ($0 - $1) * ($0 - $1) }.reduce(0, +) }
            let best = try #require(errors.min())
            #expect(errors[shown - Self.numbers(depth).lowerBound] < best + 1e-5, "\(wanted) as \(shown)")
        }
    }

    @Test("Each palette colour is shown as itself, without a pattern", arguments: depths)
    func paletteColors(depth: ColorDepth) throws {
        let palette = try #require(Palette(ColorFormat(depth: depth, dithering: .none), background: nil))
        for number in Self.numbers(depth) {
            let wanted = Self.color(number, depth)
            let shown = palette.entry(for: wanted, x: 0, y: 0).number
            #expect(Self.color(shown, depth) == wanted, "\(number) as \(shown)")
        }
    }

    @Test("Each palette colour is shown as itself with ordered dithering too", arguments: depths)
    func orderedPaletteColors(depth: ColorDepth) throws {
        let palette = try #require(Palette(ColorFormat(depth: depth), background: nil))
        for number in Self.numbers(depth) {
            let wanted = Self.color(number, depth)
            for y in 0..<8 {
                for x in 0..<8 {
                    let shown = Self.color(palette.entry(for: wanted, x: x, y: y).number, depth)
                    // The table rounds to 6 bits, so near black a grey can be mixed with the next one.
                    let error = Self.distance(Self.oklab(shown), Self.oklab(wanted))
                    #expect(error < (depth == .indexed ? 0.035 : 1e-6), "\(number) as \(shown)")
                }
            }
        }
    }

    @Test(
        "A grey is shown in neutral colours only", arguments: [ColorDepth.sixteen, .eight], [Dithering.ordered, .none])
    func neutral(depth: ColorDepth, dithering: Dithering) throws {
        let palette = try #require(Palette(ColorFormat(depth: depth, dithering: dithering), background: nil))
        for grey in UInt8.min...(.max) {
            let wanted = CellColor(red: grey, green: grey, blue: grey)
            let numbers = Set((0..<64).map { palette.entry(for: wanted, x: $0 % 8, y: $0 / 8).number })
            #expect(numbers.isSubset(of: [0, 7, 8, 15]), "\(grey) as \(numbers.sorted())")
        }
    }

    @Test("A change within the tolerance does not change the palette colour of a pixel until an exact update")
    func fidelity() throws {
        let size = PixelSize(width: 1, height: 2)
        let reducer = try #require(
            ColorReducer(size: size, ColorFormat(depth: .indexed, dithering: .none), background: nil))
        let source = PictureRaster(size: size)
        func shown(_ grey: UInt8, _ fidelity: Fidelity) -> CellColor {
            source.pixels.update(repeating: CellColor(red: grey, green: grey, blue: grey))
            #expect(reducer.reduce(source, dirty: PixelRect(size), fidelity: fidelity) == .exact)
            return reducer.raster.pixels[0]
        }
        let first = shown(82, .exact)
        let next = shown(86, .exact)
        #expect(first != next)
        #expect(shown(82, .low) == next)
        #expect(shown(82, .exact) == first)
    }

    @Test(
        "Palette colours are written in the shortest form",
        arguments: [
            (0, "\u{1B}[30;40m"), (7, "\u{1B}[37;47m"), (8, "\u{1B}[90;100m"), (15, "\u{1B}[97;107m"),
            (16, "\u{1B}[38;5;16;48;5;16m"), (255, "\u{1B}[38;5;255;48;5;255m"),
        ])
    func sequences(number: UInt8, sequence: String) {
        var writer = CellWriter(.absolute(row: 1, column: 1), width: 1)
        writer.assumeAtFirstCell()
        var out = ByteBuffer()
        out.reserve(CellWriter.longestCell)
        writer.write(row: 0, column: 0, .upper, .palette(number), .palette(number), &out)
        #expect(String(decoding: out.bytes, as: UTF8.self) == sequence + "▀")
    }

    private func still(_ format: ColorFormat, background: CellColor? = nil, _ pixels: [CellColor]) throws -> String {
        let source = PictureRaster(size: PixelSize(width: 4, height: 2))
        for (index, pixel) in pixels.enumerated() { source.pixels[index] = pixel }
        let reducer = try #require(ColorReducer(size: source.size, format, background: background))
        _ = reducer.reduce(source, dirty: PixelRect(source.size), fidelity: .exact)
        var out = ByteBuffer()
        PictureMode.encodeHalfBlocks(reducer.raster, into: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test("Without half-blocks, a cell is a space with the average colour of its two halves")
    func spaces() throws {
        let (white, black) = (CellColor(red: 255, green: 255, blue: 255), CellColor.black)
        let pixels = [white, white, black, .terminalDefault, white, black, black, .terminalDefault]
        let direct = try still(ColorFormat(depth: .direct, hasHalfBlocks: false), pixels)
        #expect(
            direct == "\u{1B}[48;2;255;255;255m \u{1B}[48;2;188;188;188m \u{1B}[48;2;0;0;0m \u{1B}[49m \u{1B}[0m\n")
        let sixteen = try still(ColorFormat(depth: .sixteen, hasHalfBlocks: false), pixels)
        #expect(sixteen.utf8.allSatisfy { $0 < 0x80 } && sixteen.hasPrefix("\u{1B}[107m "))
    }

    @Test("Without colours, a still is plain text whose characters stand for the lightness")
    func characters() throws {
        let (white, black) = (CellColor(red: 255, green: 255, blue: 255), CellColor.black)
        let pixels = [white, black, .terminalDefault, white, white, black, .terminalDefault, white]
        #expect(try still(ColorFormat(depth: .none), pixels) == "@  @\n")
        #expect(try still(ColorFormat(depth: .none), background: white, pixels) == " @  \n")
        #expect(try still(ColorFormat(depth: .none, hasHalfBlocks: false), pixels) == "@  @\n")
    }

    @Test("If the terminal has only a palette, a screen with text and pictures uses its colours", arguments: depths)
    func screen(depth: ColorDepth) throws {
        let size = CellSize(columns: 4, rows: 2)
        let grid = ScreenGrid(size: size)
        var encoder = ScreenEncoder(size: size, colors: ColorFormat(depth: depth, dithering: .none))
        var terminal = VirtualScreen(columns: 4, rows: 2)
        func update(_ color: CellColor, _ fidelity: Fidelity) throws -> Int {
            grid.draw([color, .black, color, .black], width: 2, row: 0, column: 0, visible: 0..<2)
            grid.set(ScreenCell(glyph: 0x41, []), row: 1, column: 1)
            var out = ByteBuffer()
            encoder.encode(grid, GlyphTable(), fidelity: fidelity, into: &out)
            try terminal.feed(out.bytes)
            return out.count
        }
        let red = CellColor(red: 255, green: 2, blue: 2)
        #expect(try update(red, .exact) > 0)
        let number: UInt8 = depth == .indexed ? 196 : depth == .sixteen ? 9 : 1
        #expect(terminal[0, 0].upper == .palette(number) && terminal[0, 0].lower == .palette(number))
        #expect(terminal[0, 1].upper == .palette(depth == .indexed ? 16 : 0))
        #expect(terminal[1, 1].glyph == "A")
        #expect(try update(CellColor(red: 253, green: 3, blue: 1), .standard) == 0)
        #expect(try update(CellColor(red: 0, green: 0, blue: 238), .standard) > 0)
    }
}
