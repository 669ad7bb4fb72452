/// Parts of the control sequences (ECMA-48) that draw pictures, packed so that one store writes each.
enum ControlSequence {
    /// `"0;"` to `"255;"`, each packed into four bytes, padded with zeros, with its length in bytes.
    // The table is written once, here, and never freed, so any thread may read it.
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

    /// UTF-8 of U+2580 (▀) and U+2584 (▄), first byte lowest.
    static let upperHalfBlock: UInt32 = 0x8096E2
    static let lowerHalfBlock: UInt32 = 0x8496E2
}
