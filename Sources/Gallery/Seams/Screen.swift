import Catalog
import Pixels

/// The content of the whole pane: text and the positions of GIFs. Text runs are drawn over the tiles, and later runs
/// over earlier ones.
struct Screen: Equatable, Sendable {
    var size: CellSize
    var runs: [TextRun] = []
    var tiles: [TilePlacement] = []
    /// The position of the cursor while the user types a query; nil hides the cursor.
    var cursor: CellPosition?
}

/// A row and a column of the pane, both counted from 0.
struct CellPosition: Hashable, Sendable {
    var row: Int
    var column: Int
}

/// Text in one line and one style. It contains no control characters and is truncated to the available width.
struct TextRun: Equatable, Sendable {
    var position: CellPosition
    var text: String
    var style: TextStyle

    init(_ text: String, at position: CellPosition, _ style: TextStyle = .plain) {
        self.text = text
        self.position = position
        self.style = style
    }
}

/// The attributes of text. They include no colours, because the meaning of a text must not depend on its colour.
struct TextStyle: Hashable, Sendable {
    var isBold = false
    var isDim = false
    var isReversed = false
    var isUnderlined = false

    static let plain = TextStyle()
    static let bold = TextStyle(isBold: true)
    static let dim = TextStyle(isDim: true)
}

/// The position and size of a GIF's picture on the screen.
struct TilePlacement: Equatable, Sendable {
    var key: GIFKey
    /// The upper left cell. The row is negative if the tile begins above the pane.
    var position: CellPosition
    /// The size of the picture in half-block pixels, as in its ``TileRequest``.
    var size: PixelSize
    /// The rows of the pane in which the picture is visible. The rest of the picture is not drawn.
    var visibleRows: Range<Int>
    /// The text that is displayed in place of the picture until the first frame is available.
    var placeholder: [TextRun] = []
}
