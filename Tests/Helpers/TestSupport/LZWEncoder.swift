/// An LZW encoder for GIF, written from the format specification and independent of any decoder.
public struct LZWEncoder {
    private let minimumCodeSize: Int
    private var table: [Int: Int] = [:]
    private var width = 0
    private var nextCode = 0
    private var accumulator = 0
    private var bits = 0
    private var bytes: [UInt8] = []

    private var clearCode: Int { 1 << minimumCodeSize }

    private init(minimumCodeSize: Int) {
        self.minimumCodeSize = minimumCodeSize
    }

    /// Returns the code stream of `indices`, from the clear code to the end code. It is not divided into sub-blocks.
    public static func encode(_ indices: [UInt8], minimumCodeSize: Int) -> [UInt8] {
        var encoder = LZWEncoder(minimumCodeSize: minimumCodeSize)
        encoder.run(indices)
        return encoder.bytes
    }

    /// Packs codes of equal width into bytes, for code streams that a correct encoder does not write.
    public static func pack(_ codes: [Int], width: Int) -> [UInt8] {
        var encoder = LZWEncoder(minimumCodeSize: width - 1)
        encoder.width = width
        for code in codes { encoder.emit(code) }
        if encoder.bits > 0 { encoder.bytes.append(UInt8(encoder.accumulator & 0xFF)) }
        return encoder.bytes
    }

    /// Returns a short code stream of `count` zeros. Each code stands for one zero more than the code before it.
    public static func zeros(_ count: Int) -> [UInt8] {
        var (encoder, remaining) = (LZWEncoder(minimumCodeSize: 2), count)
        encoder.reset()
        while remaining > 0 {
            encoder.emit(encoder.clearCode)
            encoder.reset()
            encoder.emit(0)
            var length = 1
            remaining -= length
            while remaining > 0, encoder.nextCode < 4094 {
                if encoder.nextCode == 1 << encoder.width { encoder.width += 1 }
                encoder.emit(encoder.nextCode)
                encoder.nextCode += 1
                length += 1
                remaining -= length
            }
        }
        return encoder.bytes + [UInt8(encoder.accumulator & 0xFF)]
    }

    private mutating func run(_ indices: [UInt8]) {
        reset()
        emit(clearCode)
        var prefix: Int?
        for index in indices {
            guard let known = prefix else {
                prefix = Int(index)
                continue
            }
            let key = known << 8 | Int(index)
            if let code = table[key] {
                prefix = code
            } else {
                emit(known)
                learn(key)
                prefix = Int(index)
            }
        }
        if let prefix {
            emit(prefix)
            // The decoder adds a table entry after this code too, so the end code can be one bit wider.
            if nextCode == 1 << width, width < 12 { width += 1 }
        }
        emit(clearCode + 1)
        if bits > 0 { bytes.append(UInt8(accumulator & 0xFF)) }
    }

    private mutating func reset() {
        table.removeAll()
        width = minimumCodeSize + 1
        nextCode = clearCode + 2
    }

    private mutating func learn(_ key: Int) {
        guard nextCode < 4096 else {
            emit(clearCode)
            return reset()
        }
        table[key] = nextCode
        if nextCode == 1 << width, width < 12 { width += 1 }
        nextCode += 1
    }

    private mutating func emit(_ code: Int) {
        accumulator |= code << bits
        bits += width
        while bits >= 8 {
            bytes.append(UInt8(accumulator & 0xFF))
            accumulator >>= 8
            bits -= 8
        }
    }
}
