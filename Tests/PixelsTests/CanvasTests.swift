import Pixels
import TestSupport
import Testing

/// Tests how frames are composed on a canvas. Browsers produce the same pictures.
@Suite("Composing frames")
struct CanvasTests {
    /// Draws the frames in order and returns the picture after each frame.
    private func compose(_ width: Int, _ height: Int, _ frames: [IndexedFrame]) throws -> [[String]] {
        let canvas = try Canvas(size: PixelSize(width: width, height: height))
        var pictures: [[String]] = []
        for frame in frames {
            _ = try canvas.draw(frame)
            pictures.append(Letters.rows(of: canvas))
        }
        return pictures
    }

    @Test("A canvas is transparent where no frame was drawn")
    func uncovered() throws {
        #expect(try compose(3, 2, [IndexedFrame(["r"], x: 1, y: 0)]) == [[".r.", "..."]])
    }

    @Test(
        "Disposal codes have the same meaning as in browsers",
        arguments: [
            (0, Disposal.keep), (1, .keep), (2, .clear), (3, .restore), (4, .restore), (5, .keep), (6, .keep),
            (7, .keep),
        ])
    func disposalCodes(code: Int, disposal: Disposal) {
        #expect(Disposal(code: code) == disposal)
    }

    @Test("A frame with the disposal method \"keep\" stays visible under the next frame")
    func keep() throws {
        let pictures = try compose(3, 1, [IndexedFrame(["rrr"]), IndexedFrame(["g"], x: 1)])
        #expect(pictures == [["rrr"], ["rgr"]])
    }

    @Test("The disposal method \"clear\" makes the area of the frame transparent")
    func clear() throws {
        let frames = [IndexedFrame(["rrr"]), IndexedFrame(["gg"], disposal: .clear), IndexedFrame(["b"], x: 2)]
        #expect(try compose(3, 1, frames) == [["rrr"], ["ggr"], ["..b"]])
    }

    @Test("The disposal method \"clear\" clears the whole area of the frame, including its transparent pixels")
    func clearUnderTransparent() throws {
        let frames = [IndexedFrame(["rrr"]), IndexedFrame(["g.."], disposal: .clear), IndexedFrame(["b"], x: 2)]
        #expect(try compose(3, 1, frames) == [["rrr"], ["grr"], ["..b"]])
    }

    @Test("The disposal method \"restore\" brings back the pixels below the frame")
    func restore() throws {
        let frames = [
            IndexedFrame(["rgb"]), IndexedFrame(["kk"], x: 1, disposal: .restore),
            IndexedFrame(["b"], disposal: .restore), IndexedFrame(["k"]),
        ]
        #expect(try compose(3, 1, frames) == [["rgb"], ["rkk"], ["bgb"], ["kgb"]])
    }

    @Test("If the first frame has the disposal method \"restore\", the canvas becomes transparent again")
    func restoreFirst() throws {
        let frames = [IndexedFrame(["rr"], disposal: .restore), IndexedFrame(["g"])]
        #expect(try compose(2, 1, frames) == [["rr"], ["g."]])
    }

    @Test("The disposal method \"restore\" does not bring back pixels that were cleared before the frame")
    func restoreAfterClear() throws {
        let frames = [
            IndexedFrame(["rr"], disposal: .clear), IndexedFrame(["gg"], disposal: .restore), IndexedFrame(["b"]),
        ]
        #expect(try compose(2, 1, frames) == [["rr"], ["gg"], ["b."]])
    }

    @Test("A frame that extends beyond the canvas is clipped at every edge", arguments: Disposal.allForTests)
    func clipped(disposal: Disposal) throws {
        let corner = IndexedFrame(["rgb", "gbr", "brg"], x: -1, y: -1, disposal: disposal)
        #expect(try compose(2, 2, [corner]) == [["br", "rg"]])
        let opposite = IndexedFrame(["rgb", "gbr", "brg"], x: 1, y: 1, disposal: disposal)
        #expect(try compose(2, 2, [opposite]) == [["..", ".r"]])
        let after = try compose(2, 2, [opposite, IndexedFrame(["k"])])
        #expect(after.last == (disposal == .keep ? ["k.", ".r"] : ["k.", ".."]))
    }

    @Test("A frame that is completely outside the canvas changes nothing", arguments: Disposal.allForTests)
    func outside(disposal: Disposal) throws {
        let frames = [
            IndexedFrame(["rg"]), IndexedFrame(["bb"], x: 9, y: 4, disposal: disposal),
            IndexedFrame(["bb"], x: -2, disposal: disposal), IndexedFrame(["k"]),
        ]
        #expect(try compose(2, 1, frames) == [["rg"], ["rg"], ["rg"], ["kg"]])
    }

    @Test("A frame of size 0 changes nothing", arguments: Disposal.allForTests)
    func noSize(disposal: Disposal) throws {
        let frames = [IndexedFrame(["rg"]), IndexedFrame([], disposal: disposal), IndexedFrame(["k"], x: 1)]
        #expect(try compose(2, 1, frames) == [["rg"], ["rg"], ["rk"]])
    }

    @Test("Pixels with the transparent index leave the canvas unchanged")
    func transparent() throws {
        #expect(try compose(3, 1, [IndexedFrame(["rrr"]), IndexedFrame([".g."])]) == [["rrr"], ["rgr"]])
    }

    @Test("Index 0 can be the transparent index")
    func transparentZero() throws {
        let frame = IndexedFrame(["kr"])
        frame.transparentIndex = 0
        #expect(try compose(2, 1, [IndexedFrame(["gg"]), frame]).last == ["gr"])
    }

    @Test("After the canvas is cleared, the disposal of the last frame is not applied", arguments: Disposal.allForTests)
    func clearedCanvas(disposal: Disposal) throws {
        let canvas = try Canvas(size: PixelSize(width: 2, height: 1))
        _ = try canvas.draw(IndexedFrame(["rr"]))
        _ = try canvas.draw(IndexedFrame(["gg"], disposal: disposal))
        canvas.clear()
        #expect(Letters.rows(of: canvas) == [".."])
        _ = try canvas.draw(IndexedFrame(["b"]))
        #expect(Letters.rows(of: canvas) == ["b."])
    }
}

extension Disposal {
    static let allForTests: [Disposal] = [.keep, .clear, .restore]
}
