import Base
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
        if let last = variable("COLORFGBG")?.split(separator: ";").last, let number = Int(outside: last),
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

    /// Whether the terminal is at the other end of an ssh connection.
    var isRemote: Bool { ["SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"].contains { isSet($0) } }

    private func isSet(_ name: String) -> Bool { value(name) != nil }

    private static let colors: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
        0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    /// Returns the colours of the terminal at the start of a session, and the queries to send. The queries are empty if
    /// the terminal does not understand them.
    /// - Parameters:
    ///   - preference: the colours that the user chose. If they include the colour depth, it is not queried.
    ///   - detectsGraphics: whether to query the terminal for pixel graphics, unless it could print the queries.
    ///   - testMemory: stores a test image; nil if the terminal need not report that it reads shared memory.
    func start(
        _ preference: ColorPreference = ColorPreference(), detectsGraphics: Bool = false,
        testMemory: SharedMemory? = nil
    ) -> (colors: ColorFormat, queries: String) {
        let depth = preference.depth ?? self.depth
        let colors = preference.format(depth: depth, hasHalfBlocks: hasUTF8)
        guard understandsQueries else { return (colors, "") }
        let queries = TerminalQueries.start(
            detectsColors: preference.depth == nil && canReportMore(than: depth), detectsWidth: colors.hasHalfBlocks,
            detectsGraphics: detectsGraphics && !printsStrings, testMemory: testMemory)
        return (colors, queries)
    }

    /// The number of colours according to the environment and terminfo. The terminal can report that it shows more.
    var depth: ColorDepth {
        // GNU Screen and Emacs pass on the COLORTERM of the terminal around them, but misread 24-bit colours. tmux converts
        // 24-bit colours to colours that the terminal around it can show.
        if !isScreen, !isEmacs, ["truecolor", "24bit"].contains(value("COLORTERM") ?? "") { return .direct }
        return Self.depth(name, terminfo(name), isScreen: isScreen)
    }

    /// Returns whether to query the terminal for 24-bit colours, because it might show more colours than `depth`.
    func canReportMore(than depth: ColorDepth) -> Bool {
        // The queries contain device control strings. Terminals without colours are too old.
        depth != .direct && depth != .none && !printsStrings
    }

    /// Whether control strings can appear on the screen. GNU Screen passes the contents of these strings to the terminal
    /// around it, which would print them, or displays them as a message. Terminal.app and Emacs print them as well.
    private var printsStrings: Bool {
        isScreen || isEmacs || value("TERM_PROGRAM") == "Apple_Terminal" || name.hasPrefix("nsterm")
    }

    /// Whether the terminal shows characters beyond ASCII.
    var hasUTF8: Bool {
        if name.hasPrefix("vt") { return false }
        // Containers and remote shells often set no locale, although nearly every terminal uses UTF-8.
        guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap({ value($0) }).first else { return true }
        let characterSet = locale.split(separator: ".").last.map { $0.prefix { $0 != "@" } } ?? ""
        return ["utf-8", "utf8"].contains(characterSet.lowercased())
    }

    private var name: String { value("TERM") ?? "" }

    /// Whether GNU Screen is the innermost program between gifplay and the terminal. tmux uses such names, too.
    private var isScreen: Bool {
        let (isTmux, isNamedScreen) = (value("TMUX") != nil, name.hasPrefix("screen"))
        return value("STY") != nil ? !isTmux || isNamedScreen : !isTmux && isNamedScreen
    }

    /// Whether the terminal is Emacs's term.
    private var isEmacs: Bool { name.hasPrefix("eterm") }

    private static func depth(_ name: String, _ terminfo: TerminfoColors?, isScreen: Bool) -> ColorDepth {
        guard let terminfo else {
            // The terminfo database of a remote machine often lacks new terminals.
            if name.hasSuffix("-direct") || name.hasSuffix("-truecolor") { return .direct }
            if name.hasSuffix("-256color") { return .indexed }
            return name.hasPrefix("vt") ? .none : .eight
        }
        if terminfo.isDirect, !isScreen { return .direct }
        switch terminfo.count {
        case 256...: return .indexed
        case 16...: return .sixteen
        case 8...: return .eight
        default: return .none
        }
    }

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

/// The colours of a terminal type according to the terminfo database.
struct TerminfoColors: Equatable {
    /// The number of palette colours; 0 or negative if there are none.
    var count: Int
    /// Whether the terminal shows 24-bit colours (the extended capabilities `RGB` and `Tc`).
    var isDirect: Bool

}

extension TerminfoColors {
    /// Reads the entry of a terminal type. Returns nil if there is no entry.
    ///
    /// ncurses is loaded here and not linked, because it is rarely needed: most terminals set COLORTERM.
    init?(terminal name: String) {
        let colors: TerminfoColors? = Self.library.withLock { library in
            library = library ?? dlopen("libtinfo.so.6", RTLD_NOW | RTLD_LOCAL) ?? dlopen("libncursesw.so.6", RTLD_NOW)
            return library.flatMap { Self.read(name, from: $0) }
        }
        guard let colors else { return nil }
        self = colors
    }

    /// The loaded library. It has one current terminfo entry per process, which only one thread can use at a time.
    private static let library = Monitor(UnsafeMutableRawPointer?.none)

    private static func read(_ name: String, from library: UnsafeMutableRawPointer) -> TerminfoColors? {
        typealias SetUp = @convention(c) (UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<CInt>?) -> CInt
        typealias GetNumber = @convention(c) (UnsafePointer<CChar>) -> CInt
        typealias GetString = @convention(c) (UnsafePointer<CChar>) -> UnsafePointer<CChar>?
        typealias Select = @convention(c) (OpaquePointer?) -> OpaquePointer?
        typealias Release = @convention(c) (OpaquePointer?) -> CInt
        guard let setUp = dlsym(library, "setupterm"), let number = dlsym(library, "tigetnum"),
            let flag = dlsym(library, "tigetflag"), let string = dlsym(library, "tigetstr"),
            let select = dlsym(library, "set_curterm"), let release = dlsym(library, "del_curterm")
        else { return nil }
        var status: CInt = 0
        // Without a pointer for the status, `setupterm` would end the process if there is no entry.
        guard unsafeBitCast(setUp, to: SetUp.self)(name, STDOUT_FILENO, &status) == 0 else { return nil }
        defer {
            let entry = unsafeBitCast(select, to: Select.self)(nil)
            _ = unsafeBitCast(release, to: Release.self)(entry)
        }
        let getNumber = unsafeBitCast(number, to: GetNumber.self)
        let getFlag = unsafeBitCast(flag, to: GetNumber.self)
        let count = Int(getNumber("colors"))
        // The type of `RGB` is a flag, a number of bits, or a string such as "8/8/8". If the capability is a flag or a
        // number, the returned string is the pointer -1.
        let text = unsafeBitCast(string, to: GetString.self)("RGB").map { Int(bitPattern: $0) } ?? -1
        let isDirect = getFlag("Tc") > 0 || getFlag("RGB") > 0 || getNumber("RGB") > 0 || text != -1
        return TerminfoColors(count: count, isDirect: isDirect)
    }
}
