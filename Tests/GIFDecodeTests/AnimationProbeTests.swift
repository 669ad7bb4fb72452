import GIFDecode
import Testing

@Suite struct AnimationProbeTests {
    private static let header = Array("GIF89a".utf8) + [4, 0, 4, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    private static let comment: [UInt8] = [0x21, 0xFE, 3, 0x61, 0x2C, 0x3B, 0]
    private static let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]

    /// Returns an image with a local palette and `count` bytes of data in sub-blocks.
    private static func image(_ count: Int) -> [UInt8] {
        var blocks: [UInt8] = []
        var left = count
        while left > 0 {
            let size = min(255, left)
            // The data consists of 0x2C and 0x3B. Outside image data, 0x2C begins an image, and 0x3B is the trailer.
            blocks += [UInt8(size)] + [UInt8](repeating: left % 2 == 0 ? 0x2C : 0x3B, count: size)
            left -= size
        }
        return [0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0x80] + [1, 2, 3, 4, 5, 6] + [2] + blocks + [0]
    }

    /// Passes prefixes of increasing length to the probe. Returns the first outcome and the length of the prefix that
    /// caused it.
    private func firstVerdict(_ bytes: [UInt8], step: Int = 1) -> (outcome: AnimationProbe.Outcome?, count: Int) {
        for count in stride(from: 0, through: bytes.count, by: step) {
            let outcome = AnimationProbe.outcome(of: Array(bytes[..<count]), isEnd: false)
            if outcome != nil { return (outcome, count) }
        }
        return (AnimationProbe.outcome(of: bytes, isEnd: true), bytes.count)
    }

    @Test("A file counts as animated when its second image descriptor is reached, and not before")
    func animated() {
        let start = Self.header + Self.comment + Self.control + Self.image(1_000) + Self.comment + Self.control
        let whole = start + Self.image(1_000) + [0x3B]
        let (outcome, count) = firstVerdict(whole)
        #expect(outcome == .animated && count == start.count + 1)
    }

    @Test("A file counts as a still if it ends after one image, or if no second image follows within 64 KiB")
    func still() {
        let first = Self.header + Self.image(300_000)
        #expect(firstVerdict(first + [0x3B], step: 997).outcome == .still)
        #expect(firstVerdict(first, step: 997).outcome == .still)
        let long =
            first + (0..<400).flatMap { _ in [UInt8(0x21), 0xFE, 250] + [UInt8](repeating: 1, count: 250) + [0] }
        let (outcome, count) = firstVerdict(long + Self.image(10), step: 997)
        #expect(outcome == .still)
        let limit = first.count + AnimationProbe.searchLimit
        #expect((limit..<limit + 1_000).contains(count))
    }

    @Test("A file that is truncated within its first image counts as a still")
    func cut() {
        #expect(firstVerdict(Self.header + Self.image(1_000).prefix(500)).outcome == .still)
        #expect(firstVerdict([]).outcome == .still)
    }
}
