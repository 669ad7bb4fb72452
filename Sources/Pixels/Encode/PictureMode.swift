/// The way in which a terminal shows a picture.
public enum PictureMode: Equatable, Sendable {
    /// Half-blocks: 1x2 pixels per cell, each with its own colour.
    case half
    /// The subcells of a grid: two colours per cell.
    case subcells(SubcellGrid)
    /// Images of the kitty graphics protocol, with `cell` pixels per cell; see ``KittyEncoder``.
    case kitty(cell: PixelSize, KittyTransport, KittyFeatures = KittyFeatures(), firstImage: Int)
    /// Inline images of iTerm2, with `cell` pixels per cell; see ``ITerm2Encoder``.
    case iterm2(cell: PixelSize, isInTmux: Bool, playsFiles: Bool = false)
    /// Sixel graphics, with `cell` pixels per cell; see ``SixelEncoder``.
    case sixel(cell: PixelSize, background: CellColor, colors: Int, sendsWholePictures: Bool = false)

    /// The number of pixels of a cell in each direction.
    public var pixelsPerCell: PixelSize {
        switch self {
        case .half: .halfBlocks
        case .subcells(let grid): grid.size
        case .kitty(let cell, _, _, _), .iterm2(let cell, _, _), .sixel(let cell, _, _, _): cell
        }
    }

    /// Returns an encoder for updates of a terminal.
    /// - Parameter size: the ``PictureRaster/size`` of all rasters that will be encoded.
    public func makeEncoder(size: PixelSize, addressing: CursorAddressing) -> any PictureEncoder {
        switch self {
        case .half: HalfBlockEncoder(size: size, addressing: addressing)
        case .subcells(let grid): SubcellEncoder(grid, size: size, addressing: addressing)
        case .kitty(let cell, let transport, let features, let firstImage):
            KittyEncoder(
                size: size, pixelsPerCell: cell, addressing: addressing, transport: transport, features: features,
                firstImage: firstImage)
        case .iterm2(let cell, let isInTmux, let playsFiles):
            ITerm2Encoder(
                size: size, pixelsPerCell: cell, addressing: addressing, isInTmux: isInTmux, playsFiles: playsFiles)
        case .sixel(_, let background, let colors, let sendsWholePictures):
            SixelEncoder(
                size: size, addressing: addressing, background: background, colors: colors,
                sendsWholePictures: sendsWholePictures)
        }
    }

    // MARK: - Colours

    /// Returns this mode, or half-blocks if a terminal with these colours cannot show this mode. ``ColorReducer`` then
    /// converts the half-blocks to spaces or ASCII characters. Images and subcells need colours. Subcells also need
    /// UTF-8.
    public func adapted(to colors: ColorFormat) -> PictureMode {
        switch self {
        case .half: .half
        case .subcells: colors.isFlat ? .half : self
        case .kitty, .iterm2, .sixel: colors.depth == .none ? .half : self
        }
    }

    /// Returns the reducer that converts rasters to the colours of the terminal before they are encoded. Returns nil if
    /// no conversion is needed, if the encoder itself converts the colours of its patterns, or if the terminal shows
    /// images.
    /// - Parameters:
    ///   - size: the ``PictureRaster/size`` of all rasters.
    ///   - background: the terminal's background colour; nil if it is unknown.
    public func makeReducer(size: PixelSize, _ colors: ColorFormat, background: CellColor?) -> ColorReducer? {
        self == .half ? ColorReducer(size: size, colors, background: background) : nil
    }
}

/// A protocol by which terminals show images. The cases are in the order of preference.
public enum GraphicsProtocol: String, CaseIterable, Sendable {
    case kitty
    case iterm2
    case sixel
}

/// The abilities of a terminal with kitty graphics.
public struct KittyFeatures: Equatable, Sendable {
    /// Whether the terminal keeps the frames of an animation and repeats them.
    public var storesFrames: Bool
    /// Whether the terminal changes and displays single frames without showing anything else in between.
    public var swapsFrames = false
    /// Whether a change of a frame must contain the whole picture, because the terminal can lose the rest.
    public var sendsWholeFrames = false
    /// Whether pixels in commands are compressed. Compression costs more time than the transport to a local terminal.
    public var compresses: Bool

    public init(storesFrames: Bool = false, compresses: Bool = true) {
        self.storesFrames = storesFrames
        self.compresses = compresses
    }
}

/// The way in which images reach the terminal.
public enum KittyTransport: Equatable, Sendable {
    /// The graphics commands contain the pixels.
    case direct
    /// The graphics commands name objects in shared memory, because the terminal is on the same machine.
    case sharedMemory
    /// The graphics commands pass through tmux. Placeholder characters in the cells of the pane show the images.
    case tmux
}

