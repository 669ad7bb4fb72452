/// A growable buffer of bytes for the terminal. The buffer keeps its capacity when its contents are removed.
public struct ByteBuffer: ~Copyable {
    public private(set) var count = 0
    private var capacity: Int
    private var base: UnsafeMutablePointer<UInt8>

    public init(capacity: Int = 4096) {
        self.capacity = max(16, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// The contents of the buffer. The pointer is valid until the next change of the buffer.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    public mutating func removeAll() { count = 0 }

    /// Ensures capacity for `extra` more bytes. The `append…Unchecked` methods require this capacity.
    public mutating func reserve(_ extra: Int) {
        guard count + extra > capacity else { return }
        capacity = max(capacity * 2, count + extra)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        grown.update(from: base, count: count)
        base.deallocate()
        base = grown
    }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    public mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    public mutating func append(_ text: String) { for byte in text.utf8 { append(byte) } }

    public mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    public mutating func appendDecimal(_ value: Int) {
        reserve(20)
        appendDecimalUnchecked(value)
    }

    // MARK: - Appending to reserved capacity

    @inline(__always)
    mutating func appendUnchecked(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    /// Appends the lowest `length` bytes of `packed`, lowest byte first. Requires capacity for four bytes.
    @inline(__always)
    mutating func appendUnchecked(packed: UInt32, length: Int) {
        UnsafeMutableRawPointer(base + count).storeBytes(of: packed, as: UInt32.self)
        count += length
    }

    @inline(__always)
    mutating func replaceLastUnchecked(with byte: UInt8) { base[count - 1] = byte }

    mutating func appendDecimalUnchecked(_ value: Int) {
        if value >= 10 { appendDecimalUnchecked(value / 10) }
        appendUnchecked(UInt8(truncatingIfNeeded: 0x30 + value % 10))
    }
}

/// Base64 (RFC 4648) with padding.
public enum Base64 {
    /// The two base64 digits of each 12-bit number, the first digit in the low byte.
    private static let digitPairs: [UInt16] = {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return (0..<4096).map { UInt16(digits[$0 >> 6]) | UInt16(digits[$0 & 63]) << 8 }
    }()

    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var out = ByteBuffer()
        bytes.withUnsafeBufferPointer { append($0[...], into: &out) }
        return Array(out.bytes)
    }

    static func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, into out: inout ByteBuffer) {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        out.reserve(bytes.count / 3 * 4 + 4)
        digitPairs.withUnsafeBufferPointer { pairs in
            var index = 0
            while index + 2 < bytes.count {
                let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                out.appendUnchecked(packed: UInt32(pairs[group >> 12]) | UInt32(pairs[group & 4095]) << 16, length: 4)
                index += 3
            }
            let rest = bytes.count - index
            guard rest > 0 else { return }
            let group = Int(bytes[index]) << 16 | (rest > 1 ? Int(bytes[index + 1]) << 8 : 0)
            let end = UInt32(pairs[group >> 12]) | UInt32(pairs[group & 4095]) << 16
            // The digits that no byte belongs to are replaced by padding.
            out.appendUnchecked(packed: end, length: rest + 1)
            for _ in rest..<3 { out.appendUnchecked(UInt8(ascii: "=")) }
        }
    }
}
