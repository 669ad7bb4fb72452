import Foundation
import TestSupport
import Testing

@testable import Pixels

@Suite("Encoding inline images of iTerm2")
struct ITerm2EncoderTests {
    private static let cell = PixelSize(width: 10, height: 20)

    private struct Session: ~Copyable {
        let raster: PictureRaster
        let encoder: ITerm2Encoder
        var screen: ITerm2Screen
        var output: [UInt8] = []

        init(
            width: Int, height: Int, addressing: CursorAddressing = .absolute(row: 1, column: 1), isInTmux: Bool = false
        ) {
            raster = PictureRaster(
                size: PixelSize(width: width, height: height), pixelsPerCell: ITerm2EncoderTests.cell)
            encoder = ITerm2Encoder(
                size: raster.size, pixelsPerCell: ITerm2EncoderTests.cell, addressing: addressing, isInTmux: isInTmux)
            screen = ITerm2Screen(
                size: raster.size, cell: ITerm2EncoderTests.cell, row: height / ITerm2EncoderTests.cell.height)
            encoder.assumeCleared()
        }

        mutating func update(_ fidelity: Fidelity = .exact) throws {
            var out = ByteBuffer()
            var none: CellChanges?
            encoder.encode(raster, dirty: PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &none)
            output = Array(out.bytes)
        }

        mutating func show(_ fidelity: Fidelity = .exact) throws {
            try update(fidelity)
            try screen.feed(output)
        }
    }

    @Test(
        "After every update, the terminal shows exactly the pixels of the raster", arguments: [40, 700], [true, false])
    func exact(height: Int, isInline: Bool) throws {
        var random = SeededRandom(UInt64(height))
        let addressing: CursorAddressing =
            isInline ? .inline(idleRow: height / Self.cell.height) : .absolute(row: 1, column: 1)
        var session = Session(width: 70, height: height, addressing: addressing)
        for _ in 0..<6 {
            let first = Int.random(in: 0..<session.raster.pixels.count, using: &random)
            for index in first..<min(first + 9000, session.raster.pixels.count) {
                session.raster.pixels[index] =
                    Int.random(in: 0..<9, using: &random) == 0 ? .terminalDefault : .random(using: &random)
            }
            try session.show()
            let (shown, wanted) = (session.screen.pixels, Array(session.raster.pixels))
            #expect(shown == wanted)
        }
    }

    @Test(
        "An image has a palette if it has at most 256 colours, and an alpha channel only if it needs one",
        arguments: [
            (256, false, PNGImage.Kind.palette), (255, true, .palette), (257, false, .rgb), (256, true, .rgba),
        ])
    func kinds(colors: Int, isTransparent: Bool, kind: PNGImage.Kind) throws {
        var session = Session(width: 20, height: 20)
        for index in session.raster.pixels.indices {
            let number = index % colors
            session.raster.pixels[index] = CellColor(red: UInt8(number & 0xFF), green: UInt8(number >> 8), blue: 7)
        }
        if isTransparent { session.raster.pixels[399] = .terminalDefault }
        try session.show()
        #expect(session.screen.files.map(\.kind) == [kind])
        #expect(session.screen.pixels == Array(session.raster.pixels))
    }

    @Test("Only the strips with changes beyond the tolerance are sent")
    func strips() throws {
        var session = Session(width: 20, height: 100)
        // Near black, every change is sent, so the picture is grey.
        let grey = CellColor(red: 128, green: 128, blue: 128)
        session.raster.pixels.update(repeating: grey)
        try session.show()
        #expect(session.screen.updatedRows == [0, 1, 2, 3, 4])
        let change = Fidelity.standard.tolerance.withheldChanges(grey.bits)
        session.raster.pixels[20 * 45] = CellColor(bits: grey.bits + change)
        try session.show(.standard)
        #expect(session.output.isEmpty)
        session.raster.pixels[20 * 45] = CellColor(bits: grey.bits + change + 0x1_0000)
        try session.show(.standard)
        #expect(session.screen.updatedRows == [2])
    }

    @Test("The sequences of the largest picture are shorter than 1 MiB, even if nothing can be compressed")
    func limit() throws {
        var random = SeededRandom(1)
        var session = Session(width: 1600, height: 1200)
        for index in session.raster.pixels.indices { session.raster.pixels[index] = .random(using: &random) }
        try session.show()
        #expect(session.screen.longestSequence < 1 << 20 && session.screen.updatedRows.count == 15)
    }

    @Test("In tmux, each image is passed through, after tmux has moved the cursor of the terminal by erasing a cell")
    func tmux() throws {
        var session = Session(width: 30, height: 40, addressing: .absolute(row: 2, column: 3), isInTmux: true)
        session.raster.pixels.update(repeating: .black)
        try session.update()
        let text = String(decoding: session.output, as: UTF8.self)
        let images = text.components(separatedBy: "\u{1B}\\").dropLast()
        #expect(images.count == 2)
        for (row, image) in images.enumerated() {
            #expect(image.hasPrefix("\u{1B}[\(row + 2);3H\u{1B}[X\u{1B}Ptmux;\u{1B}\u{1B}]1337;File=inline=1;size="))
            #expect(image.hasSuffix("\u{07}") && image.filter { $0 == "\u{1B}" }.count == 5)
        }
    }
}
