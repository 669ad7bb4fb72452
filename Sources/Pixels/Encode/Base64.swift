/// Base64 (RFC 4648) with padding.
public enum Base64 {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var out = ByteBuffer()
        bytes.withUnsafeBufferPointer { append($0[...], into: &out) }
        return Array(out.bytes)
    }

    static func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, into out: inout ByteBuffer) {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        let digits = alphabet.utf8Start
        out.reserve(bytes.count / 3 * 4 + 4)
        var index = 0
        while index + 2 < bytes.count {
            let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            let packed =
                UInt32(digits[group >> 18]) | UInt32(digits[group >> 12 & 63]) << 8
                | UInt32(digits[group >> 6 & 63]) << 16 | UInt32(digits[group & 63]) << 24
            out.appendUnchecked(packed: packed, length: 4)
            index += 3
        }
        let rest = bytes.count - index
        guard rest > 0 else { return }
        let group = Int(bytes[index]) << 16 | (rest > 1 ? Int(bytes[index + 1]) << 8 : 0)
        out.appendUnchecked(digits[group >> 18])
        out.appendUnchecked(digits[group >> 12 & 63])
        out.appendUnchecked(rest > 1 ? digits[group >> 6 & 63] : UInt8(ascii: "="))
        out.appendUnchecked(UInt8(ascii: "="))
    }
}
