/// The bytes of a descriptor that can be read only once, such as standard input.
///
/// It buffers the bytes up to a limit, because a GIF that loops is read again.
public final class PipeByteSource: ByteSource {
    private let descriptor: Int32
    private let name: String
    private let limit: Int
    private var buffered: [UInt8] = []
    private var position = 0

    /// - Parameters:
    ///   - descriptor: belongs to the caller; it is not closed here.
    ///   - name: the name for error messages.
    ///   - limit: the most bytes that are buffered. More bytes are an error.
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
