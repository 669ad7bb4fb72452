/// A source of a GIF's bytes: a file, memory, a pipe, or a download in progress.
///
/// A source must be read from one thread at a time. If a source is still growing, ``read(into:)`` blocks until bytes
/// arrive, because giflib treats a short read as the end.
public protocol ByteSource: AnyObject {
    /// Reads the available bytes into `buffer`. Blocks until at least one byte is available or the source ends.
    /// - Returns: the number of bytes; 0 only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int

    /// Sets the position to the first byte, so that the next read returns the first bytes again.
    func rewind() throws(ByteSourceError)
}

extension UnsafeRawBufferPointer {
    /// Copies the bytes that start at `position` into `buffer`, as many as fit. Advances `position` by their number.
    /// - Returns: the number of bytes copied.
    func copy(from position: inout Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: self[position...].prefix(buffer.count))
        buffer.copyMemory(from: part)
        position += part.count
        return part.count
    }
}

/// The reason for a failed read of a ``ByteSource``.
public enum ByteSourceError: Error, Equatable, Sendable {
    /// The system call `call` on the file `name` failed with the error `errno`.
    case system(call: String, name: String, errno: Int32)
    /// A pipe delivered more than `limit` bytes, which is the size of the buffer that allows a GIF to loop.
    case tooManyBytes(name: String, limit: Int)
    /// The producer that appends bytes to the source failed for this reason.
    case interrupted(String)
}
