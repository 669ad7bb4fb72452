import TestSupport
import Testing

@testable import Pixels

@Suite("Decode limits")
struct DecodeLimitsTests {
    private let head = GIFBuilder(width: 4, height: 4)
    private let gray: [UInt8] = Array(repeating: 1, count: 16)

    private func limits(_ change: (inout DecodeLimits) -> Void) -> DecodeLimits {
        var limits = DecodeLimits()
        change(&limits)
        return limits
    }

    @Test("A canvas with more pixels than the limit is refused")
    func canvas() {
        let reader = GIFBuilder(width: 65535, height: 65535).image(width: 1, height: 1, [0]).reader()
        let size = PixelSize(width: 65535, height: 65535)
        #expect(throws: GIFError.canvasTooLarge(size, limit: 4096 * 4096)) { try reader.allFrames() }
    }

    @Test("A canvas at the limit is accepted")
    func canvasAtLimit() throws {
        let reader = head.image(width: 4, height: 4, gray).trailer().reader(limits { $0.canvasPixels = 16 })
        #expect(try reader.allFrames().count == 1)
    }

    @Test("A frame with more pixels than the limit is skipped, and the next frame plays")
    func frameArea() throws {
        let reader = head.image(width: 5, height: 4, gray + [1, 1, 1, 1]).image(width: 4, height: 4, gray).trailer()
            .reader(limits { $0.canvasPixels = 16 })
        let frames = try reader.allFrames()
        #expect(frames.map(\.decoded) == [[], gray])
        let kind = Damage.Kind.frameTooLarge(PixelSize(width: 5, height: 4), limit: 16)
        #expect(reader.summary.damage == [Damage(frame: 0, kind: kind)])
    }

    @Test("Frames beyond the maximum number are not decoded, and the limit is reported")
    func frames() throws {
        let reader = (0..<5).reduce(head) { gif, _ in gif.image(width: 1, height: 1, [1]) }.trailer()
            .reader(limits { $0.frames = 3 })
        #expect(try reader.allFrames().count == 3)
        #expect(reader.summary.damage == [Damage(frame: 3, kind: .overLimit(.frames(3)))])
    }

    @Test("A file with exactly the maximum number of frames is not reported as damaged")
    func framesAtLimit() throws {
        let reader = head.image(width: 1, height: 1, [1]).trailer().reader(limits { $0.frames = 1 })
        #expect(try reader.allFrames().count == 1)
        #expect(reader.summary.damage.isEmpty)
    }

    @Test("Reading stops at the byte limit")
    func bytes() throws {
        let noise = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 57 ^ $0 >> 2) }
        let gif = (0..<400).reduce(GIFBuilder(width: 20, height: 10)) { gif, _ in
            gif.image(width: 20, height: 10, noise)
        }
        let reader = gif.trailer().reader(limits { $0.bytes = 20_000 })
        let count = try reader.allFrames().count
        #expect(count > 0 && count < 400)
        #expect(reader.summary.damage.last?.kind == .overLimit(.bytes(20_000)))
        #expect(reader.summary.bytes < 20_000 + 16_384 + 1)
    }

    @Test("Decoding stops if a small file expands to too many pixels")
    func bomb() throws {
        let zeros = Array(repeating: UInt8(0), count: 500 * 500)
        let gif = (0..<8).reduce(GIFBuilder(width: 500, height: 500)) { gif, _ in
            gif.image(width: 500, height: 500, zeros)
        }
        let limits = limits {
            $0.totalPixels = 500_000
            $0.pixelsPerByte = 10
        }
        let reader = gif.trailer().reader(limits)
        #expect((1..<8).contains(try reader.allFrames().count))
        #expect(reader.summary.damage.last?.kind == .overLimit(.totalPixels(500_000)))
    }

    @Test("Rewinding resets the count of decoded pixels")
    func bombRewound() throws {
        let reader = head.image(width: 4, height: 4, gray).trailer().reader(
            limits {
                $0.totalPixels = 20
                $0.pixelsPerByte = 0
            })
        for _ in 0..<4 {
            #expect(try reader.allFrames().count == 1)
            try reader.rewind()
        }
    }

    @Test("A long file plays completely if it has few pixels per byte")
    func longFile() throws {
        let gif = (0..<50).reduce(head) { gif, _ in gif.image(width: 4, height: 4, gray) }
        let reader = gif.trailer().reader(limits { $0.totalPixels = 16 })
        #expect(try reader.allFrames().count == 50)
    }

    @Test("By default, nothing limits all frames together")
    func noTotal() throws {
        let (reader, frame) = (GIFBuilder.long(frames: 20).reader(), IndexedFrame())
        while try reader.next(into: frame) { #expect(frame.decodedCount == 4_096 * 4_096) }
        #expect(reader.summary.frames == 20 && reader.summary.damage.isEmpty)
    }

    @Test("Beyond a limit, the blocks are read on without decoding, in each pass")
    func skipped() throws {
        let gif = (0..<5).reduce(head) { gif, number in gif.control(delay: number).image(width: 4, height: 4, gray) }
        let reader = gif.trailer().reader(
            limits {
                $0.totalPixels = 40
                $0.pixelsPerByte = 0
                $0.skipsExcess = true
            })
        for _ in 0..<2 {
            let frames = try reader.allFrames()
            #expect(frames.map(\.decoded.count) == [16, 16, 0, 0, 0] && frames.map(\.delay) == [0, 1, 2, 3, 4])
            #expect(reader.excess == .totalPixels(40) && reader.summary.damage.isEmpty)
            try reader.rewind()
        }
    }

    @Test("At most 100 damage entries are recorded")
    func damages() throws {
        let gif = (0..<300).reduce(head) { gif, _ in gif.image(width: 4, height: 4, data: [0]) }
        let reader = gif.trailer().reader()
        #expect(try reader.allFrames().count == 300)
        #expect(reader.summary.damage.count == 100)
    }
}
