import Pixels
import Playback

/// The layout of the terminal pane: the rows of the text lines, and the rows and columns of the gallery grid.
///
/// Smaller panes have fewer text lines, so that every pane can show at least part of a picture.
struct Pane: Equatable, Sendable {
    /// The size of the pane. The size is at least 1x1, even if the terminal reports a smaller size.
    let size: CellSize
    let cellAspect: Double
    /// The row of the search field. If nil, the field covers the last row while the user types.
    let field: Int?
    let feeds: Int?
    /// The rows of the tiles: a whole number of rows of tiles.
    let content: Range<Int>
    /// The part beside the tiles for the large picture of the selection; nil if there is none.
    let side: SidePart?
    /// The columns for the tiles and the messages in place of them.
    let listColumns: Int
    let status: Int?

    let columnCount: Int
    /// The distance between the left edges of two adjacent gallery columns, in cells.
    let pitch: Int
    /// The width in cells of the space on each side of a tile, which holds the marker of the selection.
    let gutter: Int
    /// The rows above each picture for the upper edge of the selection's frame: 0 or 1.
    let edge: Int
    /// The box of every picture in the gallery, in cells. The title is in the row below it.
    let box: CellSize
    /// The rows of a tile: upper edge, picture and title.
    var rowPitch: Int { edge + box.rows + 1 }

    let tileMode: PictureMode
    /// Whether the text can be bright enough without colours, which characters then replace.
    let hasColors: Bool
    let hasLinks: Bool
    private let traits: TerminalTraits

    static let minRowsForChrome = 7
    static let minRowsForFeeds = 14
    static let minColumnsForSide = 140
    /// The edge and the title.
    private static let rowsBesidePicture = 2
    /// A row of tiles is so low that two fit, if the pictures then have at least this many rows.
    private static let minPictureRows = 5

    init(_ traits: TerminalTraits, _ options: GalleryOptions = GalleryOptions()) {
        self.traits = traits
        size = CellSize(columns: max(1, traits.size.columns), rows: max(1, traits.size.rows))
        cellAspect = traits.cellAspect > 0 && traits.cellAspect.isFinite ? traits.cellAspect : 2
        let rows = size.rows
        let room: Range<Int>
        switch rows {
        case ..<2: (field, feeds, room, status) = (nil, nil, 0..<rows, nil)
        case ..<Self.minRowsForChrome: (field, feeds, room, status) = (nil, nil, 0..<rows - 1, rows - 1)
        case ..<Self.minRowsForFeeds: (field, feeds, room, status) = (0, nil, 1..<rows - 1, rows - 1)
        default: (field, feeds, room, status) = (0, 1, 2..<rows - 1, rows - 1)
        }
        gutter = size.columns >= 8 ? 1 : 0
        edge = field == nil ? 0 : 1
        side = options.showsSide ? SidePart(in: room, size.columns, cellAspect) : nil
        listColumns = side.map { $0.columns.lowerBound - 1 } ?? size.columns
        let count = Self.tileCount(
            CellSize(columns: listColumns, rows: room.count), gutter: gutter, cellAspect, zoom: options.tileZoom)
        columnCount = count.columns
        pitch = listColumns / columnCount
        box = CellSize(columns: max(1, pitch - 2 * gutter), rows: max(1, room.count / count.rows - edge - 1))
        content = room.lowerBound..<min(room.upperBound, room.lowerBound + count.rows * (edge + box.rows + 1))
        var playback = PlaybackOptions()
        // Terminals store no frames of GIFs that play once. The frames of all tiles would be too many.
        (playback.drawing.characters, playback.loops) = (options.drawing.characters, .times(1))
        // Sixels in the last row of the screen scroll some terminals. Larger panes have text in their last row.
        if rows > 1 { playback.drawing.graphics = options.drawing.graphics }
        let graphics = PictureMode(playback, traits, pane: size).adapted(to: traits.colors)
        // Small pictures need more dots. Quadrants fit into the same cells as half-blocks. With 8 or 16 colours, they
        // are not dithered, which costs more than the dots gain.
        let hasQuadrants = options.hasQuadrants && traits.colors.depth >= .indexed
        let usesQuadrants = hasQuadrants && !options.hasChosenMode && options.drawing.characters == .half
        let characters = usesQuadrants ? PictureMode.subcells(.quadrant) : options.drawing.characters
        tileMode = options.hasImageTiles && graphics.isImage ? graphics : characters.adapted(to: traits.colors)
        hasColors = traits.colors.depth != .none
        hasLinks = traits.graphics.hasLinks
    }