/// Stills: pictures as lines of text, or as images, for files, pagers and previews.
extension PictureMode {
    /// Appends one line for each row of cells. Each line ends with a sequence that resets the colours. An image begins at
    /// the cursor, and a line feed follows it. Appends no cursor moves.
    /// - Parameter colors: the colours of the terminal for which the text is intended.
    public func encodeStill(
        _ raster: borrowing PictureRaster, colors: ColorFormat = .standard, into out: inout ByteBuffer
    ) {
        switch self {
        case .half:
            guard let reducer = makeReducer(size: raster.size, colors, background: nil) else {
                return Self.encodeHalfBlocks(raster, into: &out)
            }
            _ = reducer.reduce(raster, dirty: PixelRect(raster.size), fidelity: .exact)
            Self.encodeHalfBlocks(reducer.raster, into: &out)
        case .subcells(let grid):
            let fitter = SubcellFitter(grid)
            let palette = Palette(colors, background: nil)
            Self.encode(raster.cells, grid, into: &out) { row, column in
                let pattern = fitter.fit(raster, row: row, column: column)
                return palette.map { pattern.reduced($0, row, column, grid) } ?? pattern
            }
        case .kitty:
            let writer = KittyImageWriter(transport: .direct, memory: nil, compresses: false)
            encodeImages(raster, rowsPerImage: raster.cells.rows, into: &out) { file, cells, out in
                writer.writeStill(file, cells, into: &out)
            }
        case .iterm2(let cell, _, _):
            let rows = max(1, Self.largestImage / (raster.size.width * cell.height))
            encodeImages(raster, rowsPerImage: rows, into: &out) { file, cells, out in
                ITerm2Encoder.append(file, cells, movesCursor: true, into: &out)
            }
        case .sixel:
            let encoder = makeEncoder(size: raster.size, addressing: .inline(idleRow: 0))
            encoder.assumeCleared()
            var nothing: CellChanges?
            encoder.encode(raster, dirty: PixelRect(raster.size), fidelity: .exact, into: &out, recording: &nothing)
            out.append("\n")
        }
    }

    /// The largest image of iTerm2 in pixels. Its sequence is always below 1 MiB, the limit of iTerm2 and tmux.
    private static let largestImage = 250_000

    /// Appends PNG files, one below the other.
    private func encodeImages(
        _ raster: borrowing PictureRaster, rowsPerImage: Int, into out: inout ByteBuffer,
        append: (UnsafeBufferPointer<UInt8>, CellSize, inout ByteBuffer) -> Void
    ) {
        let png = PNGEncoder()
        let strips = PictureStrips(size: raster.size, pixelsPerCell: pixelsPerCell, rowsPerStrip: rowsPerImage)
        strips.update(raster, dirty: PixelRect(raster.size), tolerance: Fidelity.exact.tolerance) { strip in
            guard let file = png.encode(strip.pixels, strip.size) else { return }
            append(file, strip.cells, &out)
            out.append("\n")
        }
    }

    static func encodeHalfBlocks(_ raster: borrowing PictureRaster, into out: inout ByteBuffer) {
        let width = raster.size.width
        // The two upper quadrants of a cell are its upper half.
        encode(raster.cells, .quadrant, into: &out) { row, column in
            let upper = row * 2 * width + column
            return SubcellPattern(mask: 0b0011, marked: raster.pixels[upper], rest: raster.pixels[upper + width])
        }
    }

    private static func encode(
        _ cells: CellSize, _ grid: SubcellGrid, into out: inout ByteBuffer,
        pattern: (_ row: Int, _ column: Int) -> SubcellPattern
    ) {
        let glyphs = PackedGlyph.table(grid)
        var plan = CellPlan(capacity: cells.columns)
        var masks = Array(repeating: UInt8(0), count: cells.columns)
        for row in 0..<cells.rows {
            plan.begin()
            for column in 0..<cells.columns {
                let pattern = pattern(row, column)
                masks[column] = pattern.mask
                let (marked, rest) = (CellPlan.Half(exactly: pattern.marked), CellPlan.Half(exactly: pattern.rest))
                let glyphs = (marked: glyphs[Int(pattern.mask)], rest: glyphs[Int(~pattern.mask & grid.all)])
                let drawing = plan.cheapestDrawing(marked, rest, CellPlan.Kind(marked, rest, glyphs))
                plan.add(CellPosition(row: 0, column: Int32(truncatingIfNeeded: column)), marked, rest, drawing)
            }
            plan.finish()
            out.reserve((cells.columns + 1) * CellWriter.longestCell)
            var writer = CellWriter(.absolute(row: 1, column: 1), width: cells.columns)
            writer.assumeAtFirstCell()
            for column in 0..<plan.count {
                let cell = plan[column]
                let (foreground, background) = (plan.color(cell.foreground), plan.color(cell.background))
                if cell.glyph == .space {
                    writer.write(row: 0, column: column, .space, foreground, background, &out)
                } else {
                    let mask = cell.glyph == .upper ? masks[column] : ~masks[column] & grid.all
                    writer.write(row: 0, column: column, glyphs[Int(mask)], foreground, background, &out)
                }
            }
            writer.finish(&out)
            out.append("\n")
        }
    }
}
