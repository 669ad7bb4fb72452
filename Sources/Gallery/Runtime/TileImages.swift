import Catalog
import Pixels

/// The pictures of tiles that the terminal shows as images.
///
/// An image shares no cell with text, because kitty draws text over an image, but text replaces sixels. While text
/// covers a part of a tile, for example the list of keys, the tile consists of half-blocks.
final class TileImages {
    /// The largest number of visible sixel images, because xterm deletes the oldest of more than 16 images.
    private static let maximumSixels = 16

    /// The images that the terminal shows.
    private var images: [GIFKey: TileImage] = [:]
    private var discarded: [TileImage] = []
    /// The images of the screen that is being composed.
    private var placed: [TileImage] = []
    private var lastNumber: UInt32 = 0

    /// Reserves the visible cells of a picture.
    /// - Returns: false if the picture must consist of characters.
    func place(_ frame: TileFrame, _ tile: TilePlacement, on grid: borrowing ScreenGrid) -> Bool {
        let area = TileImage.Area(tile, frame.mode, in: grid.size)
        if case .sixel = frame.mode, placed.count >= Self.maximumSixels { return false }
        guard frame.mode.isImage, !area.rows.isEmpty, area.columns.upperBound <= grid.size.columns else { return false }
        let known = images[tile.key].flatMap { $0.area == area ? $0 : nil }
        if known == nil { lastNumber += 1 }
        let image = known ?? TileImage(tile.key, area, number: lastNumber)
        image.frame = frame
        placed.append(image)
        for row in area.rows {
            for column in area.columns { grid.set(.image(image.number), row: row, column: column) }
        }
        return true
    }

    /// Replaces each image that text covers partly by half-blocks, and discards the images that are no longer placed.
    func replaceCovered(on grid: borrowing ScreenGrid) {
        var visible: [GIFKey: TileImage] = [:]
        for image in placed where !image.drawHalfBlocksIfCovered(on: grid) { visible[image.key] = image }
        discarded += images.values.filter { visible[$0.key] !== $0 }
        images = visible
        placed = []
    }

    /// Makes the next screen draw all images again.
    func discardAll() {
        discarded += images.values
        images = [:]
    }

    /// Appends the bytes that remove the discarded images from the terminal.
    func removeDiscarded(into out: inout ByteBuffer) {
        for image in discarded { image.end(into: &out) }
        discarded = []
    }

    /// Appends the updates of the images. The cells of new images must be blank on the terminal.
    func draw(_ fidelity: Fidelity, into out: inout ByteBuffer) {
        for image in images.values.sorted(by: { $0.number < $1.number }) { image.draw(fidelity, into: &out) }
    }
}

/// The visible part of a tile as an image at a fixed position.
private final class TileImage {
    struct Area: Equatable {
        /// The row of the picture's top edge; can be above the screen.
        let top: Int
        /// The visible rows and columns of the screen.
        let rows: Range<Int>
        let columns: Range<Int>
        let mode: PictureMode

        init(_ tile: TilePlacement, _ mode: PictureMode, in size: CellSize) {
            top = tile.position.row
            rows = (top..<top + tile.size.rows).clamped(to: tile.visibleRows).clamped(to: 0..<size.rows)
            columns = tile.position.column..<tile.position.column + tile.size.width
            self.mode = mode
        }
    }

    let key: GIFKey
    let area: Area
    /// Distinguishes the cells of this image from those of other images.
    let number: UInt32
    var frame: TileFrame?
    private var shown: (frame: TileFrame, fidelity: Fidelity)?
    private let encoder: any PictureEncoder
    private let raster: PictureRaster

    init(_ key: GIFKey, _ area: Area, number: UInt32) {
        self.key = key
        self.area = area
        self.number = number
        let cell = area.mode.pixelsPerCell
        let size = PixelSize(width: area.columns.count * cell.width, height: area.rows.count * cell.height)
        raster = PictureRaster(size: size, pixelsPerCell: cell)
        encoder = area.mode.numbered(number).makeEncoder(
            size: size, addressing: .absolute(row: area.rows.lowerBound + 1, column: area.columns.lowerBound + 1))
        encoder.assumeCleared()
    }

    func drawHalfBlocksIfCovered(on grid: borrowing ScreenGrid) -> Bool {
        var free: [(row: Int, column: Int)] = []
        for row in area.rows {
            for column in area.columns where grid[row, column] == .image(number) { free.append((row, column)) }
        }
        let width = area.columns.count
        guard let frame, free.count < area.rows.count * width else { return false }
        let cells = frame.cells(columns: width)
        for (row, column) in free {
            let upper = (row - area.top) * 2 * width + column - area.columns.lowerBound
            grid.set(ScreenCell(top: cells[upper], bottom: cells[upper + width]), row: row, column: column)
        }
        return true
    }

    func draw(_ fidelity: Fidelity, into out: inout ByteBuffer) {
        guard let frame, shown?.fidelity != fidelity || shown?.frame.isSame(as: frame) != true else { return }
        shown = (frame, fidelity)
        let first = (area.rows.lowerBound - area.top) * raster.pixelsPerCell.height * raster.size.width
        _ = raster.pixels.update(fromContentsOf: frame.pixels[first..<first + raster.size.area])
        var changes: CellChanges?
        encoder.encode(
            raster, dirty: PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &changes)
    }

    func end(into out: inout ByteBuffer) { encoder.end(keepsPicture: false, into: &out) }
}

extension PictureMode {
    /// Whether pictures are images of pixels, not characters.
    var isImage: Bool {
        switch self {
        case .half, .subcells: false
        default: true
        }
    }

    /// Returns this mode with kitty's image numbers for the image `number`. They repeat after 4096 images.
    fileprivate func numbered(_ number: UInt32) -> PictureMode {
        guard case .kitty(let cell, let transport, let first) = self else { return self }
        return .kitty(cell: cell, transport, firstImage: first + Int(number & 0xFFF) * KittyEncoder.maximumStrips)
    }
}

extension TileFrame {
    /// Whether the frame has the size of the tile. If not, it was decoded for an outdated layout.
    func fits(_ tile: TilePlacement) -> Bool {
        pixels.count == tile.size.width * tile.size.rows * (mode.isImage ? mode.pixelsPerCell.area : 2)
    }

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

    fileprivate func isSame(as other: TileFrame) -> Bool {
        pixels.withUnsafeBufferPointer { own in
            other.pixels.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
        }
    }
}
