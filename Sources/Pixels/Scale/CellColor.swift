/// The colour of half a cell: 0x00RRGGBB, or one of two special values above 0x00FFFFFF.
public struct CellColor: Equatable, Sendable {
    public let bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    public static let black = CellColor(bits: 0)
    /// The terminal's own background. This special value is not equal to any RGB colour, not even to that of the
    /// background.
    public static let terminalDefault = CellColor(bits: 0x0100_0000)
    /// The special value for a half-cell whose displayed colour is unknown. It is not equal to any RGB colour.
    public static let unknown = CellColor(bits: 0x0200_0000)

    public var red: Int { Int(bits >> 16 & 0xFF) }
    public var green: Int { Int(bits >> 8 & 0xFF) }
    public var blue: Int { Int(bits & 0xFF) }

    /// Whether this value is one of the 16,777,216 RGB colours, not a special value.
    @inline(__always)
    var isColor: Bool { bits <= 0xFF_FFFF }

    /// Returns whether any channel differs by more than `tolerance` (channels range from 0 to 255). A special value is
    /// equal only to itself, regardless of the tolerance.
    @inline(__always)
    func differs(from other: CellColor, by tolerance: Int) -> Bool {
        if bits == other.bits { return false }
        if tolerance == 0 || !isColor || !other.isColor { return true }
        return abs(red - other.red) > tolerance || abs(green - other.green) > tolerance
            || abs(blue - other.blue) > tolerance
    }
}

/// The background behind the transparent pixels of a GIF.
public enum Backdrop: Equatable, Sendable {
    /// Fully transparent pixels show the terminal's own background. Partly transparent pixels are blended with this
    /// colour: the background colour that the terminal reported, or black if it reported none.
    case terminal(CellColor)
    /// All transparent pixels show this colour, which the user selected.
    case solid(CellColor)
}
