import Catalog
import Pixels

/// A picture of the whole pane: text, and where GIFs stand in it. Later runs cover earlier ones, and tiles.
public struct Screen: Equatable, Sendable {
    public var size: CellSize
    public var runs: [TextRun]
    public var tiles: [TilePlacement]
    /// Where text is being typed; nil hides the cursor.
    public var cursor: CellPosition?

    public init(size: CellSize) {
        self.size = size
        runs = []
        tiles = []
    }
}

/// A row and a column of the pane, from 0.
public struct CellPosition: Hashable, Sendable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// Text in one line and one style, already safe for a terminal and cut to its room.
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

/// How text looks. No meaning hangs on colour alone.
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

/// Where a GIF's picture stands.
public struct TilePlacement: Equatable, Sendable {
    public var key: GIFKey
    /// The upper left cell; the row is negative where the tile begins above the pane.
    public var position: CellPosition
    /// The picture in half-block pixels, as in the ``TileRequest`` for it.
    public var size: PixelSize
    /// The rows of the pane that it may draw in; what lies outside is covered.
    public var visibleRows: Range<Int>
    /// What stands there while it has no frame, instead of the picture.
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
