import Glibc

/// A source that reads a file on disk. Each read gets only the next part of the file.
public final class FileByteSource: ByteSource {
    private let path: String
    private let descriptor: Int32

    /// - Throws: ``ByteSourceError/system(call:name:errno:)`` if the file cannot be opened.
    public init(path: String) throws(ByteSourceError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", name: path, errno: errno) }
    }

    deinit { close(descriptor) }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        try readOnce(descriptor, name: path, into: buffer)
    }

    public func rewind() throws(ByteSourceError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system(call: "lseek", name: path, errno: errno) }
    }
}

/// Calls `read(2)`. Repeats the call only if a signal interrupts it.
func readOnce(
    _ descriptor: Int32, name: String, into buffer: UnsafeMutableRawBufferPointer
) throws(ByteSourceError) -> Int {
    while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        guard errno == EINTR else { throw .system(call: "read", name: name, errno: errno) }
    }
}
