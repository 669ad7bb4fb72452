/// Converts 24-bit colours to palette colours, or to characters of ``CharacterRamp``.
///
/// Colours are rounded to 6 bits per channel. For each rounded colour, a table stores the choice of palette entries. A
/// choice is computed when it is first needed. With ordered dithering, a choice of characters or of 256 colours can
/// consist of two entries and the share of the second entry. The weighted average of the two entries in linear light,
/// which the eye perceives, approximates the colour. The colours of a palette of 8 or 16 are too far apart for that: a
/// cell is so large that the eye sees the pattern in place of the average. 256 colours without dithering need no table.
final class Palette {
    private struct Entry {
        let light: SIMD4<Float>
        let encoded: SIMD4<Float>
        let color: Oklab.Color
        let number: UInt32

        init(_ light: SIMD4<Float>, number: Int) {
            self.light = light
            let rgb = TransferFunction.shared.color(light)
            encoded = SIMD4(Float(rgb.red), Float(rgb.green), Float(rgb.blue), 0) / 255
            color = Oklab.color(light)
            self.number = UInt32(number)
        }
    }

    private let entries: [Entry]
    /// The results of ``sortedEntries(_:)``, each computed when it is first needed. Empty except for 256
    /// colours; all entries are then compared.
    private var neighbours: [[Entry]] = []
    private let isGrey: Bool
    /// Whether the colours are the 240 fixed ones, without dithering. ``PaletteColors/nearest(to:)`` then replaces the
    /// table, whose rounding to 6 bits would cost 0.6 dB in greys.
    private let isDirect: Bool
    private let dithering: Dithering
    /// Whether a choice can consist of two entries.
    private let isMixing: Bool
    /// The cost of a visible dither pattern, for differences of lightness, a and b. With a higher value, the two mixed
    /// colours are more alike.
    private let patternCost: Oklab.Color
    /// The highest ``patternCost`` of two mixed colours.
    private let patternLimit: Float
    /// The cost of a wrong colour. With a palette, a wrong hue costs more than a wrong lightness.
    private let errorCost: Oklab.Color
    /// Whether the palette has 8 or 16 colours. Greys are then shown in neutral entries only. The entry nearest to a
    /// grey is red or cyan.
    private let isSmall: Bool
    /// The smallest share that an entry can have in a mixture, in 64ths. A smaller share would show isolated dots,
    /// which are conspicuous with 256 colours, for example blue dots in a night sky.
    private let leastShare: Float
    /// Differences up to this tolerance are part of a smooth area, not of an outline.
    private let smoothness = Fidelity.low.tolerance
    /// The part of ``CellColor/bits`` that is the same for all entries.
    private let kind: UInt32
    private let transparent: CellColor
    /// Bits 0 to 7: the number of the first entry. Bits 8 to 15: the number of the second. Bits 16 to 23: the share of
    /// the second entry in 64ths. Bit 24 is set if the choice is known.
    private let choices: UnsafeMutablePointer<UInt32>

    /// Returns nil for the depth ``ColorDepth/direct``.
    /// - Parameters:
    ///   - background: the terminal's background colour; nil if it is unknown. On a light background, dense characters
    ///     stand for dark colours.
    ///   - hasPatterns: false for small pictures, in which a pattern of palette colours hides the shapes.
    init?(_ format: ColorFormat, background: CellColor?, hasPatterns: Bool = true) {
        guard format.depth != .direct else { return nil }
        isGrey = format.depth == .none
        dithering = format.dithering
        isDirect = format.depth == .indexed && dithering == .none
        // These values were chosen by eye. A higher limit or a lower cost causes visible patterns in flat areas.
        isSmall = format.depth == .eight || format.depth == .sixteen
        isMixing = dithering == .ordered && (isGrey || format.depth == .indexed && hasPatterns)
        errorCost = isGrey ? .one : isSmall ? [0.4, 1, 1, 0] : [1, 2, 2, 0]
        patternCost = errorCost * 0.25
        patternLimit = isGrey ? .infinity : 0.25 * 0.036 * 0.036
        leastShare = isGrey ? 1 : 12
        let transfer = TransferFunction.shared
        if isGrey {
            let isLight = background.map { Self.luminance(transfer.light($0)) > 0.18 } ?? false
            entries = CharacterRamp.coverage.indices.map { index in
                let coverage = CharacterRamp.coverage[index]
                return Entry(SIMD4(SIMD3(repeating: isLight ? 1 - coverage : coverage), 0), number: index)
            }
            kind = CellColor.characterKind
            transparent = CellColor(bits: CellColor.characterKind)
        } else {
            entries = PaletteColors.entries(format.depth).map { number, rgb in
                Entry(transfer.light(CellColor(bits: rgb)), number: Int(number))
            }
            kind = CellColor.paletteKind
            transparent = .terminalDefault
        }
        if format.depth == .indexed { neighbours = Array(repeating: [], count: entries.count) }
        choices = .allocate(capacity: 1 << 18)
        choices.initialize(repeating: 0, count: 1 << 18)
    }

