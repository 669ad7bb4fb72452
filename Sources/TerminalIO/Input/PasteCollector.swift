/// Collects the text of a bracketed paste (mode 2004) up to the sequence that ends it.
struct PasteCollector: Equatable {
    /// The maximum length of the collected text, in bytes. The rest of a longer paste is discarded, because no text
    /// field accepts that much text.
    static let maximumLength = 4096

    private static let end = Array("\u{1B}[201~".utf8)

    private var bytes: [UInt8] = []
    /// The number of bytes of the end sequence that have arrived.
    private var matched = 0

    /// Adds the next byte of the input.
    /// - Returns: whether this byte completes the end sequence.
    mutating func append(_ byte: UInt8) -> Bool {
        if byte == Self.end[matched] {
            matched += 1
            return matched == Self.end.count
        }
        // The matched bytes are not the end sequence, so they belong to the text.
        for byte in Self.end.prefix(matched) { keep(byte) }
        matched = byte == 0x1B ? 1 : 0
        if matched == 0 { keep(byte) }
        return false
    }

    private mutating func keep(_ byte: UInt8) {
        if bytes.count < Self.maximumLength { bytes.append(byte) }
    }

    /// Returns the collected text and clears it.
    mutating func takeText() -> String {
        defer { self = PasteCollector() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
