import Pixels
import TestSupport
import Testing

@Suite("A canvas with its scaled picture")
struct ScaledPictureTests {
    private let size = PixelSize(width: 4, height: 4)
    private let red = CellColor(red: 200, green: 0, blue: 0)
    private let blue = CellColor(red: 0, green: 0, blue: 200)

    private func picture(_ backdrop: Backdrop = .terminal(.black)) throws -> ScaledPicture {
        ScaledPicture(try Canvas(size: size), target: size, filter: .smooth, backdrop: backdrop)
    }

    private func frame(_ color: CellColor, _ rect: PixelRect) -> IndexedFrame {
        IndexedFrame(rect: rect, palette: [color], Array(repeating: 0, count: rect.width * rect.height))
    }

    @Test("An update computes the whole raster first, and then only the area that was drawn since the last update")
    func changedArea() throws {
        let picture = try picture()
        try picture.draw(frame(red, PixelRect(size)))
        let first = picture.update()
        #expect(first == PixelRect(size))
        let unchanged = picture.update()
        #expect(unchanged.isEmpty)
        let pixel = PixelRect(x: 1, y: 2, width: 1, height: 1)
        try picture.draw(frame(blue, pixel))
        let second = picture.update()
        #expect(second == pixel)
        let pixels = picture.pixels
        #expect(pixels.count { $0 == blue } == 1 && pixels[2 * 4 + 1] == blue && pixels[0] == red)
    }

    @Test("After the canvas is cleared, the next update removes the previous frames")
    func clear() throws {
        let picture = try picture(.solid(blue))
        try picture.draw(frame(red, PixelRect(size)))
        picture.update()
        picture.clear()
        let computed = picture.update()
        let pixels = picture.pixels
        #expect(computed == PixelRect(size) && pixels == Array(repeating: blue, count: 16))
    }

    @Test("A new size or backdrop applies to the frames that are on the canvas already")
    func scale() throws {
        let picture = try picture()
        try picture.draw(frame(red, PixelRect(x: 0, y: 0, width: 2, height: 4)))
        picture.update()
        picture.scale(to: PixelSize(width: 2, height: 2), filter: .smooth, backdrop: .solid(blue))
        picture.update()
        let (pixels, canvasSize) = (picture.pixels, picture.canvasSize)
        #expect(pixels == [red, blue, red, blue] && canvasSize == size)
    }
}
