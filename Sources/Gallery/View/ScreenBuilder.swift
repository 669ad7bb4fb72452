import Base
import Pixels
import Playback

/// Builds a screen. Truncates text to the available width and omits text outside the pane.
struct ScreenBuilder {
    private(set) var screen: Screen
    private let size: CellSize

    init(_ size: CellSize) {
        self.size = size
        screen = Screen(size: size)
    }

    /// - Parameter room: the maximum width of the text in cells; if nil, the text can fill the rest of the row.
    mutating func write(_ text: String, row: Int, column: Int = 0, room: Int? = nil, _ style: TextStyle = .plain) {
        guard let run = run(text, row: row, column: column, room: room, style) else { return }
        screen.runs.append(run)
    }

    /// Writes a text in the middle of the row.
    mutating func writeCentered(_ text: String, row: Int, _ style: TextStyle = .plain) {
        let text = TerminalText.fitted(text, to: size.columns)
        write(text, row: row, column: (size.columns - TerminalText.width(text)) / 2, style)
    }

    /// Writes one text at the left end of the row and one at the right end. Omits the right text if there is not enough
    /// space for both.
    mutating func write(_ left: String, right: String, row: Int, _ style: TextStyle = .plain) {
        let width = TerminalText.width(right)
        let fits = TerminalText.width(left) + width + 2 <= size.columns
        write(left, row: row, style)
        if fits, !right.isEmpty { write(right, row: row, column: size.columns - width, .dim) }
    }

    mutating func add(_ runs: [TextRun]) { screen.runs += runs }

    mutating func addTile(_ tile: TilePlacement) { screen.tiles.append(tile) }

    mutating func setCursor(row: Int, column: Int) {
        screen.cursor = CellPosition(row: row, column: min(max(0, column), size.columns - 1))
    }

    func run(_ text: String, row: Int, column: Int, room: Int?, _ style: TextStyle) -> TextRun? {
        let room = min(room ?? size.columns, size.columns - column)
        guard (0..<size.rows).contains(row), column >= 0, room > 0 else { return nil }
        // Do not change text that is already safe, because `SafeText.line` would collapse its spaces.
        let text = TerminalText.fitted(SafeText.isSafe(text) ? text : SafeText.line(text), to: room)
        return text.isEmpty ? nil : TextRun(text, at: CellPosition(row: row, column: column), style)
    }
}
