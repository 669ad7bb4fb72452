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
    private var turns = TileTurns()
    /// The picture beside the tiles, which stays until that of the next GIF is there.
    private var large: TileTurns.Entry?
    /// Whether the limit has left out parts of the screen.
    private(set) var isUnfinished = false
    /// Whether a picture is sent in several updates.
    var isCut: Bool { turns.hasPartial }

    init(
        size: CellSize, fidelity: Fidelity = .standard, colors: ColorFormat = .standard, background: CellColor? = nil
    ) {
        grid = ScreenGrid(size: size)
        encoder = ScreenEncoder(size: size, colors: colors, background: background)
        (self.fidelity, self.colors, self.background) = (fidelity, colors, background)
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
        turns = TileTurns()
        large = nil
        images.discardAll()
    }

    /// Replaces ``output`` by the bytes that remove all images from the terminal.
    func removeImages() {
        output.removeAll()
        images.removeOthers(into: &output)
    }

    /// Encodes the difference between the previous screen and this one into ``output``.
    /// - Parameter limit: the number of bytes of pictures on a slow connection; nil for no limit. Pictures then wait until
    ///   all text is sent, and are sent one after the other.
    func compose(_ screen: GalleryScreen, limit: Int? = nil, picture: (TileID) -> TileFrame?) {
        if screen.size != grid.size || screen.subcells != subcells {
            subcells = screen.subcells
            resize(screen.size)
        }
        if limit == nil { turns = TileTurns() } else if turns.forgetMoved(screen.tiles) { encoder.forget() }
        grid.clear()
        let placed = place(screen, picture)
        for run in screen.runs { draw(run) }
        output.removeAll()
        images.removeOthers(into: &output)
        if let limit {
            send(placed, limit: limit)
        } else {
            isUnfinished = false
            let focus = placed.first { !$0.tile.isBeside }?.tile.rect ?? .empty
            encoder.encode(grid, glyphs, fidelity: fidelity, in: focus, into: &output)
        }
        images.draw(fidelity, into: &output)
        moveCursor(to: screen.cursor)
    }

    /// Draws the pictures of the tiles, or their placeholders.
    /// - Returns: the tiles whose pictures consist of characters.
    private func place(_ screen: GalleryScreen, _ picture: (TileID) -> TileFrame?) -> [TileTurns.Entry] {
        var placed: [TileTurns.Entry] = []
        for wanted in screen.tiles {
            var (tile, frame) = (wanted, turns.partialFrame(of: wanted) ?? picture(wanted.id))
            // A frame of another size or other subcells was decoded for an outdated layout.
            let area = tile.size.width * tile.size.rows
            if let known = frame, !known.mode.fits(subcells) || known.pixels.count != area * known.mode.valuesPerCell {
                frame = nil
            }
            if tile.isLarge {
                // The file of a tile that has a picture is decoded at once.
                if frame == nil, let large, picture(TileID(key: tile.key)) != nil { (tile, frame) = large }
                large = frame.map { (tile, $0) }
            }
            if let frame, !tile.isPrevious, images.place(frame, tile, of: screen, on: grid) { continue }
            let drawn = frame ?? TileFrame(pixels: Array(repeating: tile.fill, count: 2 * area), delay: 1, mode: .half)
            placed.append((tile, drawn))
            grid.draw(
                drawn.cells(columns: tile.size.width), width: tile.size.width, row: tile.position.row,
                column: tile.position.column, visible: tile.visibleRows,
                fadedInto: tile.isFaded ? background ?? .black : nil)
        }
        return placed
    }

    private func send(_ entries: [TileTurns.Entry], limit: Int) {
        encoder.encode(grid, glyphs, fidelity: fidelity, .text, into: &output)
        isUnfinished = output.count > 0
        guard !isUnfinished else { return }
        for entry in turns.order(entries) where !isUnfinished {
            let focus = entry.tile.isBeside ? PixelRect.empty : entry.tile.rect
            let isWhole = encoder.encode(
                grid, glyphs, fidelity: fidelity, in: focus, .picture(entry.tile.rect, limit: limit), into: &output)
            turns.note(entry, isWhole: isWhole)
            isUnfinished = !isWhole
        }
    }

    private func draw(_ run: TextRun) {
        let link = run.link.map { glyphs.number(ofLink: $0) } ?? 0
        var column = run.position.column
        for character in run.text {
            let width = TerminalText.width(String(character))
            guard width > 0 else { continue }
            // Stop if only half of a wide character fits, because half a character cannot be drawn.
            guard column + width <= grid.size.columns else { return }
            let cell = ScreenCell(glyph: glyphs.index(of: character), run.style, link: link)
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

/// The order in which the pictures of tiles are sent on a slow connection: one after the other, new ones first, and the
/// selected one in every second turn.
struct TileTurns {
    typealias Entry = (tile: TilePlacement, frame: TileFrame)

    private struct Turn {
        var tile: TilePlacement
        var number: Int
    }

    private var turns: [TileID: Turn] = [:]
    private var lastNumber = 0
    private var wasSelected = false
    /// The tile whose frame is only sent in part. It keeps this frame until the rest is sent.
    private var partial: Entry?

    var hasPartial: Bool { partial != nil }

    func partialFrame(of tile: TilePlacement) -> TileFrame? {
        partial.flatMap { $0.tile.isAtPlace(of: tile) ? $0.frame : nil }
    }

    /// Forgets the turns of tiles that have moved or are gone.
    /// - Returns: whether these are most of the tiles.
    mutating func forgetMoved(_ tiles: [TilePlacement]) -> Bool {
        let before = turns.count
        let places = Dictionary(tiles.map { ($0.id, $0) }) { first, _ in first }
        turns = turns.filter { places[$0.key]?.isAtPlace(of: $0.value.tile) == true }
        if let tile = partial?.tile, places[tile.id]?.isAtPlace(of: tile) != true { partial = nil }
        return (before - turns.count) * 2 > before
    }

    func order(_ entries: [Entry]) -> [Entry] {
        func number(_ entry: Entry) -> Int { turns[entry.tile.id]?.number ?? 0 }
        var order = entries.filter(\.tile.isBeside).sorted { number($0) < number($1) }
        if let selected = entries.first(where: { !$0.tile.isBeside }) {
            let newCount = number(selected) == 0 ? 0 : order.prefix { number($0) == 0 }.count
            order.insert(selected, at: min(newCount + (wasSelected ? 1 : 0), order.count))
        }
        if let partial, let index = order.firstIndex(where: { $0.tile.id == partial.tile.id }) {
            order.insert(order.remove(at: index), at: 0)
        }
        return order
    }

    /// - Parameter isWhole: whether the terminal has the whole frame.
    mutating func note(_ entry: Entry, isWhole: Bool) {
        partial = isWhole ? nil : entry
        guard isWhole else { return }
        lastNumber += 1
        turns[entry.tile.id] = Turn(tile: entry.tile, number: lastNumber)
        wasSelected = !entry.tile.isBeside
    }
}

extension TilePlacement {
    fileprivate func isAtPlace(of other: TilePlacement) -> Bool {
        id == other.id && position == other.position && size == other.size && visibleRows == other.visibleRows
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
    var rect: PixelRect {
        PixelRect(x: position.column, y: rows.lowerBound, width: size.width, height: rows.count)
    }

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
