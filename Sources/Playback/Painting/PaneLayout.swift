import Pixels

/// Where the picture and the status line stand in the pane.
struct PaneLayout: Equatable {
    /// Terminals differ in what a resize leaves where, so another pane is another layout even where
    /// all of the below is the same.
    let pane: CellSize
    /// In half-block pixels.
    let picture: PixelSize
    let addressing: CursorAddressing
    /// The line and width for status text; nil when there is none.
    let status: StatusPlace?

    enum StatusPlace: Equatable {
        /// A row of the screen, from 1.
        case row(Int, width: Int)
        /// The line where the cursor rests below a picture in the flow of text.
        case rest(width: Int)
    }

    /// Panes with fewer rows have none to spare for words.
    static let fewestRowsForStatus = 6

    init(canvas: PixelSize, traits: TerminalTraits, options: PlaybackOptions) {
        pane = CellSize(columns: max(1, traits.size.columns), rows: max(1, traits.size.rows))
        let hasStatus = options.showsStatus && pane.rows >= Self.fewestRowsForStatus
        let isInline = options.screen == .inline
        // In the flow of text the line below the picture is taken by the cursor.
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

    /// The line for status text while nothing is known of the picture; nil in the flow of text.
    static func status(traits: TerminalTraits, options: PlaybackOptions) -> StatusPlace? {
        guard options.showsStatus, options.screen == .full, traits.size.rows >= fewestRowsForStatus else { return nil }
        return .row(traits.size.rows, width: max(1, traits.size.columns))
    }

    var rows: Int { (picture.height + 1) / 2 }
}
