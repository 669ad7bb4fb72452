/// A source that reads a descriptor whose bytes can be read only once, such as standard input.
///
/// The source buffers all bytes, up to a limit, because each pass reads them again.
public final class PipeByteSource: ByteSource {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var buffered: [UInt8] = []
    private var position = 0

    /// - Parameters:
    ///   - descriptor: the descriptor to read. The caller must close it.
    ///   - name: the name of the source in error messages.
    ///   - limit: the maximum number of bytes that are buffered. If the pipe delivers more bytes, reading fails.
    public init(descriptor: Int32, name: String, limit: Int) {
        self.descriptor = descriptor
        self.name = name
        self.limit = limit
    }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        if position == buffered.count {
            let count = try readOnce(descriptor, name: name, into: buffer)
            guard buffered.count + count <= limit else { throw .tooManyBytes(name: name, limit: limit) }
            buffered.append(contentsOf: buffer.prefix(count))
            position = buffered.count
            return count
        }
        return buffered.withUnsafeBytes { $0.copy(from: &position, into: buffer) }
    }

    public func rewind() { position = 0 }
}
