import TerminalIO

/// Copies a text through the terminal, which may be on another machine, and through installed programs, because a
/// terminal does not report whether it accepted the text.
public struct Clipboard: Sendable {
    /// In bytes.
    public static let longest = ClipboardSequence.longest

    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Nil if the text is too long.
    public func sequence(_ text: String) -> [UInt8]? { ClipboardSequence.bytes(text, environment: environment) }

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
