import Base
import Glibc
import Pixels

public struct TerminalTraits: Equatable, Sendable {
    public var size: CellSize
    /// The height of a cell divided by its width.
    public var cellAspect: Double
    /// The background colour; nil if the terminal has not reported it.
    public var background: CellColor?
    /// Whether the terminal rewraps lines when the pane becomes narrower. A picture then fills more rows than before.
    public var rewrapsLines = false
    public var colors: ColorFormat
    public var graphics = TerminalGraphics()
    /// The first of the two columns that tell the width of a half-block; nil unless the second one is missing.
    var columnBeforeHalfBlock: Int?

    public init(
        size: CellSize, cellAspect: Double = 2, background: CellColor? = nil, colors: ColorFormat = .standard
    ) {
        (self.size, self.cellAspect, self.background, self.colors) = (size, cellAspect, background, colors)
    }
}

/// The pixel graphics of a terminal, as far as it has reported them.
public struct TerminalGraphics: Equatable, Sendable {
    public struct Respondents: OptionSet, Sendable {
        public static let terminal = Respondents(rawValue: 1)
        public static let tmux = Respondents(rawValue: 2)

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    public var supported: Set<GraphicsProtocol> = []
    /// The protocols that the terminal around tmux supports, but that tmux does not pass through.
    public var blocked: Set<GraphicsProtocol> = []
    /// The respondents that report sixels.
    public var sixelReporters: Respondents = []
    /// Whether a sixel update must contain the whole picture.
    public var needsWholeSixels = false
    /// The name of the terminal, perhaps with its version; empty if it is unknown.
    public var program: String
    /// The respondents whose replies may still add to ``supported``. Nil if none was queried, as for output into a file,
    /// which gets the graphics that the user chose.
    public var awaited: Respondents?
    /// The way in which images reach the terminal. `.sharedMemory` only if the terminal has reported its support.
    public var transport: KittyTransport
    public var features = KittyFeatures()
    /// Whether the terminal repeats the frames of a kitty image by itself, even after this process has ended.
    public var repeatsFrames = false
    /// Whether the terminal animates GIF files in images of iTerm2.
    public var playsFiles = false
    /// The size of a cell in pixels; nil if it is unknown.
    public var cell: PixelSize?
    public var sixelColors = 256
    /// The largest sixel image in pixels; nil if it is unknown.
    public var sixelLimit: PixelSize?

    public init(transport: KittyTransport = .direct, program: String = "") {
        self.transport = transport
        self.program = program
    }

    /// Whether the terminal is known to support hyperlinks (OSC 8). Some others print parts of the sequence.
    public var hasLinks: Bool {
        let name = program.lowercased()
        return [
            "kitty(", "ghostty", "foot", "wezterm", "iterm", "konsole", "vte(", "mintty", "contour", "rio", "vscode",
            "xterm.js",
        ]
        .contains { name.hasPrefix($0) }
    }
}

extension TerminalTraits {
    /// Returns the traits of a terminal that sent `reply` after `queries`.
    func updated(by reply: TerminalReply, to queries: TerminalQueries) -> TerminalTraits {
        var traits = self
        switch reply {
        case .background(let color): traits.background = color
        case .colorDepth(let depth) where queries.detectsColors:
            traits.colors.depth = max(depth, colors.depth)
        case .attributes(let hasSixel):
            // This reply is the last one, so the name of the terminal is known.
            let program = TerminalProgram(graphics.program)
            traits.graphics.reportSixel(.terminal, hasSixel)
            if graphics.transport != .tmux {
                traits.graphics.setSupport(.iterm2, program.shows(.iterm2, hasSixel: hasSixel))
            }
            traits.graphics.needsWholeSixels = graphics.transport == .tmux || program.erasesBelowSixels
            traits.graphics.playsFiles = program.playsFiles
            traits.graphics.awaited?.remove(.terminal)
        case .program(let name): traits.graphics.program = name
        case .cursorColumn(let column) where queries.detectsWidth:
            let width = traits.columnBeforeHalfBlock.map { column - $0 }
            traits.columnBeforeHalfBlock = width == nil ? column : nil
            // Without half-blocks, pictures consist of spaces. Other characters than these would garble them.
            if let width, width > 1 { traits.colors.hasHalfBlocks = false }
        case .graphics(let reply): traits.update(by: reply)
        case .colorDepth, .synchronizedOutput, .cursorColumn: break
        }
        return traits
    }

    /// The traits of a terminal that has not replied in time.
    var withoutReply: TerminalTraits {
        var traits = self
        traits.graphics.awaited?.remove(.terminal)
        return traits
    }

    /// Sets the property that the terminal reports in `reply`.
    mutating func update(by reply: GraphicsReply) {
        switch reply {
        case .kitty: graphics.supported.insert(.kitty)
        case .sharedMemory where graphics.transport == .direct: graphics.transport = .sharedMemory
        case .kittyFrames:
            let program = TerminalProgram(graphics.program)
            graphics.features.storesFrames = program.keepsFrames
            graphics.repeatsFrames = program.repeatsFrames
        case .colors(let count): graphics.sixelColors = count
        case .sixelLimit(let size): graphics.sixelLimit = size
        // The cell size that the kernel knows has priority, because it is always up to date. The size of the text area
        // arrives last, and is used only if the terminal has not reported the size of a cell.
        case .cell(let cell) where graphics.cell == nil: setCell(width: Double(cell.width), height: Double(cell.height))
        case .textArea(let area) where graphics.cell == nil:
            setCell(width: Double(area.width) / Double(size.columns), height: Double(area.height) / Double(size.rows))
        case .cell, .textArea, .sharedMemory: break
        }
    }

    /// Sets the size of a cell in pixels and the cell aspect. Ignores wrong values, which some terminals report. A
    /// correct height is one to four times the width.
    mutating func setCell(width: Double, height: Double) {
        guard width >= 1, (1...4).contains(height / width) else { return }
        cellAspect = height / width
        // Rounded down, so that a sixel picture does not cover more cells than intended.
        graphics.cell = PixelSize(width: Int(width), height: Int(height))
    }
}

extension TerminalGraphics {
    /// Records whether a respondent reports sixels. tmux 3.5 replies to DA1 that it has sixels even if the terminal around
    /// it has none, so both must report them.
    mutating func reportSixel(_ respondent: Respondents, _ hasSixel: Bool) {
        if hasSixel { sixelReporters.insert(respondent) } else { sixelReporters.remove(respondent) }
        setSupport(.sixel, sixelReporters.isSuperset(of: transport == .tmux ? [.terminal, .tmux] : [.terminal]))
    }

    fileprivate mutating func setSupport(_ graphics: GraphicsProtocol, _ isSupported: Bool) {
        if isSupported { supported.insert(graphics) } else { supported.remove(graphics) }
    }
}

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

    var isRemote: Bool { Environment.isRemote(isSet) }

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
    ) -> (colors: ColorFormat, queries: TerminalQueries) {
        let depth = preference.depth ?? self.depth
        let colors = preference.format(depth: depth, hasHalfBlocks: hasUTF8)
        guard understandsQueries else { return (colors, TerminalQueries()) }
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
