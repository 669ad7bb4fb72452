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
