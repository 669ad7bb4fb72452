/// Converts the pictures on a screen to the colours that the terminal can show.
final class ScreenReducer {
    /// The cells that the terminal shows.
    let drawn: ScreenGrid
    private let format: ColorFormat
    private let palette: Palette?

    /// Returns nil if the terminal shows half-blocks in 24-bit colours, because no conversion is needed.
    init?(size: CellSize, _ format: ColorFormat, background: CellColor?) {
        guard !format.isUnchanged else { return nil }
        self.format = format
        palette = Palette(format, background: background)
        drawn = ScreenGrid(size: size)
    }

    /// Returns a picture cell with its colours converted to those of the terminal. Returns a text cell unchanged.
    func reduced(_ cell: ScreenCell, row: Int, column: Int) -> ScreenCell {
        if cell.isText { return cell }
        guard format.isFlat else {
            // Only the colours of a subcell pattern are converted, not its mask.
            return ScreenCell(
                SubcellPattern(
                    mask: cell.mask, marked: entry(for: cell.top, x: column, y: row * 2),
                    rest: entry(for: cell.bottom, x: column, y: row * 2 + 1)))
        }
        let color = entry(for: TransferFunction.shared.flattened(cell.top, cell.bottom), x: column, y: row)
        return ScreenCell(top: color, bottom: color)
    }

    private func entry(for color: CellColor, x: Int, y: Int) -> CellColor {
        palette?.entry(for: color, x: x, y: y) ?? color
    }
}
