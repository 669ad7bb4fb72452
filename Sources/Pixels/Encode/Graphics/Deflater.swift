import CZlib

/// Compresses blocks of bytes with zlib. Reuses the memory of the compressor and of the output.
final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private var output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

    /// The default. Higher levels save only a few bytes, but take several times as long.
    static let fastest: Int32 = 1

    /// - Returns: nil if zlib cannot allocate its memory.
    init?(level: Int32 = fastest) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit_(stream, level, ZLIB_VERSION, size) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Returns `bytes` as a zlib stream; nil if zlib fails. The result is valid until the next call.
    func compress(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard deflateReset(stream) == Z_OK else { return nil }
        let bound = Int(deflateBound(stream, UInt(bytes.count)))
        if output.count < bound {
            output.deallocate()
            output = .allocate(capacity: bound)
        }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        guard deflate(stream, Z_FINISH) == Z_STREAM_END else { return nil }
        return UnsafeBufferPointer(rebasing: output[..<(output.count - Int(stream.pointee.avail_out))])
    }

    /// The CRC-32 of `bytes`, as PNG uses it.
    static func crc(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes).bindMemory(to: UInt8.self)
        return Int(crc32(0, bytes.baseAddress, UInt32(bytes.count)))
    }
}
