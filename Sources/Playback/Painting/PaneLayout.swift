import Pixels

/// The positions of the picture and the status line in the pane.
struct PaneLayout: Equatable {
    /// The size of the pane. It makes the layouts of panes of different sizes unequal even if all other properties are
    /// equal, because terminals differ in how a resize moves their contents.
    let pane: CellSize
    /// The size of the picture in half-block pixels.
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

    /// The minimum number of rows of a pane with a status line.
    static let minimumRowsForStatus = 6

    init(canvas: PixelSize, traits: TerminalTraits, options: PlaybackOptions) {
        pane = CellSize(columns: max(1, traits.size.columns), rows: max(1, traits.size.rows))
        let hasStatus = options.showsStatus && pane.rows >= Self.minimumRowsForStatus
        let isInline = options.screen == .inline
        // The cursor is on the line below an inline picture between updates, so that line is never part of the picture.
        let available = CellSize(columns: pane.columns, rows: max(1, pane.rows - (hasStatus || isInline ? 1 : 0)))
        let box = CellSize(
            columns: min(available.columns, options.size?.columns ?? available.columns),
            rows: min(available.rows, options.size?.rows ?? available.rows))
        var fit = options.fit
        fit.cellAspect = traits.cellAspect
        picture = fit.target(for: canvas, in: box)
        let rows = (picture.height + 1) / 2
        if isInline {
            addressing = .inline(idleRow: rows)
            status = hasStatus ? .belowPicture(width: pane.columns) : nil
        } else {
            addressing = .absolute(
                row: 1 + (available.rows - rows) / 2, column: 1 + (available.columns - picture.width) / 2)
            status = hasStatus ? .row(pane.rows, width: pane.columns) : nil
        }
    }

    /// Returns where the status line is until a frame is drawn; nil without a status line and for inline output.
    static func status(traits: TerminalTraits, options: PlaybackOptions) -> StatusPosition? {
        guard options.showsStatus, options.screen == .full, traits.size.rows >= minimumRowsForStatus else { return nil }
        return .row(traits.size.rows, width: max(1, traits.size.columns))
    }

    var rows: Int { (picture.height + 1) / 2 }
}
