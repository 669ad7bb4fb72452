import Pixels
import Testing

@Suite struct BlockWalkTests {
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

    /// Passes pieces of this length to a walk. Returns the first kind that it reports, with the number of bytes before.
    private func firstKind(_ bytes: [UInt8], step: Int = 1) -> (kind: BlockWalk.Kind?, count: Int) {
        var walk = BlockWalk()
        for start in stride(from: 0, to: bytes.count, by: step) {
            let piece = Array(bytes[start..<min(start + step, bytes.count)])
            piece.withUnsafeBytes { walk.add($0) }
            if walk.kind != nil { return (walk.kind, start + piece.count) }
        }
        return (nil, bytes.count)
    }

    @Test("A file counts as animated when its second image descriptor is reached, and not before")
    func animated() {
        let start = Self.header + Self.comment + Self.control + Self.image(1_000) + Self.comment + Self.control
        let whole = start + Self.image(1_000) + [0x3B]
        let (kind, count) = firstKind(whole)
        #expect(kind == .animated && count == start.count + 1)
    }

    @Test("A file counts as a still if it ends after one image, or if no second image follows within 64 KiB")
    func still() {
        let first = Self.header + Self.image(300_000)
        #expect(firstKind(first + [0x3B], step: 997).kind == .still)
        let long =
            first + (0..<400).flatMap { _ in [UInt8(0x21), 0xFE, 250] + [UInt8](repeating: 1, count: 250) + [0] }
        let (kind, count) = firstKind(long + Self.image(10), step: 997)
        #expect(kind == .still)
        let limit = first.count + BlockWalk.searchLimit
        #expect((limit..<limit + 1_000).contains(count))
    }

    @Test("A file that is truncated within or after its first image is neither animated nor a still")
    func cut() {
        #expect(firstKind(Self.header + Self.image(1_000).prefix(500)).kind == nil)
        #expect(firstKind(Self.header + Self.image(1_000)).kind == nil)
        #expect(firstKind([]).kind == nil)
    }

    @Test(
        "The trailer is found between blocks, not in their contents and not after an unknown block",
        arguments: [1, 3, 254, 100_000])
    func trailer(step: Int) {
        func length(_ bytes: [UInt8]) -> Int? {
            var walk = BlockWalk()
            for start in stride(from: 0, to: bytes.count, by: step) {
                Array(bytes[start..<min(start + step, bytes.count)]).withUnsafeBytes { walk.add($0) }
            }
            return walk.length
        }
        let file = Self.header + Self.comment + Self.control + Self.image(1_000) + Self.control + Self.image(300)
        #expect(length(file) == nil)
        #expect(length(file + [0x3B]) == file.count + 1)
        #expect(length(file + [0x3B] + file + [0x3B, 0x3B]) == file.count + 1)
        #expect(length(file + [0x00, 0x3B]) == nil)
        #expect(length(Self.header + [0x3B]) == Self.header.count + 1)
        #expect(length([UInt8](repeating: 0x3B, count: 10)) == nil)
    }
}
