import Base
import Pixels

/// Whether pixel graphics replace characters, and which graphics are used.
public enum GraphicsOption: Equatable, Sendable {
    case off
    /// The first protocol that the terminal reports. Until then, the pictures consist of characters.
    case auto
    /// This protocol. A terminal must report it first: until then, and without it, the pictures consist of characters.
    case only(GraphicsProtocol)
    /// This protocol, whatever the terminal reports.
    case forced(GraphicsProtocol)
}

/// The characters that draw pictures, and the pixel graphics that replace them.
public struct Drawing: Equatable, Sendable {
    public var characters: PictureMode
    public var graphics: GraphicsOption

    public init(_ characters: PictureMode, _ graphics: GraphicsOption = .off) {
        (self.characters, self.graphics) = (characters, graphics)
    }

    /// From the coarsest to the sharpest characters.
    private static let characters = [PictureMode.half] + SubcellGrid.allCases.map(PictureMode.subcells)

    /// The drawing after this one: the next characters, then the graphics that the terminal reports, then half-blocks.
    public func next(in terminal: TerminalGraphics) -> Drawing {
        if terminal.choice(graphics) != nil { return Drawing(.half) }
        let index = (Self.characters.firstIndex(of: characters) ?? 0) + 1
        if index < Self.characters.count { return Drawing(Self.characters[index]) }
        return Drawing(.half, terminal.isUsable ? .auto : .off)
    }

    public func name(in terminal: TerminalGraphics, _ language: Language) -> String {
        if let chosen = terminal.choice(graphics) {
            return language(en: "\(chosen.rawValue) graphics", de: "Grafik: \(chosen.rawValue)")
        }
        guard case .subcells(let grid) = characters else { return language(en: "half-blocks", de: "Halbblöcke") }
        return switch grid {
        case .quadrant: language(en: "quadrants", de: "Quadranten")
        case .sextant: language(en: "sextants", de: "Sextanten")
        case .octant: language(en: "octants", de: "Oktanten")
        }
    }
}

extension PictureMode {
    /// The largest picture in pixels. It limits the memory and the bytes of a frame.
    static let largestPicture = PixelSize(width: 1600, height: 1200)
    /// The assumed size of a cell in pixels; small, so that a sixel picture does not cover more cells than intended.
    public static let assumedCell = PixelSize(width: 8, height: 16)

    public init(_ options: PlaybackOptions, _ traits: TerminalTraits, pane: CellSize) {
        let graphics = traits.graphics
        let cell = graphics.cell ?? Self.assumedCell
        switch graphics.choice(options.drawing.graphics) {
        case .kitty:
            var features = graphics.features
            features.storesFrames = features.storesFrames && options.loops != .times(1)
            self = .kitty(cell: Self.reduced(cell, pane), graphics.transport, features, firstImage: options.firstImage)
        case .iterm2:
            let isInTmux = graphics.transport == .tmux
            // tmux removes images when it draws the pane again. A GIF file has the terminal's own background and scaling,
            // and goes on after an inline picture is suspended.
            let playsFiles =
                graphics.playsFiles && !isInTmux && options.loops != .times(1) && options.screen == .full
                && options.background == nil && options.fit.filter == .smooth
            self = .iterm2(cell: Self.reduced(cell, pane), isInTmux: isInTmux, playsFiles: playsFiles)
        case .sixel:
            self = .sixel(
                cell: cell, background: options.background ?? traits.background ?? .black, colors: graphics.sixelColors,
                sendsWholePictures: graphics.needsWholeSixels)
        case nil: self = options.drawing.characters
        }
    }

    /// Returns the number of pixels to draw per cell: the size of the cell, or less if a picture that fills `pane` would
    /// exceed ``largestPicture``. If it is less, the terminal enlarges the picture.
    private static func reduced(_ cell: PixelSize, _ pane: CellSize) -> PixelSize {
        let scale = min(
            1, Double(largestPicture.width) / Double(cell.width * pane.columns),
            Double(largestPicture.height) / Double(cell.height * pane.rows))
        return PixelSize(
            width: max(1, Int(Double(cell.width) * scale)), height: max(1, Int(Double(cell.height) * scale)))
    }

    /// Whether the cells of the picture contain characters. For kitty images, this is true only inside tmux, where
    /// placeholder characters show the images.
    var hasCharacters: Bool {
        switch self {
        case .half, .subcells, .kitty(_, .tmux, _, _): true
        case .kitty, .iterm2, .sixel: false
        }
    }

    /// Whether the terminal draws the picture over text.
    var coversText: Bool { if case .kitty = self { !hasCharacters } else { false } }

    /// Whether a picture in the last row of the screen scrolls the screen in some terminals.
    var scrollsInLastRow: Bool {
        switch self {
        case .half, .subcells, .kitty: false
        case .iterm2, .sixel: true
        }
    }

    /// Returns the part of `box` that a picture of this mode can fill.
    public func limited(_ box: CellSize, _ graphics: TerminalGraphics) -> CellSize {
        switch self {
        case .sixel(let cell, _, _, _):
            let limit = graphics.sixelLimit ?? Self.largestPicture
            return CellSize(
                columns: max(1, min(box.columns, min(limit.width, Self.largestPicture.width) / cell.width)),
                rows: max(1, min(box.rows, min(limit.height, Self.largestPicture.height) / cell.height)))
        case .kitty(_, .tmux, _, _):
            return CellSize(columns: min(box.columns, KittyEncoder.maximumPlaceholderColumns), rows: box.rows)
        default: return box
        }
    }
}

/// The graphics that replace characters.
extension TerminalGraphics {
    /// Whether the terminal has reported graphics that gifplay can use.
    public var isUsable: Bool { choice(.auto) != nil }

    func choice(_ option: GraphicsOption) -> GraphicsProtocol? {
        switch option {
        case .off: nil
        // With an unknown cell size, sixels could cover other cells. tmux 3.5 removes sixels where text is written.
        case .auto:
            GraphicsProtocol.allCases.first {
                supported.contains($0) && ($0 != .sixel || cell != nil && transport != .tmux)
            }
        case .only(let chosen): awaited == nil || supported.contains(chosen) ? chosen : nil
        case .forced(let chosen): chosen
        }
    }

    /// Why the terminal does not show the graphics that the user chose; nil if it does, or if a reply is missing.
    public func refusal(of option: GraphicsOption, in language: Language) -> String? {
        guard case .only(let chosen) = option, awaited?.isEmpty == true, choice(option) == nil else { return nil }
        let name = chosen.rawValue
        // The note must fit beside a short title in 80 columns.
        if blocked.contains(chosen) {
            return language(en: "tmux blocks \(name)", de: "tmux sperrt \(name)") + ": set -g allow-passthrough on"
        }
        return language(
            en: "terminal has no \(name); --mode \(name)! forces it",
            de: "Terminal ohne \(name); --mode \(name)! erzwingt es")
    }
}
