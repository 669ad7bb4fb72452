/// The colour of a canvas pixel: red in the lowest byte, then green, blue and straight (not premultiplied) alpha.
/// On the canvas of a GIF, alpha is 0 or 255, and all four bytes of a transparent pixel are 0.
public struct RGBA: Equatable, Sendable {
    public var bits: UInt32

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    @inline(__always)
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        bits = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
    }

    public static let transparent = RGBA(bits: 0)
    public static let opaqueBlack = RGBA(bits: 0xFF00_0000)
}
