/// Where a GIF's bytes come from: a file, memory, a pipe, or a download in progress.
///
/// Read from one thread at a time. A source that is still growing waits inside ``read(into:)``,
/// because giflib takes a short read for the end.
public protocol ByteSource: AnyObject {
    /// Fills as much of `buffer` as is at hand, at least one byte.
    /// - Returns: how many bytes; 0 only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int

    /// Back to the first byte.
    func rewind() throws(ByteSourceError)
}

extension UnsafeRawBufferPointer {
    /// Copies what lies from `position` on into `buffer`, as much as fits, and moves `position` behind it.
    /// - Returns: how many bytes.
    func copy(from position: inout Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = UnsafeRawBufferPointer(rebasing: self[position...].prefix(buffer.count))
        buffer.copyMemory(from: part)
        position += part.count
        return part.count
    }
}

/// Why bytes could not be had.
public enum ByteSourceError: Error, Equatable, Sendable {
    /// A system call on `name` failed with `errno`.
    case system(call: String, name: String, errno: Int32)
    /// More came through a pipe than is kept for playing it again.
    case tooMany(name: String, limit: Int)
    /// Whoever fed the source gave up, for this reason.
    case interrupted(String)
}
