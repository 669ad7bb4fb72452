import Pixels

/// OSC 52, the control sequence that sets the clipboard of a terminal.
public enum ClipboardSequence {
    /// The maximum length of a text in bytes. Its sequence has 100,000 bytes, which terminals are known to accept.
    public static let longest = 74_994
    /// Inside GNU Screen, the sequence is divided into pieces of at most this number of bytes.
    private static let screenPiece = 240

    /// Returns the sequence that sets the clipboard to `text`; nil if the text is too long.
    ///
    /// Inside GNU Screen, the sequence is wrapped in control strings, so that Screen passes it to the terminal. Inside
    /// tmux, the sequence is not wrapped, because tmux by default does not pass wrapped sequences to the terminal. If
    /// its option `set-clipboard` is `on`, tmux accepts the unwrapped sequence. Otherwise, tmux ignores the sequence,
    /// so gifplay also runs the command `tmux load-buffer -w`.
    public static func bytes(_ text: String, environment: [String: String]) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        let plain = Array("\u{1B}]52;c;".utf8) + Base64.encode(Array(text.utf8)) + [0x07]
        guard isSet("STY"), !isSet("TMUX") else { return plain }
        return stride(from: 0, to: plain.count, by: screenPiece).flatMap { start in
            Array("\u{1B}P".utf8) + plain[start..<min(start + screenPiece, plain.count)] + Array("\u{1B}\\".utf8)
        }
    }
}
