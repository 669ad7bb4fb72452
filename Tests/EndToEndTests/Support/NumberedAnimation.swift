import Foundation
import Pixels
import TestSupport

/// An animation of random noise, which makes the output of each frame large. In each frame, the colour of a patch
/// encodes the frame's number.
struct NumberedAnimation {
    let columns: Int
    let rows: Int
    let frames: Int
    let delay: Duration
    let bytes: [UInt8]

    /// The size in cells of the colour patch in the upper left corner.
    private static let patch = CellSize(columns: 6, rows: 3)

    /// - Parameters:
    ///   - columns: the width of the pane in cells; the animation fills the pane of `columns` × `rows` cells.
    ///   - frames: the number of frames, at most 36.
    init(columns: Int, rows: Int, frames: Int, centiseconds: Int) {
        self.columns = columns
        self.rows = rows
        self.frames = frames
        delay = .milliseconds(centiseconds * 10)
        var random = SeededRandom(7)
        let noise = (0..<200).map { _ in
            CellColor(
                red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
                blue: .random(in: 0...255, using: &random))
        }
        var gif = GIFBuilder(width: columns, height: rows * 2, palette: (0..<36).map(Self.color) + noise).loop(0)
        for number in 0..<frames {
            let pixels = (0..<columns * rows * 2).map { pixel -> UInt8 in
                let isPatch = pixel % columns < Self.patch.columns && pixel / columns < Self.patch.rows * 2
                return isPatch ? UInt8(number) : .random(in: 36..<236, using: &random)
            }
            gif = gif.control(delay: centiseconds).image(width: columns, height: rows * 2, pixels)
        }
        bytes = gif.trailer().bytes
    }

    /// Returns the patch colour of a frame. Any two of these colours differ by at least 51 in one channel. This is more
    /// than the colour error that gifplay's coarsest fidelity allows.
    private static func color(of number: Int) -> CellColor {
        CellColor(red: UInt8(number % 6 * 51), green: UInt8(number / 6 * 51), blue: 128)
    }

    /// Returns the number of the frame on `screen`. Returns nil if the patch shows colours of different frames, or a
    /// colour of no frame.
    func number(on screen: VirtualScreen) -> Int? {
        let halves = screen.halves(Self.patch)
        let numbers = halves.map { half in
            (0..<frames).first { number in
                let color = Self.color(of: number)
                return abs(color.red - half.red) <= 20 && abs(color.green - half.green) <= 20
                    && abs(color.blue - half.blue) <= 20
            }
        }
        return numbers.allSatisfy { $0 == numbers.first } ? numbers.first ?? nil : nil
    }

    /// A frame that the program drew on the terminal.
    struct DrawnFrame {
        var number: Int
        var bytes: Int
        /// Arrival times of the first and the last byte.
        var begin: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    /// Returns the frames drawn in synchronized updates, with their arrival times.
    func drawnFrames(in output: [UInt8], arrivals: [PseudoTerminal.Arrival]) throws -> [DrawnFrame] {
        var screen = VirtualScreen(columns: columns, rows: rows)
        var drawn: [DrawnFrame] = []
        var start = 0
        var last = 0
        // Ignores the output after the last recorded arrival, because the program's exit can truncate this output.
        let output = Array(output.prefix(arrivals.last?.count ?? 0))
        func time(of count: Int) -> ContinuousClock.Instant? {
            while last < arrivals.count, arrivals[last].count < count { last += 1 }
            return last < arrivals.count ? arrivals[last].time : nil
        }
        while let end = output.firstRange(of: Array("\u{1B}[?2026l".utf8), in: start..<output.count)?.upperBound {
            try screen.feed(Self.withoutQueries(output[start..<end]))
            defer { start = end }
            guard let begin = time(of: start + 8), let done = time(of: end), let number = number(on: screen) else {
                continue
            }
            if drawn.last?.number != number {
                drawn.append(DrawnFrame(number: number, bytes: end - start, begin: begin, end: done))
            }
        }
        return drawn
    }

    /// Returns how many frames `drawn` is behind the animation's position at `time`. A result of -1 means that `drawn`
    /// is one frame ahead, because `start` was measured late.
    func framesBehind(_ drawn: DrawnFrame, at time: ContinuousClock.Instant, start: ContinuousClock.Instant) -> Int {
        let due = Int((time - start) / delay)
        return ((due - drawn.number + 1) % frames + frames) % frames - 1
    }

    private static func withoutQueries(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(TerminalQueries.removed(from: text).utf8)
    }
}
