import Foundation
import Pixels
import TestSupport
import Testing

@Suite("Encoding kitty graphics")
struct KittyEncoderTests {
    private static let cell = PixelSize(width: 10, height: 20)

    private struct Session: ~Copyable {
        let raster: PictureRaster
        let encoder: KittyEncoder
        var screen: KittyScreen
        var output: [UInt8] = []

        init(
            width: Int, height: Int, addressing: CursorAddressing = .absolute(row: 1, column: 1),
            transport: KittyTransport = .direct
        ) {
            raster = PictureRaster(size: PixelSize(width: width, height: height), pixelsPerCell: KittyEncoderTests.cell)
            encoder = KittyEncoder(
                size: raster.size, pixelsPerCell: KittyEncoderTests.cell, addressing: addressing, transport: transport,
                firstImage: 0x123456)
            screen = KittyScreen(size: raster.size, cell: KittyEncoderTests.cell)
            encoder.assumeCleared()
        }

        mutating func update(_ fidelity: Fidelity = .exact) throws {
            var out = ByteBuffer()
            var none: CellChanges?
            encoder.encode(
                raster, dirty: PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &none)
            output = Array(out.bytes)
            try screen.feed(output)
        }

        mutating func end(keepsPicture: Bool) throws {
            var out = ByteBuffer()
            encoder.end(keepsPicture: keepsPicture, into: &out)
            try screen.feed(Array(out.bytes))
        }
    }

    @Test(
        "After every update, the terminal shows exactly the pixels of the raster", arguments: [30, 700],
        SharedObjects.areAvailable ? [KittyTransport.direct, .sharedMemory] : [.direct])
    func exact(height: Int, transport: KittyTransport) throws {
        var random = SeededRandom(UInt64(height))
        var session = Session(width: 75, height: height, transport: transport)
        for _ in 0..<6 {
            let first = Int.random(in: 0..<session.raster.pixels.count, using: &random)
            for index in first..<min(first + 9000, session.raster.pixels.count) {
                session.raster.pixels[index] =
                    Int.random(in: 0..<9, using: &random) == 0 ? .terminalDefault : .random(using: &random)
            }
            try session.update()
            let (shown, wanted) = (session.screen.pixels, Array(session.raster.pixels))
            #expect(shown == wanted)
        }
        #expect(session.screen.images.count <= KittyEncoder.maximumStrips)
        #expect(session.screen.sharedObjects.isEmpty == (transport == .direct))
        #expect(session.screen.missingObjects == 0)
        #expect(SharedObjects.existing(session.screen.sharedObjects) == [])
    }

    @Test(
        "If the terminal does not read shared memory, pixels are sent in commands; the memory is freed at the end",
        .enabled(if: SharedObjects.areAvailable, "no /dev/shm"))
    func unread() throws {
        var session = Session(width: 20, height: 320, transport: .sharedMemory)
        session.screen.readsMemory = false
        for shade in UInt8(0)..<5 {
            session.raster.pixels.update(repeating: CellColor(red: shade * 9, green: 0, blue: 0))
            try session.update()
        }
        #expect(session.screen.pixels == Array(session.raster.pixels))
        let objects = session.screen.sharedObjects
        #expect(objects.count == 4 * 16 && SharedObjects.existing(objects) == objects)
        try session.end(keepsPicture: false)
        #expect(SharedObjects.existing(objects) == [])
    }

    @Test(
        "After a resize, commands for old images never read the shared memory of new images",
        .enabled(if: SharedObjects.areAvailable, "no /dev/shm"))
    func replaced() throws {
        var old = Session(width: 20, height: 100, transport: .sharedMemory)
        var new = Session(width: 20, height: 100, transport: .sharedMemory)
        old.raster.pixels.update(repeating: .black)
        new.raster.pixels.update(repeating: CellColor(red: 9, green: 9, blue: 9))
        old.screen.readsMemory = false
        try old.update()
        try old.end(keepsPicture: false)
        new.screen.readsMemory = false
        try new.update()
        // The terminal now executes the commands of both encoders.
        var screen = KittyScreen(size: new.raster.size, cell: Self.cell)
        try screen.feed(old.output)
        #expect(screen.missingObjects == 5 && screen.images.isEmpty)
        try screen.feed(new.output)
        #expect(screen.missingObjects == 5 && screen.images.count == 5)
        #expect(screen.pixels == Array(new.raster.pixels))
    }

    @Test("Only the strips with changes beyond the tolerance are sent")
    func strips() throws {
        var session = Session(width: 20, height: 100)
        session.raster.pixels.update(repeating: CellColor(red: 100, green: 100, blue: 100))
        try session.update()
        #expect(session.screen.updated == (0..<5).map { 0x123456 + $0 })
        session.raster.pixels[20 * 45] = CellColor(red: 106, green: 100, blue: 100)
        try session.update(.standard)
        #expect(session.output.isEmpty)
        session.raster.pixels[20 * 45] = CellColor(red: 107, green: 100, blue: 100)
        try session.update(.standard)
        #expect(session.screen.updated == [0x123456 + 2])
    }

    @Test("At the end, all images are deleted, unless the picture must remain visible")
    func end() throws {
        var session = Session(width: 20, height: 100)
        session.raster.pixels.update(repeating: .black)
        try session.update()
        try session.end(keepsPicture: true)
        #expect(session.screen.images.count == 5)
        try session.end(keepsPicture: false)
        #expect(session.screen.images.isEmpty)
    }

    @Test("After a strip that hardly shrinks, the next 16 strips are not compressed, but later ones are again")
    func incompressiblePixels() throws {
        var random = SeededRandom(1)
        var session = Session(width: 40, height: 20)
        var compressed: [Bool] = []
        for update in 0..<19 {
            let color = update % 2 == 0 ? CellColor.black : CellColor(red: 255, green: 0, blue: 0)
            for index in session.raster.pixels.indices {
                session.raster.pixels[index] = update == 0 ? .random(using: &random) : color
            }
            try session.update()
            compressed.append(String(decoding: session.output, as: UTF8.self).contains(",o=z"))
        }
        #expect(compressed == Array(repeating: false, count: 17) + [true, true])
    }

    @Test("In tmux, each command is passed through, and each cell contains a placeholder with its row and column")
    func tmux() throws {
        let session = Session(width: 30, height: 40, addressing: .absolute(row: 2, column: 3), transport: .tmux)
        session.raster.pixels.update(repeating: .black)
        var out = ByteBuffer()
        var none: CellChanges?
        for _ in 0..<2 {
            session.encoder.encode(
                session.raster, dirty: PixelRect(session.raster.size), fidelity: .exact, into: &out, recording: &none)
        }
        let text = String(decoding: out.bytes, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1,f=24,i=1193046,s=30,v=20,c=3,r=1,o=z,q=2,m=0;"))
        let cells = ["\u{305}", "\u{30D}", "\u{30E}"].map { "\u{10EEEE}\u{305}" + $0 }.joined()
        #expect(text.contains("\u{1B}[2;3H\u{1B}[0;38;2;18;52;86m" + cells + "\u{1B}[0m"))
        #expect(text.contains("\u{1B}[3;3H\u{1B}[0;38;2;18;52;87m" + cells + "\u{1B}[0m"))
        #expect(text.components(separatedBy: "\u{1B}Ptmux;").count == 3)
    }
}
