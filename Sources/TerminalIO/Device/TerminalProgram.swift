import Base
import Pixels

/// A terminal by the name that XTVERSION or the environment reports, for example `WezTerm 20240203` or `kitty(0.41.1)`.
/// No query reports whether a terminal shows images of iTerm2, or kitty images inside tmux.
struct TerminalProgram {
    private let name: String

    init(_ name: String) { self.name = name.lowercased() }

    /// Returns whether the terminal is known to show the images of a protocol.
    /// - Parameters:
    ///   - throughTmux: whether tmux passes the images through. Kitty images then need placeholders.
    ///   - hasSixel: whether the terminal reports sixels.
    func shows(_ graphics: GraphicsProtocol, throughTmux: Bool = false, hasSixel: Bool = false) -> Bool {
        switch graphics {
        case .kitty: return name.hasPrefix("ghostty") || name.hasPrefix("kitty(") && isAtLeast(0, 28)
        case .iterm2 where throughTmux: return name.hasPrefix("iterm2") || name.hasPrefix("wezterm")
        case .iterm2:
            if name.hasPrefix("konsole") { return isAtLeast(22, 4) }
            // VS Code shows images only if a setting allows it. It then reports sixels, too.
            if name.hasPrefix("vscode") || name.hasPrefix("xterm.js") { return hasSixel }
            return ["iterm", "wezterm", "mintty", "rio"].contains { name.hasPrefix($0) }
        case .sixel: return false
        }
    }

    /// Whether a sixel image erases the pixels below its transparent pixels. Seen in mlterm 3.9 and Konsole 25.04.
    var erasesBelowSixels: Bool { name.hasPrefix("mlterm") || name.hasPrefix("konsole") }

    /// Whether the terminal repeats the frames of a kitty image by itself: kitty since 0.20 (its changelog), and Ghostty
    /// since the first release after its pull request 13943 of August 2026. Not WezTerm, which accepts frames but does not
    /// repeat them (its pull request 7558 is open), nor VS Code (xterm.js issue 5713) and Konsole, which show a still.
    var repeatsFrames: Bool {
        name.hasPrefix("kitty(") && isAtLeast(0, 20) || name.hasPrefix("ghostty") && isAtLeast(1, 4)
    }

    /// Whether the terminal keeps the frames of a kitty image without errors. The versions 0.36 to 0.44 of kitty can
    /// overwrite frames in their cache file after images were deleted, because they truncate it without forgetting its
    /// holes (disk-cache.c).
    var keepsFrames: Bool {
        repeatsFrames && !(name.hasPrefix("kitty(") && isAtLeast(0, 36) && !isAtLeast(0, 45))
    }

    /// Whether the terminal animates the GIF files in images of iTerm2, with their delays. Konsole and VS Code do not, and
    /// mlterm 3.9 is much too slow.
    var playsFiles: Bool { name.hasPrefix("iterm") || name.hasPrefix("wezterm") && isAtLeast(20_220_319, 0) }

    private func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
        let numbers = name.split { !$0.isNumber }.map { Int(outside: $0) ?? 0 }
        return numbers.count > 1 && (numbers[0], numbers[1]) >= (major, minor)
    }
}

extension TerminalEnvironment {
    /// The name of the terminal; empty if no variable reports it, or if the variables report the terminal around a
    /// multiplexer. Programs that a terminal starts inherit the variables, so a reply to XTVERSION replaces the name.
    var program: String {
        guard value("TMUX") == nil, value("STY") == nil else { return "" }
        if value("MLTERM") != nil || value("TERM")?.hasPrefix("mlterm") == true { return "mlterm" }
        // Hundreds of this number are months: 220401 is version 22.04.1.
        if let version = value("KONSOLE_VERSION").flatMap({ Int(outside: $0) }) {
            return "Konsole \(version / 10_000).\(version / 100 % 100)"
        }
        // ssh passes on LC_TERMINAL, but not TERM_PROGRAM.
        return value("TERM_PROGRAM") ?? value("LC_TERMINAL") ?? ""
    }
}
