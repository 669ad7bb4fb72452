import TestSupport
import Testing

@testable import Pixels

@Suite("Fitting two colours to a cell")
struct SubcellFitterTests {
    /// Returns the linear light of a colour, by the definition of sRGB.
    private func light(_ color: CellColor) -> [Double] {
        [color.red, color.green, color.blue].map { Double(TransferFunction.shared.linear[$0]) }
    }

    /// Returns the average of the pixels whose bits are set.
    private func average(_ values: [[Double]], _ mask: Int) -> [Double] {
        let members = values.indices.filter { mask >> $0 & 1 != 0 }
        var sum = [0.0, 0, 0]
        for member in members {
            for (channel, value) in values[member].enumerated() { sum[channel] += value }
        }
        return sum.map { $0 / Double(max(1, members.count)) }
    }

    /// Returns the squared differences of the pixels from the average of their group. A mask divides the pixels into
    /// two groups.
    private func error(_ values: [[Double]], _ mask: Int) -> Double {
        let averages = [average(values, ~mask), average(values, mask)]
        var sum = 0.0
        for (index, value) in values.enumerated() {
            let differences = zip(value, averages[mask >> index & 1]).map(-)
            sum += differences.map { $0 * $0 }.reduce(0, +)
        }
        return sum
    }

    private func fit(_ pixels: [CellColor], _ grid: SubcellGrid) -> SubcellPattern {
        let fitter = SubcellFitter(grid)
        return pixels.withUnsafeBufferPointer { fitter.fit($0.baseAddress.unsafelyUnwrapped) }
    }

    @Test("The chosen mask has the smallest gamma-encoded error of all masks", arguments: SubcellGrid.allCases)
    func best(grid: SubcellGrid) {
        var random = SeededRandom(7)
        for round in 0..<60 {
            let base = CellColor.random(using: &random)
            // In some cells, the pixels differ little, as in photographs.
            let reach = [255, 60, 12, 3][round % 4]
            let pixels = (0..<grid.count).map { _ in
                func channel(_ value: Int) -> UInt8 {
                    UInt8(min(255, max(0, value + .random(in: -reach...reach, using: &random))))
                }
                return CellColor(red: channel(base.red), green: channel(base.green), blue: channel(base.blue))
            }
            let pattern = fit(pixels, grid)
            let values = pixels.map { [Double($0.red), Double($0.green), Double($0.blue)] }
            let mask = Int(pattern.mask)
            let least = (0..<1 << (grid.count - 1)).map { error(values, $0) }.min() ?? 0
            #expect(error(values, mask) <= least * 1.0001 + 1e-9)
            // The two colours have the average light, rounded to 8 bits.
            let lights = pixels.map(light)
            for (color, exact) in [(pattern.marked, average(lights, mask)), (pattern.rest, average(lights, ~mask))] {
                let transfer = TransferFunction.shared
                let rounded = exact.map { transfer.color(SIMD4(repeating: Float($0))).red }
                #expect(
                    zip([color.red, color.green, color.blue], rounded).allSatisfy { abs($0 - $1) <= 1 },
                    "\(color) for \(rounded)")
            }
        }
    }

    @Test("A cell with only one or two colours is shown exactly", arguments: SubcellGrid.allCases)
    func exact(grid: SubcellGrid) {
        var random = SeededRandom(11)
        for round in 0..<300 {
            let first = CellColor.random(using: &random)
            let near = CellColor(
                red: UInt8(first.red), green: UInt8(first.green), blue: UInt8(first.blue ^ 1))
            let second = [CellColor.random(using: &random), near, .terminalDefault, .black][round % 4]
            var mask = Int.random(in: 0..<1 << grid.count, using: &random)
            // Some glyphs are avoided, and the inverse glyph would need the background as its foreground.
            if second == .terminalDefault { mask = Int(grid.similarShown(UInt8(mask))) }
            let pixels = (0..<grid.count).map { mask >> $0 & 1 != 0 ? first : second }
            let pattern = fit(pixels, grid)
            #expect((0..<grid.count).map(pattern.color) == pixels)
            #expect(pattern.marked != .terminalDefault || pattern.rest == .terminalDefault)
        }
    }

    @Test("Transparent subcells stay transparent, and the others share one colour")
    func transparent() {
        let (dark, bright) = (CellColor.black, CellColor(red: 255, green: 255, blue: 255))
        let pattern = fit([dark, .terminalDefault, bright, .terminalDefault], .quadrant)
        // Half of the light of white is 188 in sRGB.
        let grey = CellColor(red: 188, green: 188, blue: 188)
        #expect(pattern == SubcellPattern(mask: 0b0101, marked: grey, rest: .terminalDefault))
    }
}
