/// A source of a GIF's bytes: a file, memory, a pipe, or a download in progress.
///
/// Only one thread at a time can read a source. giflib treats a short read as the end of the file, so ``read(into:)``
/// blocks until bytes arrive if the source is still growing.
public protocol ByteSource: AnyObject {
    /// Blocks until at least one byte is available or the source ends.
    /// - Returns: the number of bytes; 0 only at the end of the source.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int

    func rewind() throws(GIFError)
}

extension UnsafeRawBufferPointer {
    /// Copies as many bytes as fit into `buffer`. Advances `position` by the number of bytes, and returns it.
    func copy(from position: inout Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: self[position...].prefix(buffer.count))
        buffer.copyMemory(from: part)
        position += part.count
        return part.count
    }
}

public final class MemoryByteSource: ByteSource {
    private let bytes: UnsafeRawBufferPointer
    private let isOwner: Bool
    private var position = 0

    /// Does not copy the bytes.
    /// - Parameter bytes: must stay valid and unchanged during the lifetime of the source, as the built-in samples do.
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

    deinit { if isOwner { bytes.deallocate() } }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
        bytes.copy(from: &position, into: buffer)
    }

    public func rewind() { position = 0 }
}
