import Pixels
import TestSupport

/// Decodes a GIF file, draws its frames on a canvas, and renders the canvas to a virtual screen.
///
/// The target checks these properties:
/// - A frame changes the canvas only in the area that `Canvas.draw` returns.
/// - Scaling only the changed areas gives the same picture as scaling the whole canvas.
/// - The screen shows the picture within the tolerance of the fidelity.
/// - The decoded frames are the same for bytes from memory, from a download and from a pipe. They are also the same
///   when the file is decoded a second time.
struct GIFTarget {
    private let bytes: [UInt8]
    /// A hash of the whole input. It selects the sizes and variants of the check, so this selection depends on every
    /// byte of the input.
    private let choice: UInt64
    private let limits: DecodeLimits

    /// The maximum number of frames that are drawn per input. More frames take more time and rarely find new defects.
    private static let maximumFramesDrawn = 12
    private static let maximumFramesRead = 64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        choice = fnvHash(bytes)
        var limits = DecodeLimits()
        // These limits are lower than gifplay's defaults. With the defaults, one input could take seconds, and the
        // fuzzer would test fewer inputs. However, about one of 256 inputs is checked with the default limit for the
        // canvas.
        limits.canvasPixels = choice & 0xFF == 0 ? 4096 * 4096 : 1 << 15
        limits.totalPixels = choice & 0xFF == 0 ? 1 << 24 : 1 << 17
        limits.pixelsPerByte = 16
        limits.frames = Self.maximumFramesRead
        limits.bytes = 1 << 20
        self.limits = limits
    }

    func check() throws {
        let reader = GIFReader(MemoryByteSource(bytes), limits: limits)
        let outcome = read(reader)
        if choice >> 8 & 3 == 0 {
            try compare(read(reader, again: true), outcome, "a second pass")
        } else {
            let (source, way) = incrementalSource()
            let late = GIFReader(source, limits: limits)
            try compare(read(late), outcome, way)
            if choice >> 8 & 3 == 1 { try compare(read(late, again: true), outcome, "a second pass \(way)") }
        }
        try draw()
    }

    // MARK: - Comparison of the sources

    /// The result of reading a file, with a hash of each frame.
    private struct Outcome: Equatable {
        var frames: [UInt64] = []
        var summary = GIFReader.Summary()
        var error: GIFError?
    }

    private func read(_ reader: GIFReader, again: Bool = false) -> Outcome {
        var outcome = Outcome()
        do throws(GIFError) {
            if again { try reader.rewind() }
            let frame = IndexedFrame()
            while try reader.next(into: frame) { outcome.frames.append(Self.hash(of: frame)) }
        } catch {
            outcome.error = error
        }
        outcome.summary = reader.summary
        return outcome
    }

    private static func hash(of frame: IndexedFrame) -> UInt64 {
        let rect = frame.rect
        let numbers = [
            rect.x, rect.y, rect.width, rect.height, frame.number, frame.delayCentiseconds, frame.transparentIndex,
            frame.isInterlaced ? 1 : 0, frame.decodedCount, frame.canvas.width, frame.canvas.height,
            frame.disposal == .clear ? 1 : frame.disposal == .restore ? 2 : 0,
        ]
        let palette = frame.palette.reduce(UInt64(7)) { $0 &* 0x100_0000_01B3 ^ UInt64($1.bits) }
        let parts = [fnvHash(frame.indices.prefix(frame.decodedCount)), palette] + numbers.map { UInt64($0 + 1) }
        return parts.reduce(11) { ($0 ^ $1) &* 0x100_0000_01B3 }
    }

    private func compare(_ found: Outcome, _ expected: Outcome, _ way: String) throws {
        guard found != expected else { return }
        let same = zip(found.frames, expected.frames).prefix { $0 == $1 }.count
        throw ViolatedProperty(
            description: "\(way): \(same) equal frames, then \(found.summary) \(String(describing: found.error)), "
                + "not \(expected.summary) \(String(describing: expected.error))")
    }

    private func incrementalSource() -> (any ByteSource, String) {
        let pieces = SeededPieces(choice)
        if choice >> 10 & 1 == 0 { return (ArrivingDownload(bytes, pieces), "from a download") }
        if let pipe = ArrivingPipe(bytes, pieces) { return (pipe, "from a pipe") }
        return (MemoryByteSource(bytes), "from memory")
    }

    // MARK: - Rendering

    private func draw() throws {
        let reader = GIFReader(MemoryByteSource(bytes), limits: limits)
        var picture: FuzzedPicture?
        do {
            for _ in 0..<Self.maximumFramesDrawn {
                // Each image gets a new frame, so the buffer has no spare capacity, and the address sanitizer detects
                // any read beyond the end of the image.
                let frame = IndexedFrame()
                guard try reader.next(into: frame) else { break }
                let drawn = try picture ?? FuzzedPicture(canvas: frame.canvas, choice: choice >> 16)
                try drawn.draw(frame)
                picture = drawn
            }
        } catch is GIFError {
            // The error is not a defect. `check()` has already compared it with the error of a second read of the same
            // bytes.
        }
    }
}
