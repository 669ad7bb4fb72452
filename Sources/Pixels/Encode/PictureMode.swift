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
