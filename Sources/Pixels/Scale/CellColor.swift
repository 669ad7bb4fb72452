/// The colour of half a cell: 0x00RRGGBB, or one of two special values above 0x00FFFFFF.
public struct CellColor: Equatable, Sendable {
    public let bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    public static let black = CellColor(bits: 0)
    /// The terminal's own background. This value differs from the RGB colour that the background may have.
    public static let terminalDefault = CellColor(bits: 0x0100_0000)
    /// The value for a half of which gifplay does not know the displayed colour. It differs from every colour.
    public static let unknown = CellColor(bits: 0x0200_0000)

    public var red: Int { Int(bits >> 16 & 0xFF) }
    public var green: Int { Int(bits >> 8 & 0xFF) }
    public var blue: Int { Int(bits & 0xFF) }

    /// Whether this value is one of the 16,777,216 RGB colours, not a special value.
    @inline(__always)
    var isColor: Bool { bits <= 0xFF_FFFF }

    /// Returns whether any channel differs by more than `tolerance` (channels range from 0 to 255). A special value
    /// equals only itself, for every tolerance.
    @inline(__always)
    func differs(from other: CellColor, by tolerance: Int) -> Bool {
        if bits == other.bits { return false }
        if tolerance == 0 || !isColor || !other.isColor { return true }
        return abs(red - other.red) > tolerance || abs(green - other.green) > tolerance
            || abs(blue - other.blue) > tolerance
    }
}

/// The background that transparent pixels of a GIF show.
public enum Backdrop: Equatable, Sendable {
    /// Fully transparent pixels show the terminal's own background. Partly transparent pixels are blended with this
    /// colour, which is the background colour that the terminal reported, or black.
    case terminal(CellColor)
    /// All transparent pixels show this colour, which the user selected.
    case solid(CellColor)
}
