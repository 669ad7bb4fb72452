/// The colours of the terminal palettes.
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
        case .eight: return basic.prefix(8).enumerated().map { (UInt8($0.offset), $0.element) }
        case .sixteen: return basic.enumerated().map { (UInt8($0.offset), $0.element) }
        case .indexed: return (16...255).map { (UInt8($0), indexed($0)) }
        }
    }

    /// Colours 16 to 231 are a cube of six levels per channel. Colours 232 to 255 are greys.
    private static func indexed(_ number: Int) -> UInt32 {
        guard number < 232 else { return UInt32(8 + 10 * (number - 232)) * 0x01_0101 }
        let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
        let cube = number - 16
        return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
    }
}

/// The characters that stand for lightness on a terminal without colours, from empty to dense.
enum CharacterRamp {
    /// The ASCII codes of " .:*+=xo#@".
    static let characters: InlineArray<10, UInt8> = [0x20, 0x2E, 0x3A, 0x2A, 0x2B, 0x3D, 0x78, 0x6F, 0x23, 0x40]
    /// How much of its cell each character of DejaVu Sans Mono fills, relative to the densest character.
    static let coverage: InlineArray<10, Float> = [0, 0.095, 0.188, 0.346, 0.404, 0.444, 0.529, 0.645, 0.875, 1]
}