    deinit { choices.deallocate() }

    /// Returns the palette colour nearest to `color`, or a character if the terminal has no colours.
    @inline(__always)
    func entry(for color: CellColor) -> CellColor {
        guard color.isColor else { return color == .terminalDefault ? transparent : color }
        return CellColor(bits: kind | storedChoice(color) & 0xFF)
    }

    /// Returns the palette colour or the character that shows `color` in a smooth area. The result depends on the
    /// position of the pixel, because of dithering.
    /// - Parameters:
    ///   - x: the column of the pixel.
    ///   - y: the row of the pixel, in half-blocks, in subcells or in cells.
    @inline(__always)
    func entry(for color: CellColor, x: Int, y: Int) -> CellColor {
        guard color.isColor else { return entry(for: color) }
        let choice = storedChoice(color)
        let isSecond = Self.threshold(x, y) < choice &>> 16 & 0xFF
        return CellColor(bits: kind | (isSecond ? choice &>> 8 : choice) & 0xFF)
    }

    /// Whether a cell of these colours is part of a smooth area, in which colours can be mixed. Only the cell itself
    /// counts: with its neighbours, a cell would change although its own pixels do not.
    @inline(__always)
    func isSmooth(_ first: CellColor, _ second: CellColor) -> Bool {
        isMixing && !first.differs(from: second, by: smoothness)
    }

    /// Whether `color` is shown in two mixed entries.
    func isMixed(_ color: CellColor) -> Bool { color.isColor && storedChoice(color) &>> 16 & 0xFF != 0 }

    // MARK: - The table

    @inline(__always)
    private func storedChoice(_ color: CellColor) -> UInt32 {
        if isDirect { return PaletteColors.nearest(to: color) }
        let key = Self.key(color)
        if choices[key] == 0 { choices[key] = choose(key) }
        return choices[key]
    }

    @inline(__always)
    private static func key(_ color: CellColor) -> Int {
        // Rounds each channel to 6 bits.
        func rounded(_ channel: Int) -> Int { (channel &* 253 &+ 505) &>> 10 }
        return rounded(color.red) &<< 12 | rounded(color.green) &<< 6 | rounded(color.blue)
    }

    /// Returns `color` after rounding to 6 bits per channel, the precision of the table.
    static func representative(of color: CellColor) -> CellColor { representative(key(color)) }

    private static func representative(_ key: Int) -> CellColor {
        func widened(_ channel: Int) -> UInt8 { UInt8(truncatingIfNeeded: ((channel & 63) * 259 + 33) >> 6) }
        return CellColor(red: widened(key >> 12), green: widened(key >> 6), blue: widened(key))
    }

    private static let lumaWeights = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0)

    private static func luminance(_ light: SIMD4<Float>) -> Float { (light * lumaWeights).sum() }

    @inline(never)
    private func choose(_ key: Int) -> UInt32 {
        var light = TransferFunction.shared.light(Self.representative(key))
        if isGrey { light = SIMD4(SIMD3(repeating: Self.luminance(light)), 0) }
        let wanted = Entry(light, number: 0)
        let isNeutral = isSmall && Oklab.isNeutral(wanted.color)
        var allowed = isNeutral ? entries.filter { Oklab.isNeutral($0.color) } : entries
        let target = isSmall ? Oklab.vivid(wanted.color) : wanted.color
        var (nearest, lowest) = (allowed[0], Float.infinity)
        var (start, reach) = (nearest, Float.infinity)
        if !neighbours.isEmpty {
            // The entry with the lowest cost is at most twice as far away from the entry nearest in RGB as the colour is.
            start = entries[Int(PaletteColors.nearest(to: Self.representative(key))) - 16]
            reach = 4 * Oklab.distance(wanted.color, start.color, errorCost)
            allowed = sortedEntries(start)
        }
        for entry in allowed {
            if reach < .infinity, Oklab.distance(start.color, entry.color, errorCost) > reach { break }
            // Without a pattern, distances in Oklab would show too many shadows in a bright colour, because palettes
            // have few dark colours.
            var cost =
                dithering == .none
                ? Oklab.distance(wanted.encoded, entry.encoded)
                : Oklab.distance(target, entry.color, errorCost)
            // A colour of the palette itself is not made more vivid.
            if isSmall, Oklab.distance(wanted.color, entry.color) < 0.02 * 0.02 { cost = 0 }
            if cost < lowest { (nearest, lowest) = (entry, cost) }
        }
        var best = nearest.number
        if isMixing { mix(nearest, sortedEntries(nearest), for: wanted, below: &lowest, &best) }
        return 1 << 24 | best
    }

    /// Returns all entries; those of the 256 colours in the order of their contrast to `entry`.
    private func sortedEntries(_ entry: Entry) -> [Entry] {
        guard !neighbours.isEmpty else { return entries }
        let index = Int(entry.number) - 16
        if neighbours[index].isEmpty {
            let distances = entries.map { (Oklab.distance(entry.color, $0.color, errorCost), $0) }
            neighbours[index] = distances.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return neighbours[index]
    }

    /// Replaces `best`, a choice as in ``choices`` with the cost `lowest`, if a mixture of `first` and one of the other
    /// entries costs less.
    private func mix(
        _ first: Entry, _ others: [Entry], for wanted: Entry, below lowest: inout Float, _ best: inout UInt32
    ) {
        // The smallest share has the weakest pattern. Most entries are too far away even for that.
        let leastPattern = leastShare / 64 * (1 - leastShare / 64)
        for entry in others {
            let contrast = Oklab.distance(first.color, entry.color, patternCost)
            guard contrast <= patternLimit, contrast * leastPattern < lowest else {
                if neighbours.isEmpty { continue } else { break }
            }
            let step = (entry.light - first.light) * Self.lumaWeights
            let length = (step * (entry.light - first.light)).sum()
            guard length > 0 else { continue }
            let share = (((wanted.light - first.light) * step).sum() / length * 64).rounded()
            guard share >= leastShare, share <= 64 - leastShare else { continue }
            let part = share / 64
            let pattern = part * (1 - part) * contrast
            guard pattern < lowest else { continue }
            let average = Oklab.color(first.light + (entry.light - first.light) * part)
            let cost = pattern + Oklab.distance(average, wanted.color, errorCost)
            if cost < lowest { (lowest, best) = (cost, first.number | entry.number << 8 | UInt32(share) << 16) }
        }
    }

    // MARK: - The pattern

    /// Returns an element of the Bayer matrix of 8x8 elements, from 0 to 63.
    @inline(__always)
    private static func threshold(_ x: Int, _ y: Int) -> UInt32 {
        // Interleaves the lowest three bits of `x ^ y` with those of `y`, in reverse order: the lowest bits become the
        // highest bits.
        let mixed = x ^ y
        let high = (mixed & 1) &<< 5 | (y & 1) &<< 4
        let middle = (mixed & 2) &<< 2 | (y & 2) &<< 1
        let low = (mixed & 4) &>> 1 | (y & 4) &>> 2
        return UInt32(truncatingIfNeeded: high | middle | low)
    }
}

