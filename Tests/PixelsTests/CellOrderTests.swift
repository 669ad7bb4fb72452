import Pixels
import TestSupport
import Testing

@Suite("The order of cells")
struct CellOrderTests {
    @Test("Cells with the same two colours are sent one after another, regardless of their positions")
    func together() throws {
        var session = try EncodingSession(width: 12, height: 6)
        let pairs = [(10, 200), (60, 120), (90, 160)].map { (gray($0.0), gray($0.1)) }
        for row in 0..<3 {
            for column in 0..<12 {
                let pair = pairs[(row + column) % 3]
                let isTurned = column % 2 == 0
                session.raster.pixels[row * 24 + column] = isTurned ? pair.1 : pair.0
                session.raster.pixels[row * 24 + 12 + column] = isTurned ? pair.0 : pair.1
            }
        }
        let text = String(decoding: try session.update(), as: UTF8.self)
        let (shown, wanted) = (session.shown, session.wanted)
        #expect(shown == wanted)
        #expect(colorsSet(in: text) == 6)
    }

    @Test("If two successive cells share a colour, this colour is set only once")
    func chain() throws {
        var session = try EncodingSession(width: 9, height: 2)
        // Each cell shares a colour with one or two other cells, but not with the cells next to it in the row.
        let order = [0, 5, 1, 6, 2, 7, 3, 8, 4]
        for (column, number) in order.enumerated() {
            session.raster.pixels[column] = gray(20 * number)
            session.raster.pixels[9 + column] = gray(20 * number + 20)
        }
        let text = String(decoding: try session.update(), as: UTF8.self)
        let (shown, wanted) = (session.shown, session.wanted)
        #expect(shown == wanted)
        // The first cell sets two colours, and each other cell sets one. If the cells were sent from left to right,
        // they would set 18 colours.
        #expect(colorsSet(in: text) == 10)
    }

    @Test(
        "A large update stays within the tolerance, and encoding its recorded changes gives the same bytes",
        arguments: Fidelity.allCases, [nil, 12])
    func large(fidelity: Fidelity, colors: Int?) throws {
        var random = SeededRandom(UInt64(fidelity.bound + (colors ?? 0)))
        var session = try EncodingSession(width: 90, height: 62, offset: colors == nil ? (1, 2) : nil)
        let palette = (0..<(colors ?? 1)).map { _ in CellColor.random(using: &random) }
        for share in [1, 0.02, 0.9, 0.3, 1] {
            for index in session.raster.pixels.indices where Double.random(in: 0..<1, using: &random) < share {
                session.raster.pixels[index] =
                    colors == nil ? .random(using: &random) : palette.randomElement(using: &random) ?? .black
            }
            var changes: CellChanges? = CellChanges()
            let bytes = try session.update(fidelity, recording: &changes)
            let (shown, wanted) = (session.shown, session.wanted)
            #expect(zip(shown, wanted).allSatisfy { visibleDifference($0, $1) <= fidelity.bound })
            let recorded = try #require(changes)
            let again = session.replay(recorded)
            #expect(again == bytes)
        }
    }

    @Test("An update sends each changed cell once", arguments: 0..<6)
    func once(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var session = try EncodingSession(width: 33, height: 20, offset: seed % 2 == 0 ? nil : (0, 0))
        for _ in 0..<60 {
            session.scramble(&random, share: .random(in: 0...1, using: &random))
            let x = Int.random(in: 0..<33, using: &random)
            let part = PixelRect(x: x, y: .random(in: 0..<20, using: &random), width: 33 - x, height: 20)
            var changes: CellChanges? = CellChanges()
            let bytes = try session.update(seed < 3 ? .exact : .standard, dirty: part, recording: &changes)
            let glyphs = String(decoding: bytes, as: UTF8.self).count { " ▀▄".contains($0) }
            #expect(glyphs == changes?.count)
        }
        // This update covers the whole picture, but sends only the cells that differ from the encoder's record of the
        // screen. Therefore the result is correct only if this record is correct.
        _ = try session.update()
        let (shown, wanted) = (session.shown, session.wanted)
        #expect(shown == wanted)
    }

    private func gray(_ value: Int) -> CellColor {
        CellColor(red: UInt8(value), green: UInt8(value), blue: UInt8(value))
    }

    private func colorsSet(in text: String) -> Int { text.ranges(of: "8;2;").count }
}
