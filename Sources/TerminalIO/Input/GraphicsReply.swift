import Base
import Pixels
import Playback

/// A reply of the terminal about its pixel graphics; see ``GraphicsQueries``.
enum GraphicsReply: Equatable {
    /// The terminal can show an image of the kitty graphics protocol.
    case kitty
    /// The terminal can show an image of the kitty graphics protocol that is in shared memory.
    case sharedMemory
    /// The terminal keeps the frames of an animated image.
    case kittyFrames
    /// The size of a cell in pixels.
    case cell(PixelSize)
    /// The size of the text area in pixels.
    case textArea(PixelSize)
    case colors(Int)
    /// The largest sixel image in pixels.
    case sixelLimit(PixelSize)

    /// - Parameters:
    ///   - parameters: the parameters of the control sequence, for example `6;20;10`.
    ///   - final: the last byte of the control sequence.
    init?(control parameters: String, final: UInt8) {
        let isPrivate = parameters.hasPrefix("?")
        let numbers = parameters.dropFirst(isPrivate ? 1 : 0).split(separator: ";", omittingEmptySubsequences: false)
            // No terminal has more pixels in one direction.
            .map { Int(outside: $0, in: 0...65_535) ?? -1 }
        guard !numbers.contains(-1) else { return nil }
        switch (final, isPrivate, numbers.count) {
        case (UInt8(ascii: "t"), false, 3) where numbers[1] > 0 && numbers[2] > 0:
            let size = PixelSize(width: numbers[2], height: numbers[1])
            if numbers[0] == 6 {
                self = .cell(size)
            } else if numbers[0] == 4 {
                self = .textArea(size)
            } else {
                return nil
            }
        // The second number is 0 for success.
        case (UInt8(ascii: "S"), true, 3) where numbers[0] == 1 && numbers[1] == 0 && numbers[2] > 1:
            self = .colors(numbers[2])
        case (UInt8(ascii: "S"), true, 4) where numbers[0] == 2 && numbers[1] == 0 && numbers[2] > 0 && numbers[3] > 0:
            self = .sixelLimit(PixelSize(width: numbers[2], height: numbers[3]))
        default: return nil
        }
    }

    /// - Parameter command: the text of an application program command (APC), for example `Gi=31;OK`.
    init?(command: [UInt8]) {
        if command.elementsEqual(GraphicsQueries.replies.image.utf8) {
            self = .kitty
        } else if command.elementsEqual(GraphicsQueries.replies.sharedImage.utf8) {
            self = .sharedMemory
        } else if command.elementsEqual(GraphicsQueries.replies.frame.utf8) {
            self = .kittyFrames
        } else {
            return nil
        }
    }
}

extension TerminalTraits {
    /// Sets the property that the terminal reports in `reply`.
    mutating func update(by reply: GraphicsReply) {
        switch reply {
        case .kitty: graphics.supported.insert(.kitty)
        case .sharedMemory where graphics.transport == .direct: graphics.transport = .sharedMemory
        case .kittyFrames:
            let program = TerminalProgram(graphics.program)
            graphics.features.storesFrames = program.keepsFrames
            graphics.repeatsFrames = program.repeatsFrames
        case .colors(let count): graphics.sixelColors = count
        case .sixelLimit(let size): graphics.sixelLimit = size
        // The cell size that the kernel knows has priority, because it is always up to date. The size of the text area
        // arrives last, and is used only if the terminal has not reported the size of a cell.
        case .cell(let cell) where graphics.cell == nil: setCell(width: Double(cell.width), height: Double(cell.height))
        case .textArea(let area) where graphics.cell == nil:
            setCell(width: Double(area.width) / Double(size.columns), height: Double(area.height) / Double(size.rows))
        case .cell, .textArea, .sharedMemory: break
        }
    }

    /// Sets the size of a cell in pixels and the cell aspect. Ignores wrong values, which some terminals report. A
    /// correct height is one to four times the width.
    mutating func setCell(width: Double, height: Double) {
        guard width >= 1, (1...4).contains(height / width) else { return }
        cellAspect = height / width
        // Rounded down, so that a sixel picture does not cover more cells than intended.
        graphics.cell = PixelSize(width: Int(width), height: Int(height))
    }
}
