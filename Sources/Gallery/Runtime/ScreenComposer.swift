import Catalog
import Pixels
import Playback

/// Encodes a screen and the pictures of its tiles as bytes for the terminal.
final class ScreenComposer {
    private var grid: ScreenGrid
    private var encoder: ScreenEncoder
    private var glyphs = GlyphTable()
    /// The fidelity of pictures. If it becomes finer, the next screen corrects the now excessive errors.
    var fidelity: Fidelity
    private(set) var output = ByteBuffer(capacity: 64 << 10)
    private var colors: ColorFormat
    private var background: CellColor?
    /// The subcells of the previous screen.
    private var subcells: SubcellGrid?
    private let images = TileImages()

    init(
        size: CellSize, fidelity: Fidelity = .standard, colors: ColorFormat = .standard, background: CellColor? = nil
    ) {
        grid = ScreenGrid(size: size)
        encoder = ScreenEncoder(size: size, colors: colors, background: background)
        self.fidelity = fidelity
        self.colors = colors
        self.background = background
    }

    /// Replaces the colours of the terminal. If they have changed, the next screen is sent completely.
    func setColors(_ newColors: ColorFormat, background newBackground: CellColor?) {
        // The background determines the accent colour and, if the terminal has no colours, the characters of pictures.
        let isChanged =
            newColors != colors || newColors.accent(on: newBackground) != newColors.accent(on: background)
            || (newColors.depth == .none && newBackground != background)
        colors = newColors
        background = newBackground
        if isChanged { invalidate() }
    }

    /// Discards the record of what the terminal shows, so that the next screen is sent completely.
    func invalidate() { resize(grid.size) }

    private func resize(_ size: CellSize) {
        grid = ScreenGrid(size: size)
        let mode = subcells.map { PictureMode.subcells($0) } ?? .half
        encoder = ScreenEncoder(size: size, mode: mode, colors: colors, background: background)
        glyphs = GlyphTable()
        cursor = nil
        images.discardAll()
    }

    /// Replaces ``output`` by the bytes that remove all images from the terminal.
    func removeImages() {
        output.removeAll()
        images.removeOthers(into: &output)
    }

    /// Encodes the difference between the previous screen and this one into ``output``.
    func compose(_ screen: Screen, picture: (GIFKey) -> TileFrame?) {
        if screen.size != grid.size || screen.subcells != subcells {
            subcells = screen.subcells
            resize(screen.size)
        }
        grid.clear()
        var focus = PixelRect.empty
        for tile in screen.tiles {
            // A frame of another size or other subcells was decoded for an outdated layout. Draw the placeholder.
            guard let frame = picture(tile.key), frame.mode.fits(subcells),
                frame.pixels.count == tile.size.width * tile.size.rows * frame.mode.valuesPerCell
            else {
                for run in tile.placeholder { draw(run) }
                continue
            }
            if images.place(frame, tile, of: screen, on: grid) { continue }
            if !tile.isBeside {
                focus = PixelRect(
                    x: tile.position.column, y: tile.position.row, width: tile.size.width, height: tile.size.rows)
            }
            grid.draw(
                frame.cells(columns: tile.size.width), width: tile.size.width, row: tile.position.row,
                column: tile.position.column, visible: tile.visibleRows,
                fadedInto: tile.isFaded ? background ?? .black : nil)
        }
        for run in screen.runs { draw(run) }
        output.removeAll()
        images.removeOthers(into: &output)
        encoder.encode(grid, glyphs, fidelity: fidelity, in: focus, into: &output)
        images.draw(fidelity, into: &output)
        moveCursor(to: screen.cursor)
    }

    private func draw(_ run: TextRun) {
        let attributes = TextAttributes(run.style)
        let link = run.link.map { glyphs.number(ofLink: $0) } ?? 0
        var column = run.position.column
        for character in run.text {
            let width = TerminalText.width(String(character))
            guard width > 0 else { continue }
            // Stop if only half of a wide character fits, because half a character cannot be drawn.
            guard column + width <= grid.size.columns else { return }
            let cell = ScreenCell(glyph: glyphs.index(of: character), attributes, link: link)
            grid.set(cell, row: run.position.row, column: column)
            if width > 1 { grid.set(.continuation, row: run.position.row, column: column + 1) }
            column += width
        }
    }

    private var cursor: CellPosition?

    /// Shows the cursor at `wanted`, where the user types. Hides it if `wanted` is nil.
    private func moveCursor(to wanted: CellPosition?) {
        defer { cursor = wanted }
        guard let wanted else {
            if cursor != nil { output.append("\u{1B}[?25l") }
            return
        }
        guard wanted != cursor || output.count > 0 else { return }
        output.append("\u{1B}[")
        output.appendDecimal(wanted.row + 1)
        output.append(UInt8(ascii: ";"))
        output.appendDecimal(wanted.column + 1)
        output.append(UInt8(ascii: "H"))
        if cursor == nil { output.append("\u{1B}[?25h") }
    }
}

extension PictureMode {
    /// Whether a screen with these subcells can show a picture of this mode.
    fileprivate func fits(_ subcells: SubcellGrid?) -> Bool {
        if case .subcells(let grid) = self { grid == subcells } else { true }
    }
}

extension TextAttributes {
    fileprivate init(_ style: TextStyle) {
        self = []
        if style.isBold { insert(.bold) }
        if style.isDim { insert(.dim) }
        if style.isUnderlined { insert(.underlined) }
        if style.isReversed { insert(.reversed) }
        if style.isAccented { insert(.accented) }
    }
}
