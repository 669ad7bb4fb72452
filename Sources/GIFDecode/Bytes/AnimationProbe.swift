/// Detects whether a GIF is animated, so that a download can stop early if it is not.
///
/// A GIF is animated if a second image begins within ``searchLimit`` bytes after the first image.
public struct AnimationProbe: Sendable {
    public enum Outcome: Sendable {
        case animated
        case still
    }

    /// In bytes after the first image.
    public static let searchLimit = 64 << 10

    private enum Element {
        case header
        case block
        case subBlocks
    }

    private var element = Element.header
    private var position = 0
    /// The position after the first image's data; nil if that position is not known yet.
    private var firstEnd: Int?
    private var isInImage = false

    public init() {}

    /// Nil if the detection needs more bytes.
    /// - Parameters:
    ///   - bytes: the first bytes of the file, at least as many as in the previous call.
    ///   - isEnd: whether no more bytes will arrive. If true, the result is never nil.
    public mutating func outcome(of bytes: [UInt8], isEnd: Bool) -> Outcome? {
        while let size = size(bytes), position + size <= bytes.count {
            if let outcome = step(over: size, bytes) { return outcome }
        }
        if isEnd { return .still }
        if let firstEnd, bytes.count - firstEnd > Self.searchLimit { return .still }
        return nil
    }

    /// The size of the element at ``position``; nil if more bytes are needed to determine it.
    private func size(_ bytes: [UInt8]) -> Int? {
        func byte(_ offset: Int) -> UInt8? { position + offset < bytes.count ? bytes[position + offset] : nil }
        switch element {
        case .header: return byte(10).map { 13 + GIFCopy.tableSize($0) }
        case .block:
            switch byte(0) {
            case 0x21: return 2
            // An image consists of a descriptor, a palette and the code size, followed by its sub-blocks.
            case 0x2C: return firstEnd != nil ? 1 : byte(9).map { 11 + GIFCopy.tableSize($0) }
            case nil: return nil
            default: return 1
            }
        case .subBlocks: return byte(0).map { 1 + Int($0) }
        }
    }

    private mutating func step(over size: Int, _ bytes: [UInt8]) -> Outcome? {
        let first = bytes[position]
        position += size
        switch element {
        case .header: element = .block
        case .block:
            switch first {
            case 0x2C where firstEnd != nil: return .animated
            case 0x2C: isInImage = true
            case 0x21: break
            // The block is the trailer or an unknown block. Decoders draw nothing after such a block.
            default: return .still
            }
            element = .subBlocks
        case .subBlocks where first == 0:
            if isInImage { firstEnd = position }
            isInImage = false
            element = .block
        case .subBlocks: break
        }
        return nil
    }
}
