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

/// A copy of a GIF file for a terminal that plays GIF files by itself.
public enum GIFCopy {
    /// Returns the first frames of a file, as many as fit into `limit` bytes with the trailer; nil if none does.
    public static func cut(_ file: [UInt8], limit: Int) -> [UInt8]? {
        guard file.count > limit else { return file }
        var blocks = BlockReader(Array(file.prefix(limit - 1)))
        guard blocks.takeHead() != nil else { return nil }
        var end: Int?
        while let kind = blocks.take(1)?.first {
            guard kind == 0x2C ? blocks.takeImage() != nil : blocks.take(1) != nil && blocks.takeSubBlocks() != nil
            else { break }
            if kind == 0x2C { end = blocks.rest.startIndex }
        }
        return end.map { file[..<$0] + [0x3B] }
    }

    /// Returns a copy with other delays that is repeated without end. It contains no comments.
    /// - Parameter delays: the delay of each frame in hundredths of a second, up to 65,535.
    /// - Returns: nil unless the file is complete and has exactly these frames.
    public static func repeating(_ file: [UInt8], delays: [Int]) -> [UInt8]? {
        var blocks = BlockReader(file)
        guard let head = blocks.takeHead() else { return nil }
        var copy = Array("GIF89a".utf8) + head[6...]
        copy += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let noControl: [UInt8] = [4, 0, 0, 0, 0, 0]
        var (control, frames) = (noControl, 0)
        while let kind = blocks.take(1)?.first {
            switch kind {
            case 0x21:
                guard let code = blocks.take(1)?.first, let content = blocks.takeSubBlocks() else { return nil }
                // Decoders disagree about the frame to which a control extension before a plain text applies.
                if code == 0x01 || code == 0xF9 && content.count != noControl.count { return nil }
                if code == 0xF9 { control = Array(content) }
            case 0x2C:
                guard frames < delays.count, let image = blocks.takeImage() else { return nil }
                control[2] = UInt8(truncatingIfNeeded: delays[frames])
                control[3] = UInt8(truncatingIfNeeded: delays[frames] >> 8)
                copy += [0x21, 0xF9] + control + [0x2C] + image
                (control, frames) = (noControl, frames + 1)
            case 0x3B: return frames == delays.count ? copy + [0x3B] : nil
            default: return nil
            }
        }
        return nil
    }
}

/// Divides a GIF file into its blocks, without decoding them. Each method returns nil if the block is not complete.
struct BlockReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ file: [UInt8]) { rest = file[...] }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The signature, the screen descriptor and the global palette.
    mutating func takeHead() -> ArraySlice<UInt8>? { take(size: 13, flags: 10) }

    /// The rest of an image after its first byte, 0x2C.
    mutating func takeImage() -> ArraySlice<UInt8>? {
        let start = rest
        // The descriptor, the palette and the code size precede the pixels.
        guard take(size: 9, flags: 8) != nil, take(1) != nil, takeSubBlocks() != nil else { return nil }
        return start[..<rest.startIndex]
    }

    /// The sub-blocks up to and including the empty one that ends them.
    mutating func takeSubBlocks() -> ArraySlice<UInt8>? {
        let start = rest
        while let size = take(1)?.first, take(Int(size)) != nil {
            if size == 0 { return start[..<rest.startIndex] }
        }
        return nil
    }

    /// Takes a descriptor and the palette after it.
    /// - Parameter flags: the position of the descriptor's flags.
    private mutating func take(size: Int, flags: Int) -> ArraySlice<UInt8>? {
        guard let flags = rest.dropFirst(flags).first else { return nil }
        return take(size + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)))
    }
}
