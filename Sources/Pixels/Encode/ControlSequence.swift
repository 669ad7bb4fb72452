/// The pieces of ECMA-48 that pictures are written with, packed for single stores.
enum ControlSequence {
    /// `"0;"` to `"255;"`, four bytes each, with the length in the fourth where it is free.
    // Written here once and never freed, so reading it from any thread is safe.
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

    /// UTF-8 of U+2580 and U+2584, low byte first.
    static let upperHalfBlock: UInt32 = 0x8096E2
    static let lowerHalfBlock: UInt32 = 0x8496E2
}
