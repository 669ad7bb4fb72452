import Base
import Catalog
import Pixels
import Playback

/// The content of the whole pane: text and the positions of GIFs. Text is drawn over tiles, later text over earlier.
struct GalleryScreen: Equatable, Sendable {
    var size: CellSize
    var runs: [TextRun] = []
    var hints: [HintCells] = []
    var tiles: [TilePlacement] = []
    /// The position of the cursor while the user types a query; nil hides the cursor.
    var cursor: ScreenPosition?
    /// The subcells of the pictures; nil if all of them consist of half-blocks or are images.
    var subcells: SubcellGrid?
}

/// A row and a column of the pane, both counted from 0.
struct ScreenPosition: Hashable, Sendable {
    var row: Int
    var column: Int
}

/// Text in one line and one style. It contains no control characters and is truncated to the available width.
struct TextRun: Equatable, Sendable {
    var position: ScreenPosition
    var text: String
    var style: TextAttributes
    /// The address that the terminal opens on a click; nil if there is none or the terminal supports no hyperlinks.
    var link: String?

    init(_ text: String, at position: ScreenPosition, _ style: TextAttributes = .plain, link: String? = nil) {
        self.text = text
        self.position = position
        self.style = style
        self.link = link
    }
}

/// The cells in which a click presses a key.
struct HintCells: Equatable, Sendable {
    var row: Int
    var columns: Range<Int>
    var key: Key
}

extension TextAttributes {
    static let plain: TextAttributes = []
    /// The accent colour marks the selection. The meaning of a text must not depend on its colour.
    static let selected: TextAttributes = [.reversed, .accented]
}

struct TilePlacement: Equatable, Sendable {
    var key: GIFKey
    /// Whether it is the picture beside the tiles.
    var isLarge = false
    /// The upper left cell. The row is negative if the tile begins above the pane.
    var position: ScreenPosition
    /// The size of the picture in half-block pixels, as in its ``TileRequest``.
    var size: PixelSize
    /// The rows of the pane in which the picture is visible. The rest of the picture is not drawn.
    var visibleRows: Range<Int>
    /// Whether the picture is drawn with a coarser fidelity, because another GIF is selected.
    var isBeside = false
    /// Whether the picture is darker than the others, because the user has seen the GIF.
    var isFaded = false
    /// Whether the tile belongs to the previous listing. It is then darker and no image, because images do not fade.
    var isPrevious = false
    /// Fills the picture until its first frame is available.
    var fill = CellColor.black

    var id: TileID { TileID(key: key, isLarge: isLarge) }
}

/// Builds a screen. Truncates text to the available width and omits text outside the pane.
struct ScreenBuilder {
    var screen: GalleryScreen
    private let size: CellSize
    private let listColumns: Int
    private let hasLinks: Bool

    init(_ pane: Pane) {
        (size, listColumns, hasLinks) = (pane.size, pane.listColumns, pane.hasLinks)
        screen = GalleryScreen(size: size)
        if case .subcells(let grid) = pane.tileMode { screen.subcells = grid }
    }

    /// - Parameter room: the maximum width of the text in cells; if nil, the text can fill the rest of the row.
    /// - Parameter link: an address from a service or the library.
    mutating func write(
        _ text: String, row: Int, column: Int = 0, room: Int? = nil, _ style: TextAttributes = .plain,
        link: String? = nil
    ) {
        guard var run = run(text, row: row, column: column, room: room, style) else { return }
        if hasLinks { run.link = link.flatMap(Self.safeLink) }
        screen.runs.append(run)
    }

    mutating func writeCentered(_ text: String, row: Int, _ style: TextAttributes = .plain) {
        let text = TerminalText.fittedTitle(text, to: listColumns)
        write(text, row: row, column: (listColumns - TerminalText.width(text)) / 2, style)
    }

    /// Returns the address if it cannot end its escape sequence and terminals accept its length; otherwise nil.
    static func safeLink(_ address: String) -> String? {
        let isWeb = address.hasPrefix("https://") || address.hasPrefix("http://")
        return isWeb && address.utf8.count <= 2000 && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? address : nil
    }

    /// Writes the hints before the column `end`, with two spaces between them.
    mutating func write(_ hints: some Sequence<KeyHint>, row: Int, end: Int) {
        let text = KeyHint.line(hints)
        let column = end - TerminalText.width(text)
        write(text, row: row, column: column, .dim)
        screen.hints += KeyHint.columns(hints, from: column).map { HintCells(row: row, columns: $0, key: $1) }
    }

    mutating func setCursor(row: Int, column: Int) {
        screen.cursor = ScreenPosition(row: row, column: min(max(0, column), size.columns - 1))
    }

    func run(_ text: String, row: Int, column: Int, room: Int?, _ style: TextAttributes) -> TextRun? {
        let room = min(room ?? size.columns, size.columns - column)
        guard (0..<size.rows).contains(row), column >= 0, room > 0 else { return nil }
        // Do not change text that is already safe, because `SafeText.line` would collapse its spaces.
        let text = TerminalText.fitted(SafeText.isSafe(text) ? text : SafeText.line(text), to: room)
        return text.isEmpty ? nil : TextRun(text, at: ScreenPosition(row: row, column: column), style)
    }
}
