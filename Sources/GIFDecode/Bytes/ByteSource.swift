/// A source of a GIF's bytes: a file, memory, a pipe, or a download in progress.
///
/// Read it from one thread at a time. A source that is still growing blocks in ``read(into:)``, because giflib treats a
/// short read as the end.
public protocol ByteSource: AnyObject {
    /// Reads the available bytes into `buffer`. Blocks until there is at least one.
    /// - Returns: the number of bytes; 0 only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int

    /// Goes back to the first byte.
    func rewind() throws(ByteSourceError)
}

extension UnsafeRawBufferPointer {
    /// Copies the bytes from `position` on into `buffer`, as many as fit, and advances `position`.
    /// - Returns: the number of bytes copied.
    func copy(from position: inout Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: self[position...].prefix(buffer.count))
        buffer.copyMemory(from: part)
        position += part.count
        return part.count
    }
}

/// The reason why bytes could not be read.
public enum ByteSourceError: Error, Equatable, Sendable {
    /// A system call on `name` failed with `errno`.
    case system(call: String, name: String, errno: Int32)
    /// A pipe delivered more bytes than are buffered for looping.
    case tooManyBytes(name: String, limit: Int)
    /// The feeder of the source failed for this reason.
    case interrupted(String)
}
