import Pixels
import TestSupport
import Testing

@Suite("Row order and damage")
struct InterlaceTests {
    private func compose(_ frame: IndexedFrame, width: Int, height: Int) throws -> [String] {
        let canvas = try Canvas(size: PixelSize(width: width, height: height))
        _ = try canvas.draw(frame)
        return Letters.rows(of: canvas)
    }

    @Test("Interlaced rows are drawn at their final positions", arguments: 0...20)
    func everyHeight(height: Int) throws {
        let rows = (0..<height).map { ["rg", "gb", "bk", "kr", "gg"][$0 % 5] }
        #expect(try compose(IndexedFrame(rows, interlaced: true), width: 2, height: height) == rows)
    }

    @Test("The four interlace passes begin at rows 0, 4, 2, 1 and have the steps 8, 8, 4, 2")
    func passes() throws {
        // The rows are in transmission order, so the letter of a row shows its pass.
        let frame = IndexedFrame(["r", "g", "b", "b", "k", "k", "k", "k"])
        frame.isInterlaced = true
        #expect(try compose(frame, width: 1, height: 8) == ["r", "k", "b", "k", "g", "k", "b", "k"])
    }

    @Test("A damaged frame is drawn up to the last decoded pixel")
    func cutInRow() throws {
        let frame = IndexedFrame(["rrr", "ggg", "bbb"], decoded: 5)
        #expect(try compose(frame, width: 3, height: 3) == ["rrr", "gg.", "..."])
    }

    @Test("Only the decoded pixels of a damaged interlaced frame are drawn")
    func cutInterlaced() throws {
        let frame = IndexedFrame(["rr", "gg", "bb", "kk", "rr"], interlaced: true, decoded: 5)
        // Rows 0 and 4 are complete; only the first half of row 2 is decoded.
        #expect(try compose(frame, width: 2, height: 5) == ["rr", "..", "b.", "..", "rr"])
    }

    @Test("In a damaged frame, the number of decoded pixels includes pixels that are clipped at the left")
    func cutAndClipped() throws {
        let frame = IndexedFrame(["rgb", "rgb"], x: -2, decoded: 5)
        #expect(try compose(frame, width: 2, height: 2) == ["b.", ".."])
        let longer = IndexedFrame(["rgb", "rgb"], x: -2, decoded: 6)
        #expect(try compose(longer, width: 2, height: 2) == ["b.", "b."])
    }

    @Test("A frame without decoded pixels draws nothing, but its disposal clears its area")
    func nothingDecoded() throws {
        let canvas = try Canvas(size: PixelSize(width: 2, height: 1))
        _ = try canvas.draw(IndexedFrame(["rr"]))
        _ = try canvas.draw(IndexedFrame(["gg"], disposal: .clear, decoded: 0))
        #expect(Letters.rows(of: canvas) == ["rr"])
        _ = try canvas.draw(IndexedFrame(["b"]))
        #expect(Letters.rows(of: canvas) == ["b."])
    }
}
