/// The number of colours that a terminal can show.
public enum ColorDepth: Int, Sendable, CaseIterable, Comparable {
    /// No colours. A cell shows a character whose density stands for the lightness.
    case none = 0
    /// The eight colours of SGR 30 to 37.
    case eight = 3
    /// The eight colours and their bright variants, SGR 90 to 97.
    case sixteen = 4
    /// The 240 fixed colours of the 256-colour palette. The first 16 colours are not used, because users change them.
    case indexed = 8
    case direct = 24

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// The method by which a palette shows colours that it does not contain.
public enum Dithering: String, CaseIterable, Sendable {
    /// Mixes two colours of the palette in a pattern of 8x8 half-block pixels (Bayer). The pattern is fixed to the
    /// cells, so it does not move between frames.
    case ordered
    /// Shows the nearest colour of the palette.
    case none
}

/// The colour depth and the dithering that the user has selected. gifplay chooses each value that is nil.
public struct ColorPreference: Equatable, Sendable {
    public var depth: ColorDepth?
    public var dithering: Dithering?

    public init(depth: ColorDepth? = nil, dithering: Dithering? = nil) {
        self.depth = depth
        self.dithering = dithering
    }

    /// Returns the format for a terminal with these properties.
    public func format(depth detected: ColorDepth = .direct, hasHalfBlocks: Bool = true) -> ColorFormat {
        ColorFormat(depth: depth ?? detected, dithering: dithering ?? .ordered, hasHalfBlocks: hasHalfBlocks)
    }
}

/// The colour depth, the dithering and the use of half-blocks with which a terminal shows pictures.
public struct ColorFormat: Equatable, Sendable {
    public var depth: ColorDepth
    /// Dithering has no effect at the depth ``ColorDepth/direct``.
    public var dithering: Dithering
    /// Whether a cell can show two colours in half-blocks, which need UTF-8. Otherwise, it is a space in one colour.
    public var hasHalfBlocks: Bool

    public init(depth: ColorDepth = .direct, dithering: Dithering = .ordered, hasHalfBlocks: Bool = true) {
        self.depth = depth
        self.dithering = dithering
        self.hasHalfBlocks = hasHalfBlocks
    }

    /// 24-bit colours in half-blocks.
    public static let standard = ColorFormat()

    /// Returns the SGR code of the accent colour, a colour of the user's theme that is readable on the background; nil if
    /// the terminal has no colours.
    public func accent(on background: CellColor?) -> String? {
        guard depth != .none else { return nil }
        let isLight = background.map { $0.red + $0.green + $0.blue > 3 * 128 } ?? false
        return isLight ? "34" : "36"
    }

    /// Whether the colours of the picture are sent unchanged.
    var isUnchanged: Bool { depth == .direct && hasHalfBlocks }
    /// Whether a cell shows only one colour, or only one character if the terminal has no colours.
    var isFlat: Bool { depth == .none || !hasHalfBlocks }
}
