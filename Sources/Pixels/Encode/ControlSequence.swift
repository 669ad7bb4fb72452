/// Parts of the control sequences (ECMA-48) that draw pictures. Each part is packed into an integer, so that one store
/// instruction writes it.
enum ControlSequence {
    /// The strings `"0;"` to `"255;"` with their lengths in bytes. Each string is packed into four bytes and padded
    /// with zeros.
    // All threads can safely read the table, because it is written only here and never freed.
    nonisolated(unsafe) static let decimals: UnsafePointer<(packed: UInt32, length: Int)> = {
        let table = UnsafeMutablePointer<(packed: UInt32, length: Int)>.allocate(capacity: 256)
        for value in 0..<256 {
            var digits = [UInt8](String(value).utf8)
            digits.append(UInt8(ascii: ";"))
            let length = digits.count
            digits += [0, 0, 0]
            let packed = UInt32(digits[0]) | UInt32(digits[1]) << 8 | UInt32(digits[2]) << 16 | UInt32(digits[3]) << 24
            (table + value).initialize(to: (packed, length))
        }
        return UnsafePointer(table)
    }()

    /// The UTF-8 encoding of U+2580 (▀). The first byte of the encoding is the lowest byte.
    static let upperHalfBlock: UInt32 = 0x8096E2
    /// The UTF-8 encoding of U+2584 (▄). The first byte of the encoding is the lowest byte.
    static let lowerHalfBlock: UInt32 = 0x8496E2
}
