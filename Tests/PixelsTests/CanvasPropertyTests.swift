import Pixels
import TestSupport
import Testing

/// Tests properties that hold for all frames. The frames are random, with fixed seeds.
@Suite("Composing random frames")
struct CanvasPropertyTests {
    @Test("The canvas equals the output of the reference renderer", arguments: 0..<12)
    func equalsReference(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let size = PixelSize(width: .random(in: 1...14, using: &random), height: .random(in: 1...18, using: &random))
        let canvas = try Canvas(size: size)
        var reference = ReferenceRenderer(canvas: size)
        for _ in 0..<60 {
            let frame = IndexedFrame.random(on: size, using: &random)
            _ = try canvas.draw(frame)
            reference.draw(frame)
            #expect(colors(of: canvas) == reference.pixels)
        }
    }

    @Test("If there are too many palettes to store, the canvas equals the reference rendering", arguments: [1, 16])
    func manyPalettes(side: Int) throws {
        let size = PixelSize(width: 16, height: 16)
        var random = SeededRandom(UInt64(side))
        let canvas = try Canvas(size: size)
        var reference = ReferenceRenderer(canvas: size)
        for number in 0..<600 {
            let palette = (0..<4).map { _ in CellColor.random(using: &random) }
            let indices = (0..<side * side).map { _ in UInt8.random(in: 0..<4, using: &random) }
            // Frames of one pixel get different positions, so the canvas shows too many palettes to store them all.
            // Frames of 16 x 16 pixels hide most pixels of earlier frames, so unused palettes can be replaced.
            let place = (x: side == 1 ? number % 16 : 0, y: side == 1 ? number / 16 % 16 : 0)
            let rect = PixelRect(x: place.x, y: place.y, width: side, height: side)
            let frame = IndexedFrame(rect: rect, palette: palette, indices)
            frame.disposal = number % 7 == 3 ? .restore : .keep
            frame.transparentIndex = side == 1 ? -1 : 3
            _ = try canvas.draw(frame)
            reference.draw(frame)
            #expect(colors(of: canvas) == reference.pixels)
        }
    }

    @Test("No pixel outside the dirty rectangle changes", arguments: 0..<12)
    func dirtyCovers(seed: UInt64) throws {
        var random = SeededRandom(seed &+ 100)
        let size = PixelSize(width: 12, height: 17)
        let canvas = try Canvas(size: size)
        for _ in 0..<60 {
            let before = Array(canvas.pixels)
            let dirty = try canvas.draw(.random(on: size, using: &random))
            #expect(dirty.intersection(PixelRect(size)) == dirty)
            let after = Array(canvas.pixels)
            for index in before.indices where before[index] != after[index] {
                let pixel = PixelRect(x: index % size.width, y: index / size.width, width: 1, height: 1)
                #expect(dirty.intersection(pixel) == pixel)
            }
        }
    }

    @Test("The dirty rectangle has the width of the frame and contains only the rows that the frame changed")
    func dirtyIsTight() throws {
        let canvas = try Canvas(size: PixelSize(width: 9, height: 9))
        #expect(try canvas.draw(IndexedFrame(["rr", "gg"], x: 3, y: 4)) == PixelRect(x: 3, y: 4, width: 2, height: 2))
        let middle = IndexedFrame(["..", ".r", ".."], x: 1, y: 1)
        #expect(try canvas.draw(middle) == PixelRect(x: 1, y: 2, width: 2, height: 1))
        #expect(try canvas.draw(IndexedFrame(["...", "..."])) == .empty)
        #expect(try canvas.draw(IndexedFrame(["r"], x: 20)) == .empty)
    }

    @Test("Rows that a frame does not change are not dirty")
    func dirtyIsChange() throws {
        let canvas = try Canvas(size: PixelSize(width: 9, height: 9))
        let frame = IndexedFrame(["rr", "g."], x: 3, y: 4)
        #expect(try canvas.draw(frame) == PixelRect(x: 3, y: 4, width: 2, height: 2))
        #expect(try canvas.draw(frame) == .empty)
        #expect(try canvas.draw(IndexedFrame(["rr", "gg"], x: 3, y: 4)) == PixelRect(x: 3, y: 5, width: 2, height: 1))
        #expect(try canvas.draw(IndexedFrame(["r"], x: 3, y: 4, disposal: .clear)) == .empty)
        #expect(try canvas.draw(frame) == PixelRect(x: 3, y: 4, width: 2, height: 1))
    }

    @Test("The disposal of a frame makes the whole area of the frame dirty", arguments: [Disposal.clear, .restore])
    func disposalIsDirty(disposal: Disposal) throws {
        let canvas = try Canvas(size: PixelSize(width: 9, height: 9))
        _ = try canvas.draw(IndexedFrame(["r.", ".."], x: 1, y: 1, disposal: disposal))
        #expect(try canvas.draw(IndexedFrame(["g"], x: 5, y: 5)) == PixelRect(x: 1, y: 1, width: 5, height: 5))
        #expect(try canvas.draw(IndexedFrame([])) == .empty)
    }

    private func colors(of canvas: Canvas) -> [CellColor?] {
        canvas.pixels.map { pixel in
            guard pixel != .transparent else { return nil }
            return CellColor(
                red: UInt8(pixel.bits & 0xFF), green: UInt8(pixel.bits >> 8 & 0xFF),
                blue: UInt8(pixel.bits >> 16 & 0xFF))
        }
    }
}
