import Foundation
import Pixels
import TestSupport
import Testing

/// Tests stills that are images, in files and pipes. The tests decode the images.
@Suite(.ownThreads) struct ImageStillTests {
    private static let cell = PixelSize(width: 8, height: 16)
    private static let box = CellSize(columns: 30, rows: 8)

    private func animation() throws -> (path: String, bytes: [UInt8], folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let bytes = NumberedAnimation(columns: 30, rows: 8, frames: 2, centiseconds: 10).bytes
        return (try folder.write(bytes, to: "a.gif"), bytes, folder)
    }

    private func expected(_ bytes: [UInt8], frame: Int = 0, box: CellSize = box) throws -> ExpectedPicture {
        try ExpectedPicture(bytes: bytes, frame: frame, box: box, pixelsPerCell: Self.cell)
    }

    @Test("With '--mode kitty', a still is a PNG file that begins at the cursor, and the next still is below it")
    func kitty() throws {
        let animation = try animation()
        let outcome = try runGifplay(["--mode", "kitty", "--size", "30x8", animation.path, animation.path])
        #expect(outcome.status == 0)
        let images = outcome.text.split(separator: "\n")
        #expect(images.count == 2 && images.first == images.last)
        let commands = try #require(images.first).components(separatedBy: "\u{1B}\\").dropLast()
        var data = ""
        for (index, command) in commands.enumerated() {
            let more = "q=2,m=\(index < commands.count - 1 ? 1 : 0);"
            let keys = "\u{1B}_G" + (index == 0 ? "a=T,f=100,c=30,r=8," : "") + more
            #expect(command.hasPrefix(keys) && command.utf8.count <= keys.utf8.count + 4096)
            data += command.dropFirst(keys.count)
        }
        let image = try PNGImage(Array(try #require(Data(base64Encoded: data))))
        #expect(try image.pixels == expected(animation.bytes).pixels)
    }

    @Test("With '--mode iterm2', a still is one image, or several images if one would be too long for a terminal")
    func iterm2() throws {
        let animation = try animation()
        let sizes = [(Self.box, 1), (CellSize(columns: 120, rows: 32), 2)]
        for (box, count) in sizes {
            let outcome = try runGifplay([
                "--mode", "iterm2", "--size", "\(box.columns)x\(box.rows)", animation.path,
            ])
            var screen = ITerm2Screen(size: PixelSize(width: box.columns * 8, height: box.rows * 16), cell: Self.cell)
            try screen.feed(outcome.output)
            #expect(outcome.status == 0 && screen.files.count == count)
            #expect(try screen.pixels == expected(animation.bytes, box: box).pixels)
            #expect(outcome.output.last == UInt8(ascii: "\n") && screen.longestSequence < 1 << 20)
        }
    }

    @Test("With '--mode sixel', a still is an image that begins at the cursor")
    func sixel() throws {
        let animation = try animation()
        let outcome = try runGifplay(["--mode", "sixel", "--size", "30x8", animation.path])
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("\u{1B}P0;1;0q\"1;1;240;128") && outcome.text.hasSuffix("\u{1B}\\\n"))
        var screen = SixelScreen(size: PixelSize(width: 240, height: 128))
        screen.feed(outcome.output)
        let wanted = try expected(animation.bytes).pixels
        let error = zip(screen.pixels, wanted).map { abs($0.green - $1.green) }.reduce(0, +)
        // The picture has more colours than sixels, so the colours differ by a few levels.
        #expect(error < 8 * wanted.count && !screen.pixels.contains(.terminalDefault))
    }

    @Test("A still for a terminal without colours consists of characters, like one with '--mode auto'")
    func characters() throws {
        let animation = try animation()
        let options = [["--mode", "kitty", "--colors", "none"], ["--colors", "none"], ["--mode", "auto"], []]
        let outputs = try options.map { try runGifplay($0 + ["--size", "30x8", animation.path]).output }
        #expect(outputs[0] == outputs[1] && outputs[2] == outputs[3] && !outputs[0].isEmpty)
    }

    @Test("In a pipe from a terminal that reports its size in pixels, an image has the resolution of the terminal")
    func knownCell() throws {
        let animation = try animation()
        let terminal = try PseudoTerminal(
            ["-c", "'\(Binary.path)' --mode sixel --size 30x8 '\(animation.path)' | head -c 24"], columns: 40, rows: 10,
            cell: PixelSize(width: 10, height: 20), path: "/bin/sh", until: "q\"1;1;300;160")
        #expect(try terminal.finish() == 0)
    }

    @Test("On a terminal, '--mode iterm2!' shows each frame in images, and the picture leaves the last row free")
    func terminal() throws {
        let animation = try animation()
        let terminal = try PseudoTerminal(
            ["--mode", "iterm2!", "--bare", "--loop", "1", "--fidelity", "exact", animation.path], columns: 30, rows: 9,
            cell: Self.cell)
        #expect(try terminal.finish() == 0)
        var screen = ITerm2Screen(size: PixelSize(width: 240, height: 9 * 16), cell: Self.cell)
        try screen.feed(terminal.output)
        #expect(try Array(screen.pixels.prefix(240 * 128)) == expected(animation.bytes, frame: 1).pixels)
    }

    @Test("Inside tmux, each image passes through to the terminal, at the position of its cells")
    func tmux() throws {
        let folder = try TemporaryFolder()
        let bytes = NumberedAnimation(columns: 20, rows: 6, frames: 2, centiseconds: 60).bytes
        let path = try folder.write(bytes, to: "a.gif")
        let tmux = try Tmux(columns: 30, rows: 9)
        try tmux.tmux("set", "-g", "allow-passthrough", "on")
        let terminal = try PseudoTerminal(["-c", tmux.attachCommand], columns: 30, rows: 9, path: "/bin/sh")
        try terminal.read(until: "bash")
        try tmux.shell(
            "exec '\(Binary.path)' --mode iterm2! --bare --loop 1 --fidelity exact --size 20x6 '\(path)'")
        #expect(try terminal.finish() == 0)
        // tmux reports this size of a cell if the terminal reports none.
        let cell = PixelSize(width: 16, height: 32)
        var screen = ITerm2Screen(size: PixelSize(width: 30 * 16, height: 9 * 32), cell: cell)
        try screen.feed(terminal.output)
        let expected = try ExpectedPicture(
            bytes: bytes, frame: 1, box: CellSize(columns: 20, rows: 6), pixelsPerCell: cell)
        var shown: [CellColor] = []
        for y in 32..<7 * 32 { shown += screen.pixels[(y * screen.size.width + 5 * 16)...].prefix(20 * 16) }
        #expect(shown.elementsEqual(expected.pixels))
    }
}
