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
    /// Chooses the colours by hue before lightness. With 256 colours and with characters, mixes two entries in a pattern
    /// of 8x8 pixels (Bayer), but only where a cell is smooth, and only two colours that are almost equal. The pattern
    /// is fixed to the cells, so it does not move between frames.
    case ordered
    /// Shows the colour of the palette that is nearest in RGB.
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
        (self.depth, self.dithering, self.hasHalfBlocks) = (depth, dithering, hasHalfBlocks)
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

/// Converts a raster of 24-bit colours to a raster that the terminal can show. If necessary, replaces the colours with
/// palette colours or characters, and merges the two colours of each cell into one.
///
/// A pixel gets a new palette colour only if a 24-bit colour of its cell has changed by more than the fidelity allows.
public final class ColorReducer {
    /// The picture in the colours of the terminal.
    public let raster: PictureRaster
    private let format: ColorFormat
    private let palette: Palette?
    /// The 24-bit colours for which the pixels of ``raster`` were chosen.
    private let sources: PictureRaster
    private let transfer = TransferFunction.shared

    /// Returns nil if the terminal shows half-blocks in 24-bit colours, because no conversion is needed.
    /// - Parameters:
    ///   - size: the size of the rasters.
    ///   - background: the terminal's background colour; nil if it is unknown.
    public init?(size: PixelSize, _ format: ColorFormat, background: CellColor?) {
        guard !format.isUnchanged else { return nil }
        self.format = format
        palette = Palette(format, background: background)
        raster = PictureRaster(size: size)
        sources = PictureRaster(size: size)
        sources.pixels.update(repeating: .unknown)
    }

    /// Updates ``raster`` in the cells that `dirty` touches.
    /// - Parameters:
    ///   - source: the picture in 24-bit colours.
    ///   - fidelity: the largest change of a 24-bit colour for which no new palette colour is chosen.
    /// - Returns: the fidelity with which ``raster`` must be encoded. Palette colours must be encoded exactly.
    public func reduce(_ source: borrowing PictureRaster, dirty: PixelRect, fidelity: Fidelity) -> Fidelity {
        precondition(source.size == raster.size)
        let area = dirty.intersection(PixelRect(raster.size))
        let tolerance = (palette == nil ? Fidelity.exact : fidelity).tolerance
        for row in area.y / 2..<(area.maxY + 1) / 2 {
            for column in area.x..<area.maxX {
                let upper = row * 2 * raster.size.width + column
                let lower = upper + raster.size.width
                let (top, bottom) = (source.pixels[upper], source.pixels[lower])
                if format.isFlat {
                    let color = transfer.flattened(top, bottom)
                    guard record(color, upper, tolerance) else { continue }
                    raster.pixels[upper] = palette?.entry(for: color, x: column, y: row) ?? color
                    raster.pixels[lower] = raster.pixels[upper]
                } else {
                    let isTopChanged = record(top, upper, tolerance)
                    if record(bottom, lower, tolerance) || isTopChanged { reduceCell(upper, lower, column, row) }
                }
            }
        }
        return palette == nil ? fidelity : .exact
    }

    /// Records `color` as the source of a pixel if it differs by more than `tolerance` from the present source.
    /// - Returns: whether it differs.
    @inline(__always)
    private func record(_ color: CellColor, _ index: Int, _ tolerance: ColorTolerance) -> Bool {
        guard color.differs(from: sources.pixels[index], by: tolerance) else { return false }
        sources.pixels[index] = color
        return true
    }

    @inline(__always)
    private func reduceCell(_ upper: Int, _ lower: Int, _ column: Int, _ row: Int) {
        guard let palette else { return }
        let (top, bottom) = (sources.pixels[upper], sources.pixels[lower])
        let isSmooth = palette.isSmooth(top, bottom)
        raster.pixels[upper] = isSmooth ? palette.entry(for: top, x: column, y: row * 2) : palette.entry(for: top)
        raster.pixels[lower] =
            isSmooth ? palette.entry(for: bottom, x: column, y: row * 2 + 1) : palette.entry(for: bottom)
    }
}

extension TransferFunction {
    /// Returns the single colour for both halves of a cell. A transparent half does not affect this colour.
    func flattened(_ top: CellColor, _ bottom: CellColor) -> CellColor {
        guard top != bottom, bottom.isColor else { return top }
        return top.isColor ? color((light(top) + light(bottom)) / 2) : bottom
    }
}

/// Colours in Oklab, a colour space in which the distance of two colours is close to the visible difference.
///
/// Reference: Björn Ottosson, "A perceptual color space for image processing", 2020.
enum Oklab {
    typealias Color = SIMD4<Float>

    /// Returns the Oklab coordinates (lightness, a and b) of a colour in linear light. The fourth lane is 0.
    static func color(_ light: SIMD4<Float>) -> Color {
        let long = cubeRoot(0.412_221_47 * light.x + 0.536_332_55 * light.y + 0.051_445_995 * light.z)
        let medium = cubeRoot(0.211_903_5 * light.x + 0.680_699_5 * light.y + 0.107_396_96 * light.z)
        let short = cubeRoot(0.088_302_46 * light.x + 0.281_718_85 * light.y + 0.629_978_7 * light.z)
        return Color(0.210_454_26, 1.977_998_5, 0.025_904_037, 0) * long
            + Color(0.793_617_8, -2.428_592_2, 0.782_771_77, 0) * medium
            + Color(-0.004_072_047, 0.450_593_7, -0.808_675_77, 0) * short
    }

    /// Returns the square of the distance between two colours, with weights for the squares of the coordinates.
    @inline(__always)
    static func distance(_ left: Color, _ right: Color, _ weights: Color = .one) -> Float {
        let step = left - right
        return (step * step * weights).sum()
    }

    /// Whether the colour looks grey: its chroma is below 0.02. The chroma of a full red is 0.26.
    static func isNeutral(_ color: Color) -> Bool { color.y * color.y + color.z * color.z < 0.02 * 0.02 }

    /// Returns the colour to look for in a palette of 8 or 16 colours, which has vivid colours only: with a chroma near
    /// that of a full red and a higher contrast. The hue stays. Greys do not change.
    static func vivid(_ color: Color) -> Color {
        let chroma = (color.y * color.y + color.z * color.z).squareRoot()
        var result = color * (0.32 / (chroma + 0.07))
        result.x = color.x + 0.6 * (color.x - 0.5) * min(1, chroma / 0.04)
        return result
    }

    /// - Parameter value: a number that is not negative.
    private static func cubeRoot(_ value: Float) -> Float {
        guard value > 0 else { return 0 }
        // Dividing the bit pattern by 3 divides the exponent by 3, which results in a first estimate. Three steps of
        // Newton's method then reduce the error below the precision of Float.
        var root = Float(bitPattern: value.bitPattern / 3 + 709_921_077)
        for _ in 0..<3 { root = (2 * root + value / (root * root)) / 3 }
        return root
    }
}
