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
    func updated(by reply: TerminalReply, to queries: String) -> TerminalTraits {
        var traits = self
        switch reply {
        case .background(let color): traits.background = color
        // If gifplay sent no colour query, the reply is for another program, so it is ignored.
        case .colorDepth(let depth) where strstr(queries, TerminalQueries.colors) != nil:
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
        case .cursorColumn(let column) where strstr(queries, TerminalQueries.width) != nil:
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
