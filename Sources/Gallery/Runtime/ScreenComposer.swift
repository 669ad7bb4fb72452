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
    func compose(_ screen: GalleryScreen, picture: (GIFKey) -> TileFrame?) {
        if screen.size != grid.size || screen.subcells != subcells {
            subcells = screen.subcells
            resize(screen.size)
        }
        grid.clear()
        var focus = PixelRect.empty
        for tile in screen.tiles {
            let area = tile.size.width * tile.size.rows
            var cells: [CellColor]?
            // A frame of another size or other subcells was decoded for an outdated layout.
            if let frame = picture(tile.key), frame.mode.fits(subcells),
                frame.pixels.count == area * frame.mode.valuesPerCell
            {
                if !tile.isPrevious, images.place(frame, tile, of: screen, on: grid) { continue }
                if !tile.isBeside {
                    focus = PixelRect(
                        x: tile.position.column, y: tile.position.row, width: tile.size.width, height: tile.size.rows)
                }
                cells = frame.cells(columns: tile.size.width)
            }
            grid.draw(
                cells ?? Array(repeating: tile.fill, count: 2 * area), width: tile.size.width, row: tile.position.row,
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

    private var cursor: ScreenPosition?

    /// Shows the cursor at `wanted`, where the user types. Hides it if `wanted` is nil.
    private func moveCursor(to wanted: ScreenPosition?) {
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

/// The pictures of tiles that the terminal shows as images.
///
/// An image shares no cell with text: kitty would draw the text over it, and sixels would lose these cells.
final class TileImages {
    /// The largest number of visible sixel images, because xterm deletes the oldest of more than 16 images.
    private static let maximumSixels = 16

    private var shown: [TileImage] = []
    private var discarded: [TileImage] = []
    /// The images of the screen that is being composed.
    private var placed: [TileImage] = []
    private var lastNumber = 0

    /// Reserves the visible cells of a picture.
    /// - Returns: false if the picture must consist of characters.
    func place(
        _ frame: TileFrame, _ tile: TilePlacement, of screen: GalleryScreen, on grid: borrowing ScreenGrid
    ) -> Bool {
        if case .sixel = frame.mode, placed.count >= Self.maximumSixels { return false }
        guard frame.mode.isImage, !tile.rows.isEmpty, !screen.runs.contains(where: tile.isCovered) else { return false }
        let known = shown.first { $0.tile == tile && $0.frame.mode == frame.mode }
        if known == nil { lastNumber += 1 }
        let image = known ?? TileImage(tile, frame, number: lastNumber)
        image.frame = frame
        placed.append(image)
        for row in tile.rows { for column in tile.columns { grid.set(.image(image.number), row: row, column: column) } }
        return true
    }

    /// Makes the next screen draw all images again.
    func discardAll() { (shown, discarded) = ([], discarded + shown) }

    /// Appends the bytes that remove the images that were not placed since the previous call.
    func removeOthers(into out: inout ByteBuffer) {
        for image in discarded + shown where !placed.contains(where: { $0 === image }) {
            image.encoder.end(keepsPicture: false, into: &out)
        }
        (shown, placed, discarded) = (placed, [], [])
    }

    /// Appends the updates of the images. The cells of new images must be blank on the terminal.
    func draw(_ fidelity: Fidelity, into out: inout ByteBuffer) {
        for image in shown { image.draw(fidelity, into: &out) }
    }
}

/// The visible part of a tile as an image at a fixed position.
private final class TileImage {
    let tile: TilePlacement
    var frame: TileFrame
    /// Distinguishes the cells of this image from those of other images.
    let number: Int
    let encoder: any PictureEncoder
    private let raster: PictureRaster
    private var shown: [CellColor] = []

    init(_ tile: TilePlacement, _ frame: TileFrame, number: Int) {
        (self.tile, self.frame, self.number) = (tile, frame, number)
        let cell = frame.mode.pixelsPerCell
        let size = PixelSize(width: tile.size.width * cell.width, height: tile.rows.count * cell.height)
        raster = PictureRaster(size: size, pixelsPerCell: cell)
        encoder = frame.mode.numbered(number).makeEncoder(
            size: size, addressing: .absolute(row: tile.rows.lowerBound + 1, column: tile.position.column + 1))
        encoder.assumeCleared()
    }

    func draw(_ fidelity: Fidelity, into out: inout ByteBuffer) {
        // The comparison of equal arrays is quick, because they share their storage.
        guard shown != frame.pixels else { return }
        shown = frame.pixels
        let first = (tile.rows.lowerBound - tile.position.row) * raster.pixelsPerCell.height * raster.size.width
        _ = raster.pixels.update(fromContentsOf: frame.pixels[first..<first + raster.size.area])
        var changes: CellChanges?
        encoder.encode(raster, dirty: PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &changes)
    }
}

extension TilePlacement {
    /// The rows and columns of the pane in which the picture is visible.
    fileprivate var rows: Range<Int> { (position.row..<position.row + size.rows).clamped(to: visibleRows) }
    fileprivate var columns: Range<Int> { position.column..<position.column + size.width }

    fileprivate func isCovered(by run: TextRun) -> Bool {
        guard rows.contains(run.position.row) else { return false }
        let start = run.position.column
        return (start..<start + TerminalText.width(run.text)).overlaps(columns)
    }
}

extension PictureMode {
    /// Whether pictures are images of pixels, not characters.
    var isImage: Bool {
        switch self {
        case .half, .subcells: false
        default: true
        }
    }

    /// The length of ``TileFrame/pixels`` per cell.
    var valuesPerCell: Int { isImage ? pixelsPerCell.area : 2 }

    /// Returns this mode with kitty's image numbers for the image `number`. They have 24 bits.
    fileprivate func numbered(_ number: Int) -> PictureMode {
        guard case .kitty(let cell, let transport, var features, let first) = self else { return self }
        features.storesFrames = false
        let image = first + (number & 0x3_FFFF) * KittyEncoder.imageCount
        return .kitty(cell: cell, transport, features, firstImage: image)
    }
}

extension TileFrame {
    /// Returns two values for each cell. For an image, these are the average colours of the half-blocks.
    func cells(columns: Int) -> [CellColor] {
        guard mode.isImage else { return pixels }
        let cell = mode.pixelsPerCell
        return (0..<pixels.count / cell.area * 2).map { index in
            let (half, left) = (index / columns, index % columns * cell.width)
            let first = half * cell.height / 2
            let lines = first..<max(first + 1, (half + 1) * cell.height / 2)
            let colors = lines.flatMap { pixels[($0 * columns * cell.width + left)...].prefix(cell.width) }
                .filter { $0 != .terminalDefault }
            guard colors.count * 2 > lines.count * cell.width else { return .terminalDefault }
            let mean = colors.reduce(SIMD3<Int>.zero) { $0 &+ SIMD3($1.red, $1.green, $1.blue) } / colors.count
            return CellColor(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
        }
    }
}
