import Glibc
import Pixels

/// The properties of the terminal that environment variables and the terminfo database report.
struct TerminalEnvironment {
    /// Returns the value of an environment variable; nil if it is not set.
    let variable: (String) -> String?
    /// Returns the colours of a terminal type.
    let terminfo: (String) -> TerminfoColors?

    /// - Parameters:
    ///   - variable: returns the value of an environment variable.
    ///   - terminfo: returns the colours of a terminal type; called only if the variables do not suffice.
    init(
        _ variable: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } },
        terminfo: @escaping (String) -> TerminfoColors? = { TerminfoColors(terminal: $0) }
    ) {
        self.variable = variable
        self.terminfo = terminfo
    }

    /// Returns the value of a variable; nil if it is not set or empty.
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the terminal understands queries. The Linux console prints the parts of a query that it does not know.
    var understandsQueries: Bool { variable("TERM").map { $0 != "linux" } ?? false }

    /// The background colour; nil if no variable reports it. COLORFGBG, which some terminals set, ends with the number
    /// of a palette colour. A theme can change the palette, so the terminal's reply to a query is more reliable.
    var background: CellColor? {
        if let last = variable("COLORFGBG")?.split(separator: ";").last, let number = Int(last),
            Self.colors.indices.contains(number)
        {
            let color = Self.colors[number]
            return CellColor(red: UInt8(color >> 16), green: UInt8(color >> 8 & 0xFF), blue: UInt8(color & 0xFF))
        }
        // The background of the Linux console is black, and the console does not reply to queries.
        return variable("TERM") == "linux" ? .black : nil
    }

    /// Whether the terminal is known to rewrap long lines when the pane becomes narrower.
    var rewrapsLines: Bool {
        if isSet("TMUX") { return true }
        guard !isSet("STY") else { return false }
        return [
            "KITTY_WINDOW_ID", "VTE_VERSION", "ALACRITTY_WINDOW_ID", "WEZTERM_PANE", "KONSOLE_VERSION", "WT_SESSION",
        ]
        .contains { isSet($0) }
    }

    private func isSet(_ name: String) -> Bool { value(name) != nil }

    /// The 16 colours of xterm.
    private static let colors: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
        0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
}
