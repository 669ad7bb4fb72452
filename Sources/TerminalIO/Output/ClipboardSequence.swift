/// OSC 52, the control sequence that sets the clipboard of a terminal.
public enum ClipboardSequence {
    /// The maximum length of a text, in bytes. The sequence for a text of this length has 100,000 bytes. Terminals are
    /// known to accept such a sequence.
    public static let longest = 74_994
    /// The maximum number of bytes of the sequence in each control string for GNU Screen.
    private static let screenPiece = 240
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the sequence that sets the clipboard to `text`; nil if the text is too long.
    ///
    /// Inside GNU Screen, the sequence is wrapped in control strings, so that Screen passes it to the terminal. Inside
    /// tmux, the sequence is not wrapped, because tmux by default does not pass wrapped sequences to the terminal. With
    /// `set-clipboard on`, tmux accepts the sequence without a wrapper. Alternatively, tmux has a command that sets the
    /// clipboard.
    public static func bytes(_ text: String, environment: [String: String]) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        let plain = Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
        guard isSet("STY"), !isSet("TMUX") else { return plain }
        return stride(from: 0, to: plain.count, by: screenPiece).flatMap { start in
            Array("\u{1B}P".utf8) + plain[start..<min(start + screenPiece, plain.count)] + Array("\u{1B}\\".utf8)
        }
    }

    /// Implemented here because this module does not use Foundation.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 3).flatMap { start in
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < group.count ? UInt32(group[start + $1]) : 0) }
            return (0..<4).map { digit in
                digit > group.count ? UInt8(ascii: "=") : digits[Int(bits >> UInt32(18 - 6 * digit) & 0x3F)]
            }
        }
    }
}
