import Pixels
import TestSupport
import Testing

/// Tests how valid files are read.
@Suite("Reading a GIF")
struct GIFReaderTests {
    @Test("The decoded pixels equal the encoded pixels", arguments: 2...8, [1, 7, 255])
    func pixels(codeSize: Int, subBlock: Int) throws {
        var random = SeededRandom(UInt64(codeSize * 1000 + subBlock))
        let colors = (0..<1 << codeSize).map { _ in CellColor.random(using: &random) }
        // Mix runs and noise, so that the LZW table fills and is cleared several times.
        var indices: [UInt8] = []
        while indices.count < 150 * 120 {
            let index = UInt8.random(in: 0...UInt8(colors.count - 1), using: &random)
            let run = Bool.random(using: &random) ? 1 : Int.random(in: 1...40, using: &random)
            indices += Array(repeating: index, count: min(run, 150 * 120 - indices.count))
        }
        let gif = GIFBuilder(width: 150, height: 120, palette: colors)
            .image(width: 150, height: 120, indices, codeSize: codeSize, subBlock: subBlock).trailer()
        let reader = gif.reader()
        let frames = try reader.allFrames()
        #expect(frames.map(\.decoded) == [indices])
        #expect(
            frames.first?.colors
                == indices.map { index in
                    let color = colors[Int(index)]
                    return RGBA(red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
                })
        #expect(reader.summary.damage.isEmpty)
        #expect(reader.summary.bytes == gif.bytes.count)
    }

    @Test("The position, delay, disposal method and transparent index of a frame are read")
    func description() throws {
        let reader = GIFBuilder(width: 9, height: 8, version: "GIF87a")
            .control(delay: 0x0123, disposal: 3, transparent: 2)
            .image(x: 3, y: 4, width: 2, height: 3, [0, 1, 2, 3, 0, 1], interlaced: true).trailer().reader()
        let frame = try #require(try reader.allFrames().first)
        #expect(frame.rect == PixelRect(x: 3, y: 4, width: 2, height: 3))
        #expect(frame.delay == 0x0123)
        #expect(frame.disposal == .restore)
        #expect(frame.transparentIndex == 2)
        #expect(frame.isInterlaced)
        #expect(frame.decoded == [0, 1, 0, 1, 2, 3])
        #expect(frame.canvas == PixelSize(width: 9, height: 8))
        #expect(reader.summary.version == "GIF87a")
    }

    @Test(
        "Delays of 0 and 10 ms play as 100 ms, and other delays do not change",
        arguments: [
            (0, 100), (1, 100), (2, 20), (3, 30), (10, 100), (65535, 655_350),
        ])
    func delays(centiseconds: Int, milliseconds: Int64) throws {
        let reader = GIFBuilder(width: 1, height: 1).frame(1, delay: centiseconds, width: 1, height: 1).reader()
        let frame = IndexedFrame()
        #expect(try reader.next(into: frame))
        #expect(frame.playNanoseconds == milliseconds * 1_000_000)
    }

    @Test("A local palette applies only to its frame")
    func localPalette() throws {
        let swapped = [GIFBuilder.fourColors[3], GIFBuilder.fourColors[2]]
        let pictures = try GIFBuilder(width: 2, height: 1)
            .image(width: 2, height: 1, [0, 1]).image(width: 2, height: 1, [0, 1], palette: swapped)
            .image(width: 2, height: 1, [0, 1]).trailer().reader().pictures()
        #expect(pictures == [["kr"], ["bg"], ["kr"]])
    }

    @Test("A control extension applies only to the next image")
    func controlIsUsedUp() throws {
        let frames = try GIFBuilder(width: 1, height: 1)
            .control(delay: 50, disposal: 2, transparent: 1).image(width: 1, height: 1, [0])
            .image(width: 1, height: 1, [1]).trailer().reader().allFrames()
        #expect(frames.map(\.delay) == [50, 0])
        #expect(frames.map(\.disposal) == [.clear, .keep])
        #expect(frames.map(\.transparentIndex) == [1, -1])
    }

    @Test("If two control extensions precede an image, the last one applies")
    func twoControls() throws {
        let frames = try GIFBuilder(width: 1, height: 1)
            .control(delay: 50, transparent: 1).control(delay: 7).image(width: 1, height: 1, [0]).reader().allFrames()
        #expect(frames.map(\.delay) == [7])
        #expect(frames.map(\.transparentIndex) == [-1])
    }

    @Test("A control extension before a plain-text extension does not apply to the next image")
    func plainText() throws {
        let frames = try GIFBuilder(width: 1, height: 1).control(delay: 50, transparent: 1).plainText("hello")
            .image(width: 1, height: 1, [0]).trailer().reader().allFrames()
        #expect(frames.map(\.delay) == [0])
        #expect(frames.map(\.transparentIndex) == [-1])
    }

    @Test("A comment between a control extension and its image changes nothing")
    func comment() throws {
        let reader = GIFBuilder(width: 1, height: 1).comment("before").control(delay: 50).comment("between")
            .image(width: 1, height: 1, [0]).comment("after").trailer().reader()
        #expect(try reader.allFrames().map(\.delay) == [50])
        #expect(reader.summary.damage.isEmpty)
    }

    @Test("A reader that is rewound from the middle or the end returns the same frames again")
    func rewinding() throws {
        let reader = GIFBuilder(width: 2, height: 1).loop(3)
            .control(delay: 5, disposal: 2).image(width: 2, height: 1, [1, 2])
            .control(delay: 6).image(x: 1, width: 1, height: 1, data: [1])
            .image(width: 2, height: 1, [3, 0], palette: [.black, .black]).trailer().reader()
        let first = try reader.allFrames()
        let summary = reader.summary
        #expect(first.count == 3)
        try reader.rewind()
        #expect(try reader.allFrames() == first)
        #expect(reader.summary == summary)
        try reader.rewind()
        #expect(try reader.next(into: IndexedFrame()))
        try reader.rewind()
        #expect(try reader.allFrames() == first)
        #expect(reader.summary == summary)
    }

    @Test("If a file changes before a rewind, its new content is read")
    func changed() throws {
        let old = GIFBuilder(width: 2, height: 1).image(width: 2, height: 1, [1, 2]).trailer().bytes
        let new = GIFBuilder(width: 1, height: 1, version: "GIF87a").image(width: 1, height: 1, [3]).trailer().bytes
        let source = ChangingByteSource(old)
        let reader = GIFReader(source)
        #expect(try reader.allFrames().map(\.decoded) == [[1, 2]])
        source.bytes = new
        try reader.rewind()
        #expect(try reader.allFrames().map(\.decoded) == [[3]])
        #expect(reader.summary.version == "GIF87a" && reader.summary.damage.isEmpty)
        #expect(reader.summary.bytes == new.count)
        source.bytes = Array("GIF8".utf8)
        try reader.rewind()
        #expect(throws: GIFError.headerCut) { try reader.allFrames() }
        source.bytes = old
        try reader.rewind()
        #expect(try reader.allFrames().map(\.decoded) == [[1, 2]])
    }

    @Test("No frame is returned after the last frame")
    func ended() throws {
        let reader = GIFBuilder(width: 1, height: 1).image(width: 1, height: 1, [0]).trailer().reader()
        #expect(try reader.allFrames().count == 1)
        #expect(try !reader.next(into: IndexedFrame()))
    }
}

/// A source whose bytes can change, like a file that is overwritten.
private final class ChangingByteSource: ByteSource {
    var bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = bytes[position...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        position += part.count
        return part.count
    }

    func rewind() { position = 0 }
}
