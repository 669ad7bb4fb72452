import Pixels
import TestSupport
import Testing

@Suite("The glyphs of subcells")
struct SubcellGridTests {
    @Test("The Unicode name of each glyph describes the subcells of its mask", arguments: SubcellGrid.allCases)
    func names(grid: SubcellGrid) throws {
        #expect(grid.glyphs.count == 1 << grid.count)
        #expect(Set(grid.glyphs).count == grid.glyphs.count)
        for (mask, glyph) in grid.glyphs.enumerated() {
            let wanted = (0..<grid.count).map { mask >> $0 & 1 != 0 }
            let name = glyph.properties.name ?? "no name"
            #expect(BlockGlyphs.subcells(of: Character(glyph), grid) == wanted, "mask \(mask): \(name)")
        }
    }

    @Test("The names of new block characters are those that the standard library has, if it has them")
    func newNames() {
        #expect(BlockGlyphs.newNames.count == 236)
        for (scalar, name) in BlockGlyphs.newNames { #expect(name == scalar.properties.name ?? name) }
    }

    @Test("Every character in the Unicode ranges of sextants and octants is used as a glyph")
    func ranges() {
        func used(_ grid: SubcellGrid, _ range: ClosedRange<UInt32>) -> Int {
            grid.glyphs.count { range.contains($0.value) }
        }
        #expect(used(.sextant, 0x1FB00...0x1FB3B) == 60)
        #expect(used(.octant, 0x1CD00...0x1CDE5) == 230)
    }
}
