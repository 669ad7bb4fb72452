import TestSupport
import Testing

@testable import Pixels

@Suite("Subcells on terminals with fewer colours")
struct SubcellColorTests {
    private static let indexed = ColorFormat(depth: .indexed)

    private func makeRaster(_ grid: SubcellGrid, seed: UInt64) -> PictureRaster {
        var random = SeededRandom(seed)
        let size = PixelSize(width: grid.size.width * 6, height: grid.size.height * 3)
        let raster = PictureRaster(size: size, pixelsPerCell: grid.size)
        for index in raster.pixels.indices { raster.pixels[index] = CellColor.random(using: &random) }
        return raster
    }

    private func update(_ encoder: any PictureEncoder, _ raster: borrowing PictureRaster) -> String {
        var out = ByteBuffer()
        var nothing: CellChanges?
        encoder.encode(
            raster, dirty: PixelRect(raster.size), fidelity: .standard, into: &out, recording: &nothing)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test(
        "A picture is sent once in palette colours, and again when the terminal reports 24-bit colours",
        arguments: SubcellGrid.allCases)
    func upgrade(grid: SubcellGrid) throws {
        let raster = makeRaster(grid, seed: 9)
        let encoder = PictureMode.subcells(grid).makeEncoder(
            size: raster.size, addressing: .absolute(row: 1, column: 1))
        encoder.setColors(Self.indexed)
        encoder.assumeCleared()
        var screen = VirtualScreen(columns: raster.cells.columns, rows: raster.cells.rows)
        try screen.feed(update(encoder, raster).utf8)
        #expect(screen.cells.allSatisfy { $0.background.isPalette })
        let repetition = update(encoder, raster)
        #expect(repetition == "")
        encoder.setColors(.standard)
        try screen.feed(update(encoder, raster).utf8)
        #expect(screen.cells.allSatisfy { $0.background.isColor })
    }

    @Test("Pixels of two colours become a pattern that has exactly these colours", arguments: SubcellGrid.allCases)
    func displayed(grid: SubcellGrid) {
        var random = SeededRandom(5)
        for round in 0..<300 {
            let colors: [CellColor] = [.palette(3), round % 2 == 0 ? .terminalDefault : .palette(200)]
            let pixels = (0..<grid.count).map { _ in colors[Int.random(in: 0...1, using: &random)] }
            let pattern = pixels.withUnsafeBufferPointer { SubcellPattern(shownAs: $0) }
            #expect(pixels.indices.allSatisfy { pattern.color($0) == pixels[$0] })
            #expect(pattern.marked != .terminalDefault || pattern.rest == .terminalDefault)
        }
    }

    @Test("If the terminal has only a palette, stills and the gallery use its colours", arguments: SubcellGrid.allCases)
    func stills(grid: SubcellGrid) {
        let raster = makeRaster(grid, seed: 4)
        let mode = PictureMode.subcells(grid)
        var still = ByteBuffer()
        mode.encodeStill(raster, colors: Self.indexed, into: &still)
        let cells = raster.cells
        let screen = ScreenGrid(size: cells)
        let fitter = ScreenCellFitter(mode)
        screen.draw(fitter.cells(of: raster), width: cells.columns, row: 0, column: 0, visible: 0..<cells.rows)
        var encoder = ScreenEncoder(size: cells, mode: mode, colors: Self.indexed)
        var gallery = ByteBuffer()
        encoder.encode(screen, GlyphTable(), fidelity: .standard, into: &gallery)
        for text in [String(decoding: still.bytes, as: UTF8.self), String(decoding: gallery.bytes, as: UTF8.self)] {
            #expect(text.contains("8;5;") && !text.contains("8;2;"))
        }
    }

    @Test("Half-blocks replace subcells if colours or UTF-8 are missing, and images only if colours are missing")
    func adapted() {
        let cell = PixelSize(width: 8, height: 16)
        let modes: [PictureMode] = [
            .half, .subcells(.octant), .kitty(cell: cell, .direct, firstImage: 1),
            .sixel(cell: cell, background: .black, colors: 256),
        ]
        for mode in modes {
            #expect(mode.adapted(to: Self.indexed) == mode)
            #expect(mode.adapted(to: ColorFormat(depth: .none)) == .half)
            let isImage = mode != .half && mode != .subcells(.octant)
            #expect(mode.adapted(to: ColorFormat(hasHalfBlocks: false)) == (isImage ? mode : .half))
        }
    }
}
