import Pixels
import Playback

/// How a pane is divided: size in, rows and columns out.
///
/// Small panes give up the lines of words one by one, so that something of a picture is left in any.
struct Pane: Equatable, Sendable {
    /// At least 1x1, whatever the terminal says.
    let size: CellSize
    let cellAspect: Double
    /// Nil where the search field has no line of its own; then it takes the last one while it is typed in.
    let field: Int?
    let feeds: Int?
    let content: Range<Int>
    /// The line that names whose the selected GIF is, where it is not in the status line.
    let credit: Int?
    let status: Int?

    let columnCount: Int
    /// From one column of the gallery to the next.
    let pitch: Int
    /// Left of each picture, for the mark of the selected.
    let gutter: Int
    /// The widest picture of the gallery.
    let pictureColumns: Int

    /// A column of the gallery is never narrower than this where there are two.
    static let narrowestColumn = 30
    static let fewestRowsForChrome = 7
    static let fewestRowsForAir = 14

    init(_ traits: TerminalTraits) {
        size = CellSize(columns: max(1, traits.size.columns), rows: max(1, traits.size.rows))
        cellAspect = traits.cellAspect > 0 && traits.cellAspect.isFinite ? traits.cellAspect : 2
        let rows = size.rows
        switch rows {
        case ..<2: (field, feeds, content, credit, status) = (nil, nil, 0..<rows, nil, nil)
        case ..<Self.fewestRowsForChrome:
            (field, feeds, content, credit, status) = (nil, nil, 0..<rows - 1, nil, rows - 1)
        case ..<Self.fewestRowsForAir:
            (field, feeds, content, credit, status) = (0, 1, 2..<rows - 1, nil, rows - 1)
        default: (field, feeds, content, credit, status) = (0, 1, 3..<rows - 2, rows - 2, rows - 1)
        }
        columnCount = max(1, size.columns / Self.narrowestColumn)
        pitch = size.columns / columnCount
        gutter = size.columns >= 8 ? 1 : 0
        pictureColumns = max(1, pitch - 2 * gutter)
    }

    /// The line where words are typed.
    var typingRow: Int { field ?? size.rows - 1 }

    /// A tile's picture may be this high: with its title it fits the gallery.
    var pictureRows: Int { max(1, content.count - 1) }

    /// A picture of the gallery, in half-block pixels.
    func target(for canvas: PixelSize) -> PixelSize {
        Fit(cellAspect: cellAspect).target(for: canvas, in: CellSize(columns: pictureColumns, rows: pictureRows))
    }

    /// The lines of words below the picture of the full view.
    var fullLines: Int {
        switch size.rows {
        case ..<2: 0
        case ..<Self.fewestRowsForChrome: 1
        case ..<Self.fewestRowsForAir: 2
        default: 5
        }
    }

    /// The picture of the full view, in half-block pixels, and where it begins.
    func fullPicture(for canvas: PixelSize) -> (size: PixelSize, position: CellPosition) {
        let box = CellSize(columns: size.columns, rows: max(1, size.rows - fullLines))
        let picture = Fit(cellAspect: cellAspect).target(for: canvas, in: box)
        let position = CellPosition(
            row: (box.rows - picture.rows) / 2, column: (box.columns - picture.width) / 2)
        return (picture, position)
    }
}

extension PixelSize {
    /// The rows of cells that so many half-block pixels take.
    var rows: Int { (height + 1) / 2 }
}
