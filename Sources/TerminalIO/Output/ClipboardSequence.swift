/// OSC 52: what a terminal is sent to put a text into its clipboard.
public enum ClipboardSequence {
    /// The longest text in bytes: in base 64 the 100 000 that terminals are known to take.
    public static let longest = 74_994
    /// Screen takes no longer string at once.
    private static let screenPiece = 240
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The sequence for a text; nil for a text that is too long.
    ///
    /// Inside screen, wrapped so that it passes it on. Inside tmux as it is: tmux takes it with
    /// `set-clipboard on`, passes nothing on by default, and has a program of its own for it.
    public static func bytes(_ text: String, environment: [String: String]) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        let plain = Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
        guard isSet("STY"), !isSet("TMUX") else { return plain }
        return stride(from: 0, to: plain.count, by: screenPiece).flatMap { start in
            Array("\u{1B}P".utf8) + plain[start..<min(start + screenPiece, plain.count)] + Array("\u{1B}\\".utf8)
        }
    }

    /// By hand: Foundation stays out of this module.
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
