import Base
import Pixels
import TestSupport
import Testing

@testable import Application

/// Tests the content of the layers of an SVG and the colours that they display.
@Suite struct SVGLayersTests {
    private static let red = CellColor(red: 255, green: 0, blue: 0)
    private static let blue = CellColor(red: 0, green: 0, blue: 255)

    private func text(_ layer: SVGLayers.Layer?) -> String {
        layer.map { String(decoding: $0.content, as: UTF8.self) } ?? ""
    }

    @Test("The pixels of one colour form one path, with one line for each run of pixels in a row")
    func runs() {
        let size = PixelSize(width: 4, height: 2)
        var layers = SVGLayers(size: size, background: .black, tolerance: Fidelity.exact.tolerance)
        let row = [Self.red, Self.red, Self.blue, Self.red]
        layers.add(row + [.black, .terminalDefault, Self.red, Self.red], at: Instant(nanoseconds: 0))
        #expect(
            text(layers.segments.first?.first)
                == ##"<path stroke="#f00" d="M0 0h2m1 0h1m-2 1h2"/><path stroke="#00f" d="M2 0h1"/>"##)
    }

    @Test("A layer contains only the pixels that have changed; a frame without a change adds no layer")
    func differences() {
        let size = PixelSize(width: 10, height: 2)
        var layers = SVGLayers(size: size, background: .black, tolerance: Fidelity.exact.tolerance)
        var pixels = (0..<20).map { CellColor(red: UInt8($0 * 12), green: 7, blue: 9) }
        layers.add(pixels, at: Instant(nanoseconds: 0))
        layers.add(pixels, at: Instant(nanoseconds: 5))
        pixels[13] = Self.red
        pixels[14] = .terminalDefault
        layers.add(pixels, at: Instant(nanoseconds: 9))
        #expect(layers.segments.count == 1 && layers.segments.first?.count == 2)
        let layer = layers.segments.first?.last
        #expect(layer?.start == Instant(nanoseconds: 9))
        #expect(text(layer) == ##"<path stroke="#f00" d="M3 1h1"/><path stroke="#000" d="M4 1h1"/>"##)
    }

    @Test("A new segment begins if the whole picture takes at most as many bytes as the changed pixels")
    func wholePicture() {
        let size = PixelSize(width: 8, height: 2)
        var layers = SVGLayers(size: size, background: .black, tolerance: Fidelity.exact.tolerance)
        layers.add(Array(repeating: Self.red, count: 16), at: Instant(nanoseconds: 0))
        layers.add(Array(repeating: .black, count: 16), at: Instant(nanoseconds: 1))
        #expect(layers.segments.map(\.count) == [1, 1])
        #expect(text(layers.segments.last?.first) == "")
    }

    @Test("A segment ends when it has more than 16 times the bytes of a whole picture")
    func longSegment() {
        let size = PixelSize(width: 40, height: 2)
        var layers = SVGLayers(size: size, background: .black, tolerance: Fidelity.exact.tolerance)
        var pixels = (0..<80).map { CellColor(red: UInt8($0 * 3), green: 7, blue: 9) }
        for frame in 0..<200 {
            for index in 0..<30 { pixels[index] = CellColor(red: UInt8(index), green: UInt8(frame), blue: 200) }
            layers.add(pixels, at: Instant(nanoseconds: Int64(frame)))
        }
        #expect(layers.segments.count > 1)
        for segment in layers.segments {
            let whole = segment.first?.content.count ?? 0
            #expect(segment.reduce(0) { $0 + $1.content.count } <= 18 * whole)
        }
    }

    @Test(
        "In every frame, each colour differs from the picture's by at most the bound",
        arguments: [Fidelity.exact, .standard, .low])
    func tolerance(fidelity: Fidelity) {
        let size = PixelSize(width: 16, height: 16)
        var layers = SVGLayers(size: size, background: .black, tolerance: fidelity.tolerance)
        var generator = SystemRandomNumberGenerator()
        var base = (0..<256).map { _ in Int.random(in: 0...255, using: &generator) }
        for frame in 0..<30 {
            base = base.map { min(255, max(0, $0 + Int.random(in: -3...3, using: &generator))) }
            layers.add(
                base.map { CellColor(red: UInt8($0), green: UInt8(255 - $0), blue: 3) },
                at: Instant(nanoseconds: Int64(frame)))
            for (shown, value) in zip(layers.shown, base) {
                let color = CellColor(
                    red: UInt8(truncatingIfNeeded: shown >> 16), green: UInt8(truncatingIfNeeded: shown >> 8),
                    blue: UInt8(truncatingIfNeeded: shown))
                let expected = CellColor(red: UInt8(value), green: UInt8(255 - value), blue: 3)
                #expect(visibleDifference(color, expected) <= fidelity.bound)
            }
        }
    }

    @Test("Titles are escaped for XML, and characters that XML does not allow are removed")
    func title() {
        #expect(SVGDocument.escaped("<a & \"b\">\u{1B}\u{FFFE}é") == "&lt;a &amp; \"b\"&gt;é")
    }
}