extension TransferFunction {
    /// Returns the linear light of an RGB colour: red, green and blue from 0 to 1, and 0 in the fourth lane.
    @inline(__always)
    func light(_ color: CellColor) -> SIMD4<Float> {
        SIMD4(linear[color.red], linear[color.green], linear[color.blue], 0)
    }
}

enum PaletteColors {
    /// xterm's defaults of colours 0 to 15. Terminals and users change them, but seldom beyond recognition.
    private static let basic: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    /// Returns the number of each colour of a palette, and its RGB value as 0xRRGGBB.
    static func entries(_ depth: ColorDepth) -> [(number: UInt8, rgb: UInt32)] {
        switch depth {
        case .none, .direct: return []
        case .eight, .sixteen: return basic.prefix(1 << depth.rawValue).enumerated().map { (UInt8($0), $1) }
        case .indexed: return (16...255).map { (UInt8($0), indexed($0)) }
        }
    }

    /// Returns the number of the colour from 16 to 255 that is nearest in RGB.
    static func nearest(to color: CellColor) -> UInt32 {
        // The limits are the middles between the levels 0, 95, 135, 175, 215 and 255.
        func level(_ channel: Int) -> Int { channel < 48 ? 0 : channel < 115 ? 1 : (channel - 35) / 40 }
        let cube = 16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue)
        let grey = 232 + max(0, min(23, (color.red + color.green + color.blue - 9) / 30))
        func distance(_ number: Int) -> Int {
            let entry = CellColor(bits: indexed(number))
            let (red, green, blue) = (color.red - entry.red, color.green - entry.green, color.blue - entry.blue)
            return red * red + green * green + blue * blue
        }
        return UInt32(distance(grey) < distance(cube) ? grey : cube)
    }

    /// Colours 16 to 231 are a cube of six levels per channel. Colours 232 to 255 are greys.
    private static func indexed(_ number: Int) -> UInt32 {
        guard number < 232 else { return UInt32(8 + 10 * (number - 232)) * 0x01_0101 }
        func value(_ level: Int) -> UInt32 { level == 0 ? 0 : UInt32(55 + 40 * level) }
        let cube = number - 16
        return value(cube / 36) << 16 | value(cube / 6 % 6) << 8 | value(cube % 6)
    }
}

/// The characters that stand for lightness on a terminal without colours, from empty to dense.
enum CharacterRamp {
    /// The ASCII codes of " .:*+=xo#@".
    static let characters: [UInt8] = [0x20, 0x2E, 0x3A, 0x2A, 0x2B, 0x3D, 0x78, 0x6F, 0x23, 0x40]
    /// How much of its cell each character of DejaVu Sans Mono fills, relative to the densest character.
    static let coverage: [Float] = [0, 0.095, 0.188, 0.346, 0.404, 0.444, 0.529, 0.645, 0.875, 1]
}
