/// Follows the blocks of a GIF whose bytes arrive in pieces of any length. Keeps no bytes and skips the contents of
/// blocks, so its work is proportional to the numbers of pieces and sub-blocks.
public struct BlockWalk: Sendable {
    public enum Kind: Sendable {
        case animated
        case still
    }

    /// In bytes after the first image. If no second image begins until then, the GIF counts as a still.
    public static let searchLimit = 64 << 10

    /// Nil if more bytes are needed to tell.
    public private(set) var kind: Kind?
    /// The length of the GIF up to and including its trailer; nil until the trailer has arrived. Decoders read no
    /// further, so all later bytes are without meaning.
    public private(set) var length: Int?

    private enum Expected {
        case screenFlags, block, label, imageFlags, subBlock, nothing
    }

    private var expected = Expected.screenFlags
    /// The number of bytes before the expected one.
    private var skip = 10
    private var count = 0
    private var images = 0
    private var firstImageEnd: Int?

    public init() {}

    public init(_ file: [UInt8]) { file.withUnsafeBytes { add($0) } }

    public mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while expected != .nothing {
            let step = min(skip, bytes.count - index)
            (index, skip) = (index + step, skip - step)
            guard index < bytes.count else { break }
            read(bytes[index], at: count + index)
            index += 1
        }
        count += bytes.count
        if kind == nil, let firstImageEnd, count - firstImageEnd > Self.searchLimit { kind = .still }
    }

    private mutating func read(_ byte: UInt8, at position: Int) {
        let palette = byte & 0x80 == 0 ? 0 : 3 << (Int(byte & 7) + 1)
        switch expected {
        case .screenFlags: (expected, skip) = (.block, 2 + palette)
        // The code size is after the palette.
        case .imageFlags: (expected, skip) = (.subBlock, palette + 1)
        case .label: expected = .subBlock
        case .subBlock where byte > 0: skip = Int(byte)
        case .subBlock:
            expected = .block
            if images == 1 { firstImageEnd = firstImageEnd ?? position + 1 }
        case .block: beginBlock(byte, at: position)
        case .nothing: break
        }
    }

    private mutating func beginBlock(_ byte: UInt8, at position: Int) {
        switch byte {
        case 0x21: expected = .label
        case 0x2C:
            images += 1
            if images == 2 { kind = kind ?? .animated }
            (expected, skip) = (.imageFlags, 8)
        // The trailer or an unknown block. Decoders draw nothing after such a block.
        default:
            expected = .nothing
            kind = kind ?? .still
            if byte == 0x3B { length = position + 1 }
        }
    }
}
