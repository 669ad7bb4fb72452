/// OSC 52, the control sequence that sets the clipboard of a terminal.
public enum ClipboardSequence {
    /// The maximum length of a text, in bytes. In base 64, its sequence has 100 000 bytes, which terminals are known to
    /// accept.
    public static let longest = 74_994
    /// The maximum length of a string that GNU Screen accepts at once, in bytes.
    private static let screenPiece = 240
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the sequence that sets the clipboard to `text`; nil if the text is too long.
    ///
    /// Inside GNU Screen the sequence is wrapped, so that Screen passes it to the terminal. Inside tmux it is not
    /// wrapped, because tmux does not pass on wrapped sequences by default. tmux accepts the plain sequence with
    /// `set-clipboard on`, and has its own command to set the clipboard.
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
