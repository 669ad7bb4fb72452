/// The colour of half a cell: 0x00RRGGBB, or a special value above 0x00FFFFFF.
public struct CellColor: Equatable, Sendable {
    public let bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    public init(red: UInt8, green: UInt8, blue: UInt8) { bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    public static let black = CellColor(bits: 0)
    /// The terminal's own background, a value that is not equal to any RGB colour, not even to the background's.
    public static let terminalDefault = CellColor(bits: 0x0100_0000)
    /// The special value for a half-cell whose displayed colour is unknown. It is not equal to any RGB colour.
    public static let unknown = CellColor(bits: 0x0200_0000)

    /// Returns the special value for the colour with this number in the terminal's palette.
    public static func palette(_ number: UInt8) -> CellColor { CellColor(bits: paletteKind | UInt32(number)) }
    static let paletteKind: UInt32 = 0x0300_0000
    /// The special value for the first character of ``CharacterRamp``. The lowest byte is the character's number.
    static let characterKind: UInt32 = 0x0400_0000

    public var red: Int { Int(bits >> 16 & 0xFF) }
    public var green: Int { Int(bits >> 8 & 0xFF) }
    public var blue: Int { Int(bits & 0xFF) }

    /// Whether this value is one of the 16,777,216 RGB colours, not a special value.
    @inline(__always)
    var isColor: Bool { bits <= 0xFF_FFFF }
    var isPalette: Bool { bits >> 24 == Self.paletteKind >> 24 }
    @inline(__always)
    var isCharacter: Bool { bits >= Self.characterKind }
    /// The number of a palette colour or of a character.
    var number: Int { Int(bits & 0xFF) }

    /// Returns whether the terminal must be sent this colour if it shows `other`. A special value is equal only to
    /// itself, regardless of the tolerance.
    @inline(__always)
    func differs(from other: CellColor, by tolerance: ColorTolerance) -> Bool {
        bits != other.bits && (!isColor || tolerance.isExceeded(UInt64(bits), UInt64(other.bits)))
    }
}

/// The background behind the transparent pixels of a GIF.
public enum Backdrop: Equatable, Sendable {
    /// The terminal's own background has this colour. Fully transparent pixels show the background itself. Partly
    /// transparent pixels are blended with this colour.
    case terminal(CellColor)
    /// The colour of the terminal's background is unknown, and a blend with a wrong colour would look like a fringe.
    /// Therefore a pixel is not blended: it shows the background if it is less than half covered, and otherwise the
    /// average colour of the opaque canvas pixels in it.
    case unknownTerminal
    /// All transparent pixels show this colour, which the user selected.
    case solid(CellColor)
}
