import Base
import Pixels

/// The properties of the terminal and the options that determine how a picture is drawn.
struct PictureAppearance: Equatable {
    let layout: PaneLayout
    let colors: ColorFormat
    let backdrop: Backdrop
    /// The terminal's background if the terminal shows no colours, because the choice of characters depends on it, even
    /// if the user has set the colour of the backdrop.
    let inkBackground: CellColor?

    init(canvas: PixelSize, _ traits: TerminalTraits, _ options: PlaybackOptions) {
        layout = PaneLayout(canvas: canvas, traits: traits, options: options)
        colors = traits.colors
        if let color = options.background {
            backdrop = .solid(color)
        } else {
            backdrop = traits.background.map { .terminal($0) } ?? .unknownTerminal
        }
        inkBackground = colors.depth == .none ? traits.background : nil
    }

    func makeEncoder(_ size: PixelSize) -> any PictureEncoder {
        let encoder = layout.mode.makeEncoder(size: size, addressing: layout.addressing)
        encoder.setColors(colors)
        return encoder
    }

    func makeReducer(_ size: PixelSize) -> ColorReducer? {
        layout.mode.makeReducer(size: size, colors, background: inkBackground)
    }
}

/// The positions of the picture and the status line in the pane.
struct PaneLayout: Equatable {
    /// The size of the pane. Two layouts with different pane sizes are never equal, so every resize draws the picture
    /// again. This is necessary because terminals differ in how a resize moves their contents.
    let pane: CellSize
    let mode: PictureMode
    /// The number of pixels of a cell in each direction.
    let pixelsPerCell: PixelSize
    let picture: PixelSize
    let addressing: CursorAddressing
    /// The position and width of the status line; nil if there is none.
    let status: StatusPosition?

    enum StatusPosition: Equatable {
        /// A row of the screen, counted from 1.
        case row(Int, width: Int)
        /// The line below an inline picture, where the cursor is between updates.
        case belowPicture(width: Int)
    }

    /// Whether a pane of this height has a status line. In the gallery, one row of the picture is enough, because a credit
    /// can be required.
    private static func hasStatus(_ rows: Int, _ options: PlaybackOptions) -> Bool {
        options.showsStatus && rows >= (options.view == .player ? 6 : 2)
    }

    init(canvas: PixelSize, traits: TerminalTraits, options: PlaybackOptions) {
        pane = CellSize(columns: max(1, traits.size.columns), rows: max(1, traits.size.rows))
        let hasStatus = Self.hasStatus(pane.rows, options)
        let isInline = options.screen == .inline
        mode = PictureMode(options, traits, pane: pane).adapted(to: traits.colors)
        // Between updates, the cursor is on the line below an inline picture, so the picture must leave that line free.
        let keepsLastRow = hasStatus || isInline || mode.scrollsInLastRow
        let available = CellSize(columns: pane.columns, rows: max(1, pane.rows - (keepsLastRow ? 1 : 0)))
        let box = mode.limited(
            CellSize(
                columns: min(available.columns, options.size?.columns ?? available.columns),
                rows: min(available.rows, options.size?.rows ?? available.rows)), traits.graphics)
        var fit = options.fit
        fit.cellAspect = traits.cellAspect
        pixelsPerCell = mode.pixelsPerCell
        picture = fit.target(for: canvas, in: box, pixelsPerCell: pixelsPerCell)
        let cells = picture.cells(pixelsPerCell)
        if isInline {
            addressing = .inline(idleRow: cells.rows)
            status = hasStatus ? .belowPicture(width: pane.columns) : nil
        } else {
            addressing = .absolute(
                row: 1 + (available.rows - cells.rows) / 2, column: 1 + (available.columns - cells.columns) / 2)
            status = hasStatus ? .row(pane.rows, width: pane.columns) : nil
        }
    }

    /// Returns the position of the status line before the first frame; nil if there is none or the output is inline.
    static func status(traits: TerminalTraits, options: PlaybackOptions) -> StatusPosition? {
        guard options.screen == .full, hasStatus(traits.size.rows, options) else { return nil }
        return .row(traits.size.rows, width: max(1, traits.size.columns))
    }

    var rows: Int { picture.cells(pixelsPerCell).rows }

    /// The number of rows that the drawn picture fills after a terminal has rewrapped its lines to `columns` columns.
    func rows(rewrappedTo columns: Int) -> Int {
        let size = picture.cells(pixelsPerCell)
        // The lines of text behind an image are empty, so the terminal does not rewrap them.
        guard mode.hasCharacters else { return size.rows }
        return size.rows * max(1, (size.columns + columns - 1) / max(1, columns))
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
        switch graphics.choice(options.graphics) {
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
        case nil: self = options.mode
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
