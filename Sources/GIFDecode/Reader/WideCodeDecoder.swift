/// LZW image data of minimum code size 9 to 11, which giflib refuses: such files exist, and
/// browsers draw them. Sub-blocks in, indices out; a code's upper bits are of no use and drop.
struct WideCodeDecoder {
    private static let tableSize = 4096
    private static let mostBits = 12

    private let clear: Int
    private var bits: Int
    private var next: Int
    private var previous = -1
    private var accumulator = 0
    private var available = 0
    /// For each code the code before its last index, that index, and the string's length.
    private var prefixes = [Int16](repeating: -1, count: tableSize)
    private var suffixes = [UInt8](repeating: 0, count: tableSize)
    private var lengths = [Int](repeating: 1, count: tableSize)
    /// Nothing more can be decoded: the end code, or a code that nothing stands for.
    private(set) var isOver = false
    private(set) var count = 0

    /// - Parameter minimumCodeSize: 9 to 11; nil for others.
    init?(minimumCodeSize: Int) {
        guard (9...11).contains(minimumCodeSize) else { return nil }
        clear = 1 << minimumCodeSize
        bits = minimumCodeSize + 1
        next = clear + 2
        for code in 0..<clear { suffixes[code] = UInt8(truncatingIfNeeded: code) }
    }

    /// Decodes one sub-block into `indices`, behind what is there.
    mutating func take(
        _ block: UnsafeBufferPointer<UInt8>, into indices: UnsafeMutableBufferPointer<UInt8>, _ limit: Int
    ) {
        for byte in block {
            accumulator |= Int(byte) << available
            available += 8
            while available >= bits, !isOver, count < limit {
                let code = accumulator & ((1 << bits) - 1)
                accumulator >>= bits
                available -= bits
                takeCode(code, into: indices, limit)
            }
        }
    }

    private mutating func takeCode(_ code: Int, into indices: UnsafeMutableBufferPointer<UInt8>, _ limit: Int) {
        if code == clear {
            bits = clear.trailingZeroBitCount + 1
            next = clear + 2
            previous = -1
            return
        }
        let isKnown = code < clear || (code > clear + 1 && code < next)
        guard isKnown || (code == next && previous >= 0 && next < Self.tableSize) else {
            isOver = true
            return
        }
        if previous >= 0, next < Self.tableSize {
            prefixes[next] = Int16(previous)
            lengths[next] = lengths[previous] + 1
            suffixes[next] = firstIndex(of: isKnown ? code : previous)
            next += 1
            if next == 1 << bits, bits < Self.mostBits { bits += 1 }
        }
        write(code, into: indices, limit)
        previous = code
    }

    private func firstIndex(of code: Int) -> UInt8 {
        var code = code
        while prefixes[code] >= 0, code >= clear { code = Int(prefixes[code]) }
        return suffixes[code]
    }

    /// A string stands in the table from its end: it is written backwards.
    private mutating func write(_ code: Int, into indices: UnsafeMutableBufferPointer<UInt8>, _ limit: Int) {
        var code = code
        let length = lengths[code]
        for place in stride(from: count + length - 1, through: count, by: -1) {
            if place < limit { indices[place] = suffixes[code] }
            code = Int(prefixes[code])
        }
        count = min(limit, count + length)
    }
}
