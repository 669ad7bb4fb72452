import Pixels
import TestSupport
import Testing

@Suite("Copies of GIF files for terminals that play them")
struct GIFCopyTests {
    private let gif = GIFBuilder(width: 3, height: 2, version: "GIF87a").loop(2).comment("a comment")
        .control(delay: 1, disposal: 2, transparent: 1).image(width: 3, height: 2, [0, 1, 2, 3, 2, 1])
        .image(x: 1, width: 2, height: 2, [3, 2, 1, 0], palette: GIFBuilder.fourColors.reversed(), interlaced: true)
        .control(delay: 300, disposal: 3).comment("another one").image(width: 1, height: 1, [2]).loop(7).trailer()

    @Test("A copy has the frames of the file, the given delays, and no end")
    func frames() throws {
        let delays = [10, 513, 0xFFFF]
        let copy = try #require(GIFCopy.repeating(gif.bytes, delays: delays))
        let reader = GIFReader(MemoryByteSource(copy))
        let frames = try reader.allFrames()
        #expect(reader.summary.loopCount == 0 && reader.summary.damage.isEmpty && reader.summary.version == "GIF89a")
        var wanted = try gif.reader().allFrames()
        for (number, delay) in delays.enumerated() { wanted[number].delay = delay }
        #expect(frames == wanted)
    }

    @Test("A file that is cut, or that has another number of frames, is not copied")
    func cut() {
        for count in 0..<gif.bytes.count {
            #expect(GIFCopy.repeating(Array(gif.bytes[..<count]), delays: [1, 1, 1]) == nil, "\(count) bytes")
        }
        #expect(GIFCopy.repeating(gif.bytes, delays: [1, 1]) == nil)
        #expect(GIFCopy.repeating(gif.bytes, delays: [1, 1, 1, 1]) == nil)
    }

    @Test("A file with blocks that decoders interpret differently is not copied")
    func ambiguous() {
        let image = GIFBuilder(width: 1, height: 1).image(width: 1, height: 1, [0])
        #expect(GIFCopy.repeating(image.trailer().bytes, delays: [1]) != nil)
        for gif in [image.plainText("a"), image.block(0xF9, [[0, 1, 0]]), image.raw([0x99])] {
            #expect(GIFCopy.repeating(gif.trailer().bytes, delays: [1]) == nil)
        }
    }
}
