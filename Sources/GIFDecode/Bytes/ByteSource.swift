/// A source of a GIF's bytes: a file, memory, a pipe, or a download in progress.
///
/// Only one thread at a time can read a source. giflib treats a short read as the end of the file. Therefore
/// ``read(into:)`` blocks until bytes arrive if the source is still growing.
public protocol ByteSource: AnyObject {
    /// Reads the available bytes into `buffer`. Blocks until at least one byte is available or the source ends.
    /// - Returns: the number of bytes; 0 only at the end of the source.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int

    /// Sets the position to the first byte of the source.
    func rewind() throws(ByteSourceError)
}

extension UnsafeRawBufferPointer {
    /// Copies bytes from `position` on, as many as fit into `buffer`. Advances `position` by the number of bytes
    /// copied.
    /// - Returns: the number of bytes copied.
    func copy(from position: inout Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: self[position...].prefix(buffer.count))
        buffer.copyMemory(from: part)
        position += part.count
        return part.count
    }
}

public enum ByteSourceError: Error, Equatable, Sendable {
    /// The system call `call` on the file `name` failed with the error `errno`.
    case system(call: String, name: String, errno: Int32)
    case terminal(name: String)
    /// A pipe delivered more than `limit` bytes. The bytes of a pipe are buffered so that a GIF can loop, and `limit`
    /// is the maximum size of this buffer.
    case tooManyBytes(name: String, limit: Int)
    /// The producer of the bytes, for example a download, failed for this reason.
    case interrupted(String)
}

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
