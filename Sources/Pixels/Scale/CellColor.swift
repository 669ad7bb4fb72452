/// The colour of half a cell: 0x00RRGGBB, or one of two special values above that range.
public struct CellColor: Equatable, Sendable {
    public let bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    public static let black = CellColor(bits: 0)
    /// The terminal's own background, not a colour equal to it.
    public static let terminalDefault = CellColor(bits: 0x0100_0000)
    /// It is not known what the terminal shows here. This value differs from every colour.
    public static let unknown = CellColor(bits: 0x0200_0000)

    public var red: Int { Int(bits >> 16 & 0xFF) }
    public var green: Int { Int(bits >> 8 & 0xFF) }
    public var blue: Int { Int(bits & 0xFF) }

    /// Whether this is one of 16,777,216 colours, not a special value.
    @inline(__always)
    var isColor: Bool { bits <= 0xFF_FFFF }

    /// Whether any channel differs by more than `tolerance`, in levels of 255. A special value equals only itself,
    /// whatever the tolerance.
    @inline(__always)
    func differs(from other: CellColor, by tolerance: Int) -> Bool {
        if bits == other.bits { return false }
        if tolerance == 0 || !isColor || !other.isColor { return true }
        return abs(red - other.red) > tolerance || abs(green - other.green) > tolerance
            || abs(blue - other.blue) > tolerance
    }
}

/// The background of transparent pixels.
public enum Backdrop: Equatable, Sendable {
    /// Fully transparent pixels show the terminal's own background. Partly transparent pixels blend with this
    /// colour: the background that the terminal reported, or black.
    case terminal(CellColor)
    /// This colour behind all transparent pixels; the user chose it.
    case solid(CellColor)
}