    /// Returns the numbers of columns and rows of tiles in `room`. The columns follow from the height: tiles are about as
    /// wide as a picture of 5:4 in their rows, which is between 4:3, the aspect ratio of most GIFs, and a square.
    /// - Parameter zoom: see ``GalleryOptions/tileZoom``.
    private static func tileCount(_ room: CellSize, gutter: Int, _ cellAspect: Double, zoom: Int) -> CellSize {
        func rows(_ columns: Int, zoom: Int) -> Int {
            rowCount(room.rows, max(1, room.columns / columns - 2 * gutter), cellAspect, zoom)
        }
        let most = max(1, room.columns / 12)
        // Larger panes have larger tiles, and not only more of them.
        let usual = max(1, min(room.columns / 20, 2 + room.columns / 60))
        let usualRows = rows(usual, zoom: 0)
        let pictureRows = max(1, room.rows / usualRows - rowsBesidePicture)
        let width = Double(pictureRows) * cellAspect * 5 / 4 + Double(2 * gutter)
        let fitting = min(most, max(usual, Int(Double(room.columns) / width + 0.35)))
        guard zoom != 0 else { return CellSize(columns: fitting, rows: usualRows) }
        let columns = min(max(1, fitting - zoom), most)
        return CellSize(columns: columns, rows: rows(columns, zoom: zoom))
    }

    /// Returns the number of rows of tiles in `room` rows of text.
    /// - Parameter columns: the width of the picture box in cells.
    private static func rowCount(_ room: Int, _ columns: Int, _ cellAspect: Double, _ zoom: Int) -> Int {
        // Rows as high as a tile of 4:3, but not so high that only one fits. A row too many makes the pictures a little
        // smaller; a row too few would show half as many.
        let wanted = Int((Double(columns) * 0.75 / cellAspect).rounded()) + rowsBesidePicture
        let most = max(1, room / (minPictureRows + rowsBesidePicture))
        let least = zoom > 0 ? 1 : min(2, most)
        return min(most, max(least, Int(Double(room) / Double(wanted) + (zoom > 0 ? 0.5 : 0.85))))
    }

    /// The row in which the user types a query.
    var typingRow: Int { field ?? size.rows - 1 }

    /// Returns the size in half-block pixels at which the gallery shows a GIF whose canvas has this size.
    /// - Parameter box: that of a tile by default.
    func target(for canvas: PixelSize, in box: CellSize? = nil) -> PixelSize {
        PictureFit(cellAspect: cellAspect).target(for: canvas, in: tileMode.limited(box ?? self.box, traits.graphics))
    }
}

/// The part of the pane beside the tiles. It shows the selected GIF, with title, credit and facts below.
struct SidePart: Equatable, Sendable {
    let columns: Range<Int>
    let rows: Range<Int>
    /// The largest size of the picture, in cells.
    let box: CellSize

    /// - Parameter width: the columns of the pane, of which the tiles keep at least two fifths.
    fileprivate init?(in rows: Range<Int>, _ width: Int, _ cellAspect: Double) {
        guard width >= Pane.minColumnsForSide else { return nil }
        self.rows = rows
        // In lower panes, the status line has the title and the credit, and the picture is higher than the tiles.
        let pictureRows = max(1, rows.count - (rows.count < 14 ? 0 : 2))
        box = CellSize(columns: min(width * 3 / 5, Int(Double(pictureRows) * cellAspect * 4 / 3)), rows: pictureRows)
        columns = width - box.columns..<width
    }
}

extension PixelSize {
    /// The number of cell rows that a picture of this size in half-block pixels occupies.
    var rows: Int { (height + 1) / 2 }
}
