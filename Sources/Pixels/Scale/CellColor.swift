/// The colour of half a cell: 0x00RRGGBB, or one of the two values above that range.
public struct CellColor: Equatable, Sendable {
    public let bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    public static let black = CellColor(bits: 0)
    /// The terminal's own background shows.
    public static let terminalDefault = CellColor(bits: 0x0100_0000)
    /// What the terminal shows there is not known; differs from every colour.
    public static let unknown = CellColor(bits: 0x0200_0000)

    public var red: Int { Int(bits >> 16 & 0xFF) }
    public var green: Int { Int(bits >> 8 & 0xFF) }
    public var blue: Int { Int(bits & 0xFF) }

    /// Whether this is one of 16,777,216 colours, not a special value.
    @inline(__always)
    var isColor: Bool { bits <= 0xFF_FFFF }

    /// Whether any channel is more than `tolerance` of 255 away. The special values are within no
    /// bound of anything but themselves.
    @inline(__always)
    func differs(from other: CellColor, by tolerance: Int) -> Bool {
        if bits == other.bits { return false }
        if tolerance == 0 || !isColor || !other.isColor { return true }
        return abs(red - other.red) > tolerance || abs(green - other.green) > tolerance
            || abs(blue - other.blue) > tolerance
    }
}

/// What lies behind transparent pixels.
public enum Backdrop: Equatable, Sendable {
    /// Wholly transparent pixels leave the terminal's background as it is; partly transparent
    /// ones blend with this colour, which is the terminal's own as far as it told.
    case terminal(CellColor)
    /// This colour everywhere, as the user asked for.
    case solid(CellColor)
}
