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
