import TerminalIO

/// Puts a text into the clipboard: by the terminal, which may be far away, and by the programs at hand.
///
/// Both are done, since nobody answers whether the terminal took it.
public struct Clipboard: Sendable {
    /// The longest text in bytes.
    public static let longest = ClipboardSequence.longest

    private let environment: [String: String]

    public init(environment: [String: String]) {
        self.environment = environment
    }

    /// What the terminal is sent; nil for a text that is too long.
    public func sequence(_ text: String) -> [UInt8]? { ClipboardSequence.bytes(text, environment: environment) }

    /// Who takes a text on standard input: tmux around us, and one for the display, where there is one.
    public var programs: [Program] {
        // -w: into the clipboard of its terminal as well, which `set-clipboard external` allows it alone.
        let tmux = isSet("TMUX") ? Program("tmux", ["load-buffer", "-w", "-"], environment: environment) : nil
        return [tmux, displayProgram].compactMap(\.self)
    }

    private var displayProgram: Program? {
        if isSet("WAYLAND_DISPLAY"), let program = Program("wl-copy", environment: environment) { return program }
        guard isSet("DISPLAY") else { return nil }
        return Program("xclip", ["-selection", "clipboard", "-in"], environment: environment)
            ?? Program("xsel", ["--clipboard", "--input"], environment: environment)
    }

    /// Gives the text to each of ``programs``.
    /// - Returns: the names of those that took it.
    public func copy(_ text: String) async -> [String] {
        guard text.utf8.count <= Self.longest else { return [] }
        var taken: [String] = []
        for program in programs {
            do throws(SharingError) {
                try await program.run(input: text, environment: environment)
                taken.append(program.name)
            } catch {
                continue
            }
        }
        return taken
    }

    private func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
}
