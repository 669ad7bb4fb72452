/// Bytes that lie in memory.
public final class MemoryByteSource: ByteSource {
    private let bytes: UnsafeRawBufferPointer
    private let isOwner: Bool
    private var position = 0

    /// - Parameter bytes: must stay as they are for the life of this object, as the carried
    ///   samples do.
    public init(borrowing bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        isOwner = false
    }

    /// Keeps a copy.
    public init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        self.bytes = UnsafeRawBufferPointer(copy)
        isOwner = true
    }

    deinit {
        if isOwner { bytes.deallocate() }
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        let count = min(buffer.count, bytes.count - position)
        guard count > 0 else { return 0 }
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        position += count
        return count
    }

    public func rewind() { position = 0 }
}
