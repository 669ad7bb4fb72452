import Pixels
import Playback
import TestSupport
import Testing

@Suite("A still as lines of text")
struct StillRendererTests {
    private func render(_ gif: GIFBuilder, _ change: (inout PlaybackOptions) -> Void = { _ in }) throws -> String {
        var options = PlaybackOptions()
        options.fit.enlarges = false
        change(&options)
        var out = ByteBuffer()
        let traits = TerminalTraits(size: CellSize(columns: 10, rows: 5))
        try StillRenderer.render(gif.reader(), for: traits, options: options, into: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test("Each line shows a row of cells, sets its own colours and resets them")
    func lines() throws {
        let text = try render(GIFBuilder(width: 2, height: 4).image(width: 2, height: 4, [1, 1, 2, 2, 3, 1, 3, 2]))
        #expect(text.filter { $0 == "\n" }.count == 2)
        var screen = VirtualScreen(columns: 5, rows: 3)
        for line in text.split(separator: "\n") {
            #expect(line.hasSuffix("\u{1B}[0m"))
            try screen.feed((line + "\r\n").utf8)
        }
        let (red, green, blue) = (GIFBuilder.fourColors[1], GIFBuilder.fourColors[2], GIFBuilder.fourColors[3])
        #expect(screen.halves(CellSize(columns: 2, rows: 2)) == [red, red, green, green, blue, red, blue, green])
        #expect(screen[0, 2].upper == .terminalDefault)
    }

    @Test("Frames that draw nothing are skipped")
    func emptyFrames() throws {
        let gif = GIFBuilder(width: 2, height: 2).control(transparent: 0).image(width: 2, height: 2, [0, 0, 0, 0])
        #expect(try render(gif.image(width: 2, height: 2, [1, 1, 1, 1]).trailer()).contains("48;2;255;0;0"))
        #expect(try !render(gif.trailer()).contains("48;2"))
    }

    @Test("A chosen background is visible in transparent areas")
    func background() throws {
        let gif = GIFBuilder(width: 2, height: 2).control(transparent: 0).image(width: 2, height: 2, [0, 0, 0, 0])
        let text = try render(gif.trailer()) { $0.background = CellColor(red: 1, green: 2, blue: 3) }
        #expect(text == "\u{1B}[48;2;1;2;3m  \u{1B}[0m\n")
    }

    @Test("A GIF without an image is reported as an error")
    func noImage() {
        #expect(throws: GIFError.noImage([])) { try render(GIFBuilder(width: 1, height: 1).trailer()) }
    }
}
