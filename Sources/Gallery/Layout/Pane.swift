import Pixels
import Playback

/// The layout of the terminal pane: the rows of the text lines and the columns of the gallery grid.
///
/// Smaller panes have fewer text lines, so that every pane can show at least part of a picture.
struct Pane: Equatable, Sendable {
    /// The size of the pane. The size is at least 1x1, even if the terminal reports a smaller size.
    let size: CellSize
    let cellAspect: Double
    /// The row of the search field. If nil, the field covers the last row while the user types.
    let field: Int?
    let feeds: Int?
    let content: Range<Int>
    /// The row for the attribution of the selected GIF. If nil, it is in the status line, if there is one.
    let credit: Int?
    let status: Int?

    let columnCount: Int
    /// The distance between the left edges of two adjacent gallery columns, in cells.
    let pitch: Int
    /// The width in cells of the space left of each picture, which holds the selection marker.
    let gutter: Int
    /// The maximum width of a picture in the gallery, in cells.
    let pictureColumns: Int

    let tileMode: PictureMode
    let fullMode: PictureMode
    private let graphics: TerminalGraphics

    /// The minimum width of a gallery column in cells, if there is more than one column.
    static let minColumnWidth = 30
    static let minRowsForChrome = 7
    static let minRowsForSpacing = 14

    init(_ traits: TerminalTraits, _ options: GalleryOptions = GalleryOptions()) {
        size = CellSize(columns: max(1, traits.size.columns), rows: max(1, traits.size.rows))
        cellAspect = traits.cellAspect > 0 && traits.cellAspect.isFinite ? traits.cellAspect : 2
        let rows = size.rows
        switch rows {
        case ..<2: (field, feeds, content, credit, status) = (nil, nil, 0..<rows, nil, nil)
        case ..<Self.minRowsForChrome: (field, feeds, content, credit, status) = (nil, nil, 0..<rows - 1, nil, rows - 1)
        case ..<Self.minRowsForSpacing: (field, feeds, content, credit, status) = (0, 1, 2..<rows - 1, nil, rows - 1)
        default: (field, feeds, content, credit, status) = (0, 1, 3..<rows - 2, rows - 2, rows - 1)
        }
        columnCount = max(1, size.columns / Self.minColumnWidth)
        pitch = size.columns / columnCount
        gutter = size.columns >= 8 ? 1 : 0
        pictureColumns = max(1, pitch - 2 * gutter)
        graphics = traits.graphics
        var playback = PlaybackOptions()
        // Terminals store no frames of GIFs that play once. The frames of all tiles would be too many.
        (playback.mode, playback.loops) = (options.mode, .times(1))
        // Sixels in the last row of the screen scroll some terminals. Larger panes have text in their last row.
        if rows > 1 { playback.graphics = options.graphics }
        fullMode = PictureMode(playback, traits, pane: size).adapted(to: traits.colors)
        tileMode = options.hasImageTiles ? fullMode : options.mode.adapted(to: traits.colors)
    }

    /// The row in which the user types a query.
    var typingRow: Int { field ?? size.rows - 1 }

    /// The maximum height of a tile's picture in rows, which leaves a row for the title if there is more than one.
    var pictureRows: Int { max(1, content.count - 1) }

    /// Returns the size in half-block pixels at which the gallery shows a GIF whose canvas has this size.
    func target(for canvas: PixelSize) -> PixelSize {
        let box = CellSize(columns: pictureColumns, rows: pictureRows)
        return PictureFit(cellAspect: cellAspect).target(for: canvas, in: tileMode.limited(box, graphics))
    }

    /// The number of text lines below the picture in the full view.
    var fullLines: Int {
        switch size.rows {
        case ..<2: 0
        case ..<Self.minRowsForChrome: 1
        case ..<Self.minRowsForSpacing: 2
        default: 5
        }
    }

    /// Returns the size of the picture in the full view, in half-block pixels, and the position of its upper left cell.
    func fullPicture(for canvas: PixelSize) -> (size: PixelSize, position: CellPosition) {
        let box = CellSize(columns: size.columns, rows: max(1, size.rows - fullLines))
        let picture = PictureFit(cellAspect: cellAspect).target(for: canvas, in: fullMode.limited(box, graphics))
        let position = CellPosition(row: (box.rows - picture.rows) / 2, column: (box.columns - picture.width) / 2)
        return (picture, position)
    }
}

extension PixelSize {
    /// The number of cell rows that a picture of this size in half-block pixels occupies.
    var rows: Int { (height + 1) / 2 }
}
