import Pixels

/// The positions of the picture and the status line in the pane.
struct PaneLayout: Equatable {
    /// The size of the pane. Terminals differ in how a resize moves their contents, so a pane of another size needs
    /// another layout even if all properties below are equal.
    let pane: CellSize
    /// The size of the picture in half-block pixels.
    let picture: PixelSize
    let addressing: CursorAddressing
    /// The position and width of the status line; nil if there is none.
    let status: StatusPlace?

    enum StatusPlace: Equatable {
        /// A row of the screen, counted from 1.
        case row(Int, width: Int)
        /// The line below an inline picture, where the cursor is between updates.
        case rest(width: Int)
    }

    /// Panes with fewer rows have no status line.
    static let fewestRowsForStatus = 6

    init(canvas: PixelSize, traits: TerminalTraits, options: PlaybackOptions) {
        pane = CellSize(columns: max(1, traits.size.columns), rows: max(1, traits.size.rows))
        let hasStatus = options.showsStatus && pane.rows >= Self.fewestRowsForStatus
        let isInline = options.screen == .inline
        // The cursor needs the line below an inline picture.
        let room = CellSize(columns: pane.columns, rows: max(1, pane.rows - (hasStatus || isInline ? 1 : 0)))
        let box = CellSize(
            columns: min(room.columns, options.size?.columns ?? room.columns),
            rows: min(room.rows, options.size?.rows ?? room.rows))
        var fit = options.fit
        fit.cellAspect = traits.cellAspect
        picture = fit.target(for: canvas, in: box)
        let rows = (picture.height + 1) / 2
        if isInline {
            addressing = .inline(restRow: rows)
            status = hasStatus ? .rest(width: pane.columns) : nil
        } else {
            addressing = .absolute(
                row: 1 + (room.rows - rows) / 2, column: 1 + (room.columns - picture.width) / 2)
            status = hasStatus ? .row(pane.rows, width: pane.columns) : nil
        }
    }

    /// The position of the status line before the first frame; nil if there is none, as for inline output.
    static func status(traits: TerminalTraits, options: PlaybackOptions) -> StatusPlace? {
        guard options.showsStatus, options.screen == .full, traits.size.rows >= fewestRowsForStatus else { return nil }
        return .row(traits.size.rows, width: max(1, traits.size.columns))
    }

    var rows: Int { (picture.height + 1) / 2 }
}
