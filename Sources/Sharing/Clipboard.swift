import FoundationEssentials

/// Puts a text into the clipboard: by the terminal, which may be far away, and by the programs at hand.
///
/// Both are done, since nobody answers whether the terminal took it.
public struct Clipboard: Sendable {
    /// The longest text in bytes: in base 64 the 100 000 that terminals are known to take.
    public static let longest = 74_994
    /// Screen takes no longer string at once.
    private static let screenPiece = 240

    private let environment: [String: String]

    public init(environment: [String: String]) {
        self.environment = environment
    }

    /// What the terminal is written (OSC 52); nil for a text that is too long.
    ///
    /// Inside screen, wrapped so that it passes it on. Inside tmux as it is: tmux takes it with
    /// `set-clipboard on`, passes nothing on by default, and is told through ``programs`` anyway.
    public func sequence(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= Self.longest else { return nil }
        let plain = Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}".utf8)
        guard isSet("STY"), !isSet("TMUX") else { return plain }
        return stride(from: 0, to: plain.count, by: Self.screenPiece).flatMap { start in
            Array("\u{1B}P".utf8) + plain[start..<min(start + Self.screenPiece, plain.count)] + Array("\u{1B}\\".utf8)
        }
    }

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
