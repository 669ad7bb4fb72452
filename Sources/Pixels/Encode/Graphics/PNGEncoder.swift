import CZlib

/// Encodes pixels as PNG files: with a palette if they have at most 256 colours, otherwise as RGB or RGBA. Reuses the
/// memory of the compressor, of the samples and of the file.
///
/// The rows are not filtered, because filters saved at most 8 percent on average over five scaled GIFs.
final class PNGEncoder {
    private let deflater = Deflater()
    private var file = ByteBuffer()
    /// The rows of samples. Each row begins with the number of its filter, 0.
    private var samples: [UInt8] = []

    private var palette = ColorTable()

    /// Returns the file; nil if zlib fails. The result is valid until the next call.
    func encode(_ pixels: UnsafeBufferPointer<CellColor>, _ size: PixelSize) -> UnsafeBufferPointer<UInt8>? {
        let isOpaque = pixels.allSatisfy { $0.isColor }
        let hasPalette = fillIndices(pixels, width: size.width, isOpaque: isOpaque)
        let channels = hasPalette ? 1 : isOpaque ? 3 : 4
        if !hasPalette { fillChannels(pixels, width: size.width, channels: channels) }
        let count = size.height * (1 + size.width * channels)
        guard let data = samples.withUnsafeBufferPointer({ deflater?.compress(.init(rebasing: $0[..<count])) }) else {
            return nil
        }
        file.removeAll()
        for byte in Self.signature { file.append(byte) }
        // The numbers of the colour types: 3 has a palette, 2 is RGB, and 6 is RGBA.
        let colorType: UInt8 = hasPalette ? 3 : isOpaque ? 2 : 6
        appendChunk("IHDR", Self.bytes(size.width) + Self.bytes(size.height) + [8, colorType, 0, 0, 0])
        if hasPalette {
            let colors = palette.colors.map { $0.isColor ? Int($0.bits) : 0 }
            appendChunk("PLTE", colors.flatMap { Self.bytes($0).dropFirst() })
            // The transparent colour is the first one, so the alpha values of the others can be omitted.
            if !isOpaque { appendChunk("tRNS", [0]) }
        }
        appendChunk("IDAT", data)
        appendChunk("IEND", [])
        return file.bytes.bindMemory(to: UInt8.self)
    }

    private static let signature = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)

    private static func bytes(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private func appendChunk(_ type: StaticString, _ data: some Collection<UInt8>) {
        for byte in Self.bytes(data.count) { file.append(byte) }
        let start = file.count
        file.append(type)
        if data.withContiguousStorageIfAvailable({ file.append(UnsafeRawBufferPointer($0)) }) == nil {
            for byte in data { file.append(byte) }
        }
        for byte in Self.bytes(Deflater.crc(file.bytes[start...])) { file.append(byte) }
    }

    // MARK: - Samples

    /// Fills ``samples``.
    /// - Parameter set: sets the sample of a colour; returns false to end.
    /// - Returns: whether all samples are set.
    @inline(__always)
    private func fill(
        _ pixels: UnsafeBufferPointer<CellColor>, width: Int, channels: Int,
        _ set: (UnsafeMutablePointer<UInt8>, CellColor) -> Bool
    ) -> Bool {
        let count = pixels.count / width * (1 + width * channels)
        if samples.count < count { samples = Array(repeating: 0, count: count) }
        return samples.withUnsafeMutableBufferPointer { samples in
            guard var sample = samples.baseAddress else { return true }
            for (number, pixel) in pixels.enumerated() {
                if number % width == 0 {
                    sample.pointee = 0
                    sample += 1
                }
                guard set(sample, pixel) else { return false }
                sample += channels
            }
            return true
        }
    }

    private func fillChannels(_ pixels: UnsafeBufferPointer<CellColor>, width: Int, channels: Int) {
        _ = fill(pixels, width: width, channels: channels) { sample, pixel in
            let bits = pixel.isColor ? pixel.bits : 0
            for channel in 0..<3 { sample[channel] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * channel)) }
            if channels == 4 { sample[3] = pixel.isColor ? 255 : 0 }
            return true
        }
    }

    /// Fills ``samples`` with the numbers of palette colours.
    /// - Returns: false if there are more than 256 colours.
    private func fillIndices(_ pixels: UnsafeBufferPointer<CellColor>, width: Int, isOpaque: Bool) -> Bool {
        palette.removeAll()
        func index(_ color: CellColor) -> UInt8? { palette.number(of: color, key: color.bits, limit: 256) }
        if !isOpaque { _ = index(.terminalDefault) }
        var previous = (color: CellColor.unknown, index: UInt8(0))
        return fill(pixels, width: width, channels: 1) { sample, pixel in
            if pixel != previous.color {
                guard let index = index(pixel.isColor ? pixel : .terminalDefault) else { return false }
                previous = (pixel, index)
            }
            sample.pointee = previous.index
            return true
        }
    }
}

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
