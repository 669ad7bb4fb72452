import Pixels

/// A copy of a decoded frame, for comparisons.
public struct DecodedFrame: Equatable, Sendable {
    public var rect: PixelRect
    public var number: Int
    public var delay: Int
    public var disposal: Disposal
    public var transparentIndex: Int
    public var isInterlaced: Bool
    public var canvas: PixelSize
    public var decoded: [UInt8]
    /// The colours of the pixels in `decoded`.
    public var colors: [RGBA]

    public init(_ frame: IndexedFrame) {
        rect = frame.rect
        number = frame.number
        delay = frame.delayCentiseconds
        disposal = frame.disposal
        transparentIndex = frame.transparentIndex
        isInterlaced = frame.isInterlaced
        canvas = frame.canvas
        decoded = Array(frame.indices.prefix(frame.decodedCount))
        let palette = frame.palette
        colors = decoded.map { palette[Int($0)] }
    }
}

extension GIFReader {
    /// Reads and returns all frames to the end of the file.
    public func allFrames() throws(GIFError) -> [DecodedFrame] {
        let frame = IndexedFrame()
        var frames: [DecodedFrame] = []
        while try next(into: frame) { frames.append(DecodedFrame(frame)) }
        return frames
    }

    /// Reads all frames and returns the canvas after each frame as ``Letters``.
    public func pictures() throws(GIFError) -> [[String]] {
        let frame = IndexedFrame()
        var reference: ReferenceRenderer?
        var pictures: [[String]] = []
        while try next(into: frame) {
            var renderer = reference ?? ReferenceRenderer(canvas: frame.canvas)
            renderer.draw(frame)
            reference = renderer
            pictures.append(renderer.letters)
        }
        return pictures
    }
}

extension GIFBuilder {
    public func reader(_ limits: DecodeLimits = DecodeLimits()) -> GIFReader {
        GIFReader(MemoryByteSource(bytes), limits: limits)
    }
}

extension ReferenceRenderer {
    /// The picture as ``Letters``.
    public var letters: [String] {
        (0..<canvas.height).map { y in
            String(
                pixels[y * canvas.width..<(y + 1) * canvas.width].map { pixel in
                    guard let pixel else { return "." }
                    return GIFBuilder.fourColors.firstIndex(of: pixel).map { Letters.all[$0] } ?? "?"
                })
        }
    }
}
