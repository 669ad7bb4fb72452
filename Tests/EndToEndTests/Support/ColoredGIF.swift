import TestSupport

/// GIFs that a test tells apart by their colour on the terminal.
enum ColoredGIF {
    /// A GIF of two frames whose picture has one of four colours.
    static func bytes(_ color: UInt8) -> [UInt8] {
        GIFBuilder(width: 8, height: 8).loop(0).frame(color, delay: 10, width: 8, height: 8)
            .frame(color, delay: 10, width: 8, height: 8).trailer().bytes
    }

    /// How the control sequence of each colour ends.
    static let sequences = ["0;0;0m", "255;0;0m", "0;255;0m", "0;0;255m"]
}
