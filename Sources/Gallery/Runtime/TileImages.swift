import Catalog
import Pixels
import Playback

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
