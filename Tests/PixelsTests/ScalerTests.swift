import Pixels
import TestSupport
import Testing

@Suite("Scaling")
struct ScalerTests {
    private static let black = Backdrop.terminal(.black)

    /// Draws the frames on a canvas and scales the whole canvas.
    private func scaled(
        _ frames: [IndexedFrame], canvas size: PixelSize, to target: PixelSize, filter: PictureFit.Filter = .smooth,
        backdrop: Backdrop = black
    ) throws -> [CellColor] {
        let canvas = try Canvas(size: size)
        for frame in frames { _ = try canvas.draw(frame) }
        let raster = PictureRaster(size: target)
        let scaler = Scaler(source: size, target: target, filter: filter, backdrop: backdrop)
        _ = scaler.scale(canvas, dirty: PixelRect(size), into: raster)
        return Array(raster.pixels)
    }

    private func flat(_ color: CellColor, _ size: PixelSize) -> IndexedFrame {
        IndexedFrame(rect: PixelRect(size), palette: [color], Array(repeating: 0, count: size.area))
    }

    @Test("A flat colour does not change", arguments: [(40, 30), (7, 4), (90, 100), (1, 1), (80, 60)])
    func flatColor(target: (Int, Int)) throws {
        let size = PixelSize(width: 80, height: 60)
        let target = PixelSize(width: target.0, height: target.1)
        var random = SeededRandom(7)
        for _ in 0..<4 {
            let color = CellColor.random(using: &random)
            for filter in [PictureFit.Filter.smooth, .pixelated] {
                let result = try scaled([flat(color, size)], canvas: size, to: target, filter: filter)
                #expect(result.prefix(target.area).allSatisfy { $0 == color })
            }
        }
    }

    @Test("The average of black and white is computed in linear light: it is 188, not 128")
    func linearLight() throws {
        let size = PixelSize(width: 8, height: 8)
        let indices = (0..<64).map { UInt8(($0 % 8 + $0 / 8) % 2) }
        let white = CellColor(red: 255, green: 255, blue: 255)
        let board = IndexedFrame(rect: PixelRect(size), palette: [.black, white], indices)
        let grey = CellColor(red: 188, green: 188, blue: 188)
        #expect(try scaled([board], canvas: size, to: PixelSize(width: 4, height: 4)).allSatisfy { $0 == grey })
    }

    @Test("A half-transparent average is blended with the backdrop")
    func alpha() throws {
        let size = PixelSize(width: 2, height: 2)
        let frame = IndexedFrame(["r.", ".r"])
        let target = PixelSize(width: 1, height: 1)
        let blue = CellColor(red: 0, green: 0, blue: 255)
        let mixed = CellColor(red: 188, green: 0, blue: 188)
        #expect(try scaled([frame], canvas: size, to: target, backdrop: .terminal(blue)).first == mixed)
        #expect(try scaled([frame], canvas: size, to: target, backdrop: .solid(blue)).first == mixed)
    }

    @Test("If the background is unknown, a partly transparent pixel becomes opaque or transparent")
    func unknownBackground() throws {
        let size = PixelSize(width: 4, height: 2)
        let frame = IndexedFrame(["r.rr", "..rr"])
        let result = try scaled(
            [frame], canvas: size, to: PixelSize(width: 2, height: 2), backdrop: .unknownTerminal)
        let red = CellColor(red: 255, green: 0, blue: 0)
        #expect(result == [red, red, .terminalDefault, red])
        let small = try scaled([frame], canvas: size, to: PixelSize(width: 2, height: 1), backdrop: .unknownTerminal)
        #expect(small.prefix(2) == [.terminalDefault, red])
    }

    @Test("A transparent area shows the terminal's background or the chosen background")
    func transparent() throws {
        let size = PixelSize(width: 4, height: 4)
        let green = CellColor(red: 0, green: 255, blue: 0)
        let target = PixelSize(width: 2, height: 2)
        let open = try scaled([IndexedFrame(["..", ".."])], canvas: size, to: target, backdrop: .terminal(green))
        #expect(open.allSatisfy { $0 == .terminalDefault })
        let filled = try scaled([IndexedFrame(["..", ".."])], canvas: size, to: target, backdrop: .solid(green))
        #expect(filled.allSatisfy { $0 == green })
    }

    @Test("If the height is odd, the lower half of the last cell row has the terminal's background")
    func oddHeight() throws {
        let size = PixelSize(width: 2, height: 3)
        let red = CellColor(red: 255, green: 0, blue: 0)
        let result = try scaled([flat(red, size)], canvas: size, to: size, backdrop: .solid(.black))
        #expect(result == Array(repeating: red, count: 6) + [.terminalDefault, .terminalDefault])
    }

    @Test("Enlarging pixel art by an integer factor repeats each pixel")
    func pixelated() throws {
        let result = try scaled(
            [IndexedFrame(["rg"])], canvas: PixelSize(width: 2, height: 1), to: PixelSize(width: 4, height: 2),
            filter: .pixelated)
        let (red, green) = (GIFBuilder.fourColors[1], GIFBuilder.fourColors[2])
        #expect(result == [red, red, green, green, red, red, green, green])
    }

    @Test("A canvas with an extreme aspect ratio can be scaled", arguments: [(65535, 1), (1, 65535)])
    func extreme(side: (Int, Int)) throws {
        let size = PixelSize(width: side.0, height: side.1)
        let target = PictureFit().target(for: size, in: CellSize(columns: 80, rows: 24))
        let result = try scaled([flat(.black, size)], canvas: size, to: target)
        #expect(result.prefix(target.area).allSatisfy { $0 == .black })
    }

    @Test("Scaling only the dirty rectangle gives the same picture as the reference renderer", arguments: 0..<24)
    func dirtyEqualsWhole(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let size = PixelSize(width: .random(in: 1...40, using: &random), height: .random(in: 1...40, using: &random))
        let target = PixelSize(width: .random(in: 1...50, using: &random), height: .random(in: 1...50, using: &random))
        let filter: PictureFit.Filter = seed % 4 == 3 ? .pixelated : .smooth
        let backdrops: [Backdrop] = [.terminal(.random(using: &random)), .solid(.black), .unknownTerminal]
        let backdrop = backdrops[Int.random(in: 0..<3, using: &random)]
        let scaler = Scaler(source: size, target: target, filter: filter, backdrop: backdrop)
        let raster = PictureRaster(size: target)
        let canvas = try Canvas(size: size)
        var reference = ReferenceRenderer(canvas: size)
        _ = scaler.scale(canvas, dirty: PixelRect(size), into: raster)
        for _ in 0..<12 {
            let frame = IndexedFrame.random(on: size, using: &random)
            let before = Array(raster.pixels)
            let dirty = try canvas.draw(frame)
            let changed = scaler.scale(canvas, dirty: dirty, into: raster)
            reference.draw(frame)
            let after = Array(raster.pixels)
            #expect(after == reference.scaled(to: target, filter: filter, backdrop: backdrop))
            for index in after.indices where after[index] != before[index] {
                let pixel = PixelRect(x: index % target.width, y: index / target.width, width: 1, height: 1)
                #expect(changed.intersection(pixel) == pixel, "changed, but not said to")
            }
        }
    }
}
