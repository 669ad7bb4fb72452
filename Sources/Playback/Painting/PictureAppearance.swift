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
