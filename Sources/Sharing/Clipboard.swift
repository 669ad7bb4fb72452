import Pixels

/// Copies a text through the terminal, which may be on another machine, and through installed programs, because a
/// terminal does not report whether it accepted the text.
public struct Clipboard: Sendable {
    /// The maximum length of a text in bytes. Its sequence has 100,000 bytes, which terminals are known to accept.
    public static let longest = 74_994
    /// Inside GNU Screen, the sequence is divided into pieces of at most this number of bytes.
    private static let screenPiece = 240

    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Returns the control sequence (OSC 52) that sets the clipboard of the terminal; nil if the text is too long.
    ///
    /// Inside GNU Screen, the sequence is wrapped in control strings, so that Screen passes it to the terminal. Inside
    /// tmux, the sequence is not wrapped, because tmux by default does not pass wrapped sequences to the terminal. If
    /// its option `set-clipboard` is `on`, tmux accepts the unwrapped sequence. Otherwise, tmux ignores the sequence,
    /// so gifplay also runs the command `tmux load-buffer -w`.
    public func sequence(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= Self.longest else { return nil }
        let plain = Array("\u{1B}]52;c;".utf8) + Base64.encode(Array(text.utf8)) + [0x07]
        guard isSet("STY"), !isSet("TMUX") else { return plain }
        return stride(from: 0, to: plain.count, by: Self.screenPiece).flatMap { start in
            let piece = plain[start..<min(start + Self.screenPiece, plain.count)]
            return Array("\u{1B}P".utf8) + piece + Array("\u{1B}\\".utf8)
        }
    }

    /// The installed programs that copy a text from their standard input to a clipboard. The list contains tmux if
    /// gifplay runs in tmux, and one program for the display if there is a display.
    public var programs: [ExternalProgram] {
        // With `-w`, tmux also sets the clipboard of the terminal in which tmux runs. This is necessary if the tmux
        // option `set-clipboard` is `external`, because tmux then ignores the bytes of ``sequence(_:)``.
        let tmux = isSet("TMUX") ? ExternalProgram("tmux", ["load-buffer", "-w", "-"], environment: environment) : nil
        return [tmux, displayProgram].compactMap(\.self)
    }

    private var displayProgram: ExternalProgram? {
        if isSet("WAYLAND_DISPLAY"), let program = ExternalProgram("wl-copy", environment: environment) {
            return program
        }
        guard isSet("DISPLAY") else { return nil }
        return ExternalProgram("xclip", ["-selection", "clipboard", "-in"], environment: environment)
            ?? ExternalProgram("xsel", ["--clipboard", "--input"], environment: environment)
    }

    /// Starts none of ``programs`` if the text is too long.
    public func start(_ text: String) -> [RunningProgram] {
        guard text.utf8.count <= Self.longest else { return [] }
        return programs.compactMap { try? $0.start(input: text, environment: environment) }
    }

    /// Runs each of ``programs`` with the text.
    /// - Returns: the names of the programs that succeeded.
    public func copy(_ text: String) async -> [String] {
        var succeeded: [String] = []
        for program in start(text) where await program.ended() == nil { succeeded.append(program.name) }
        return succeeded
    }

    private func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
}
