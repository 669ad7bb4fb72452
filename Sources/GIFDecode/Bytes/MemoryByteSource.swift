public final class MemoryByteSource: ByteSource {
    private let bytes: UnsafeRawBufferPointer
    private let isOwner: Bool
    private var position = 0

    /// Creates a source that does not copy the bytes.
    /// - Parameter bytes: must stay valid and unchanged during the lifetime of the source. The built-in samples fulfil
    ///   this condition.
    public init(borrowing bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        isOwner = false
    }

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
        bytes.copy(from: &position, into: buffer)
    }

    public func rewind() { position = 0 }
}
