import Catalog
import Pixels

/// The content of the whole pane: text and the positions of GIFs. Text runs are drawn over the tiles, and later runs
/// over earlier ones.
public struct Screen: Equatable, Sendable {
    public var size: CellSize
    public var runs: [TextRun]
    public var tiles: [TilePlacement]
    /// The position of the cursor while the user types a query; nil hides the cursor.
    public var cursor: CellPosition?

    public init(size: CellSize) {
        self.size = size
        runs = []
        tiles = []
    }
}

/// A row and a column of the pane, both counted from 0.
public struct CellPosition: Hashable, Sendable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// Text in one line and one style. It contains no control characters and is truncated to the available width.
public struct TextRun: Equatable, Sendable {
    public var position: CellPosition
    public var text: String
    public var style: TextStyle

    public init(_ text: String, at position: CellPosition, _ style: TextStyle = .plain) {
        self.text = text
        self.position = position
        self.style = style
    }
}

/// The attributes of text. They include no colours, because the meaning of a text must not depend on its colour.
public struct TextStyle: Hashable, Sendable {
    public var isBold: Bool
    public var isDim: Bool
    public var isReversed: Bool
    public var isUnderlined: Bool

    public init(isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false, isUnderlined: Bool = false) {
        self.isBold = isBold
        self.isDim = isDim
        self.isReversed = isReversed
        self.isUnderlined = isUnderlined
    }

    public static let plain = TextStyle()
    public static let bold = TextStyle(isBold: true)
    public static let dim = TextStyle(isDim: true)
    public static let reversed = TextStyle(isReversed: true)
}

/// The position and size of a GIF's picture on the screen.
public struct TilePlacement: Equatable, Sendable {
    public var key: GIFKey
    /// The upper left cell. The row is negative if the tile begins above the pane.
    public var position: CellPosition
    /// The size of the picture in half-block pixels, as in its ``TileRequest``.
    public var size: PixelSize
    /// The rows of the pane in which the picture is visible. The rest of the picture is not drawn.
    public var visibleRows: Range<Int>
    /// The text that is displayed in place of the picture until the first frame is available.
    public var placeholder: [TextRun]

    public init(
        key: GIFKey, position: CellPosition, size: PixelSize, visibleRows: Range<Int>, placeholder: [TextRun] = []
    ) {
        self.key = key
        self.position = position
        self.size = size
        self.visibleRows = visibleRows
        self.placeholder = placeholder
    }
}
