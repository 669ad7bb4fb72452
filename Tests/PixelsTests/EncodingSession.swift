import Pixels
import TestSupport

/// Encodes successive states of a raster and feeds the bytes to a virtual screen.
struct EncodingSession: ~Copyable {
    var encoder: HalfBlockEncoder
    let raster: PictureRaster
    var screen: VirtualScreen
    var out = ByteBuffer()
    /// The position of the picture's first cell on the screen, counted from 0.
    let origin: (row: Int, column: Int)

    /// - Parameter offset: the position of the picture; nil for a picture inline in the text.
    init(width: Int, height: Int, offset: (row: Int, column: Int)? = (0, 0)) throws {
        raster = PictureRaster(size: PixelSize(width: width, height: height))
        let rows = raster.cells.rows
        origin = offset ?? (0, 0)
        screen = VirtualScreen(columns: width + origin.column, rows: rows + origin.row + 1)
        if let offset {
            encoder = HalfBlockEncoder(
                size: raster.size, addressing: .absolute(row: offset.row + 1, column: offset.column + 1))
        } else {
            encoder = HalfBlockEncoder(size: raster.size, addressing: .inline(idleRow: rows))
            for _ in 0..<rows { try screen.feed("\r\n".utf8) }
        }
        encoder.assumeCleared()
    }

    /// Encodes the raster, feeds the bytes to the screen and returns them.
    mutating func update(_ fidelity: Fidelity = .exact, dirty: PixelRect? = nil) throws -> [UInt8] {
        var changes: CellChanges?
        return try update(fidelity, dirty: dirty, recording: &changes)
    }

    mutating func update(
        _ fidelity: Fidelity, dirty: PixelRect? = nil, recording changes: inout CellChanges?
    ) throws -> [UInt8] {
        out.removeAll()
        encoder.encode(
            raster, dirty: dirty ?? PixelRect(raster.size), fidelity: fidelity, into: &out, recording: &changes)
        try screen.feed(out.bytes)
        return Array(out.bytes)
    }

    /// Encodes the recorded changes of an update again, without feeding them to the screen.
    mutating func replay(_ recorded: CellChanges) -> [UInt8] {
        out.removeAll()
        encoder.encode(recorded[0..<recorded.count], into: &out)
        return Array(out.bytes)
    }

    var shown: [CellColor] { screen.halves(row: origin.row, column: origin.column, raster.cells) }
    var wanted: [CellColor] { Array(raster.pixels) }

    /// Changes random pixels to one of a few colours, so that neighbouring pixels are often equal.
    func scramble(_ random: inout SeededRandom, share: Double = 0.4) {
        let colors: [CellColor] = [.terminalDefault, .black] + (0..<3).map { _ in .random(using: &random) }
        for index in raster.pixels.indices where Double.random(in: 0..<1, using: &random) < share {
            raster.pixels[index] = colors.randomElement(using: &random) ?? .black
        }
    }

    /// Draws a gradient with random jitter of up to two levels. About one of eight calls shifts the whole gradient by a
    /// random number of levels. A few pixels have the terminal's default background.
    func waver(_ random: inout SeededRandom) {
        let shift = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 0...255, using: &random) : 3
        let width = raster.size.width
        for index in raster.pixels.indices {
            func channel(_ slope: Int) -> UInt8 {
                let value = shift + index % width * slope + index / width * 2 + .random(in: -2...2, using: &random)
                return UInt8(min(255, max(0, value)))
            }
            raster.pixels[index] = CellColor(red: channel(1), green: channel(3), blue: channel(9))
            if Int.random(in: 0..<40, using: &random) == 0 { raster.pixels[index] = .terminalDefault }
        }
    }
}
