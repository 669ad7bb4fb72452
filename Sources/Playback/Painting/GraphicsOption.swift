import Pixels

/// Whether pixel graphics replace characters, and which graphics are used.
public enum GraphicsOption: Sendable {
    case off
    /// The best graphics that the terminal reports. Until it reports graphics, the pictures consist of characters.
    case auto
    case kitty
    case sixel
}

/// The pixel graphics of a terminal, as far as it has reported them.
public struct TerminalGraphics: Equatable, Sendable {
    public var supportsKitty = false
    public var supportsSixel = false
    /// The way in which kitty images reach the terminal. The value is `.sharedMemory` only if the terminal has reported
    /// that it supports shared memory.
    public var transport: KittyTransport
    public var features = KittyFeatures()
    /// Whether the terminal is a version of kitty that keeps frames without errors.
    public var hasSoundFrames = false
    /// The size of a cell in pixels; nil if it is unknown.
    public var cell: PixelSize?
    public var sixelColors = 256
    /// The largest sixel image in pixels; nil if it is unknown.
    public var sixelLimit: PixelSize?

    public init(transport: KittyTransport = .direct) {
        self.transport = transport
    }
}

extension PictureMode {
    /// The largest picture in pixels. It limits the memory and the bytes of a frame.
    private static let largestPicture = PixelSize(width: 1600, height: 1200)
    /// The assumed size of a cell in pixels if the size is unknown. It is small, so that a sixel picture does not cover
    /// more cells than intended.
    private static let assumedCell = PixelSize(width: 8, height: 16)

    /// The mode for a terminal. Inside tmux, kitty graphics are never reported, so only the user can choose them.
    init(_ options: PlaybackOptions, _ traits: TerminalTraits, pane: CellSize) {
        let graphics = traits.graphics
        let cell = graphics.cell ?? Self.assumedCell
        switch options.graphics {
        case .kitty,
            .auto where graphics.supportsKitty:
            var features = graphics.features
            features.storesFrames = features.storesFrames && options.loops != .times(1)
            self = .kitty(cell: Self.reduced(cell, pane), graphics.transport, features, firstImage: options.firstImage)
        case .sixel,
            .auto where graphics.supportsSixel && graphics.cell != nil:
            self = .sixel(
                cell: cell, background: options.background ?? traits.background ?? .black, colors: graphics.sixelColors)
        case .auto, .off: self = options.mode
        }
    }

    /// Returns the number of pixels to draw per cell: the size of the cell, or less if a picture that fills `pane` would
    /// exceed ``largestPicture``. If it is less, the terminal enlarges the picture.
    private static func reduced(_ cell: PixelSize, _ pane: CellSize) -> PixelSize {
        let scale = min(
            1, Double(largestPicture.width) / Double(cell.width * pane.columns),
            Double(largestPicture.height) / Double(cell.height * pane.rows))
        return PixelSize(
            width: max(1, Int(Double(cell.width) * scale)), height: max(1, Int(Double(cell.height) * scale)))
    }

    /// Whether the cells of the picture contain characters. For kitty images, this is true only inside tmux, where
    /// placeholder characters show the images.
    var hasCharacters: Bool {
        switch self {
        case .half, .subcells, .kitty(_, .tmux, _, _): true
        case .kitty, .sixel: false
        }
    }

    /// Whether a picture in the last row of the screen scrolls the screen in some terminals.
    var scrollsInLastRow: Bool { if case .sixel = self { true } else { false } }

    /// Returns the part of `box` that a picture of this mode can fill.
    func limited(_ box: CellSize, _ graphics: TerminalGraphics) -> CellSize {
        switch self {
        case .sixel(let cell, _, _):
            let limit = graphics.sixelLimit ?? Self.largestPicture
            return CellSize(
                columns: max(1, min(box.columns, min(limit.width, Self.largestPicture.width) / cell.width)),
                rows: max(1, min(box.rows, min(limit.height, Self.largestPicture.height) / cell.height)))
        case .kitty(_, .tmux, _, _):
            return CellSize(
                columns: min(box.columns, KittyEncoder.maximumPlaceholderColumns), rows: box.rows)
        default: return box
        }
    }
}
