import TestSupport
import Testing

@testable import Pixels

@Suite("Subcells on a screen with text")
struct ScreenCellFitterTests {
    @Test("A screen shows the same subcells as a still, within the tolerance", arguments: SubcellGrid.allCases, 0..<4)
    func patterns(grid: SubcellGrid, seed: UInt64) throws {
        var random = SeededRandom(seed)
        let mode = PictureMode.subcells(grid)
        let cells = CellSize(columns: 9, rows: 5)
        let screenGrid = ScreenGrid(size: cells)
        var encoder = ScreenEncoder(size: cells, mode: mode)
        var screen = VirtualScreen(columns: cells.columns, rows: cells.rows)
        let fitter = ScreenCellFitter(mode)
        let target = mode.target(PixelSize(width: cells.columns, height: cells.rows * 2 - Int(seed % 2)))
        let raster = PictureRaster(size: target, pixelsPerCell: grid.size)
        #expect(raster.cells == cells)
        for round in 0..<12 {
            let colors = [.terminalDefault, .black] + (0..<2).map { _ in CellColor.random(using: &random) }
            for index in raster.pixels.indices where Int.random(in: 0..<3, using: &random) > 0 {
                raster.pixels[index] = colors.randomElement(using: &random) ?? .black
            }
            let fidelity: Fidelity = round % 3 == 2 ? .low : .exact
            screenGrid.draw(
                fitter.cells(of: raster), width: cells.columns, row: 0, column: 0, visible: 0..<cells.rows)
            var out = ByteBuffer()
            encoder.encode(screenGrid, GlyphTable(), fidelity: fidelity, into: &out)
            try screen.feed(out.bytes)
            let still = try shown(raster, mode, grid)
            for (color, wanted) in zip(screen.subcells(cells, grid), still) {
                #expect(!wanted.differs(from: color, by: fidelity.tolerance))
            }
            out.removeAll()
            encoder.encode(screenGrid, GlyphTable(), fidelity: fidelity, into: &out)
            #expect(out.count == 0)
        }
    }

    private func shown(
        _ raster: borrowing PictureRaster, _ mode: PictureMode, _ grid: SubcellGrid
    ) throws -> [CellColor] {
        var out = ByteBuffer()
        mode.encodeStill(raster, into: &out)
        var screen = VirtualScreen(columns: raster.cells.columns + 1, rows: raster.cells.rows + 1)
        for line in String(decoding: out.bytes, as: UTF8.self).split(separator: "\n") {
            try screen.feed((line + "\r\n").utf8)
        }
        return screen.subcells(raster.cells, grid)
    }

    @Test("A picture fills the same cells with subcells as with half-blocks", arguments: SubcellGrid.allCases)
    func sameCells(grid: SubcellGrid) {
        for height in 1...40 {
            let halfBlocks = PixelSize(width: 7, height: height)
            #expect(PictureMode.subcells(grid).target(halfBlocks).cells(grid.size) == halfBlocks.cells(.halfBlocks))
        }
    }
}
