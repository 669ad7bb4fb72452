import Pixels
import Playback

/// A frame source that repeats given frames and returns `.pending` at given positions.
public final class ScriptedFrameSource: FrameSource {
    /// For each frame number, how many `.pending` steps will still be returned before the frame. Later loop iterations
    /// do not repeat the steps.
    private var pending: [Int: Int]
    private let frames: [IndexedFrame]
    private let loopCount: Int?
    private let failure: GIFError?
    private var position = 0

    /// The number of calls of `rewind()`.
    public private(set) var rewinds = 0
    /// The number of calls of `next()`.
    public private(set) var calls = 0

    /// - Parameters:
    ///   - frames: the frames, to which this initializer assigns numbers. A frame without a canvas size gets a canvas
    ///     that contains all frames.
    ///   - loopCount: the loop count of the file, see ``GIFReader/Summary/loopCount``.
    ///   - failure: the error to return instead of `.end`.
    public init(
        _ frames: [IndexedFrame], loopCount: Int? = nil, pending: [Int: Int] = [:], failure: GIFError? = nil
    ) {
        self.frames = frames
        self.loopCount = loopCount
        self.pending = pending
        self.failure = failure
        let extent = frames.reduce(PixelRect.empty) { $0.union($1.rect) }
        for (number, frame) in frames.enumerated() {
            frame.number = number
            guard frame.canvas.area == 0 else { continue }
            frame.canvas = PixelSize(width: extent.maxX, height: extent.maxY)
        }
    }

    /// Creates a source of frames with one colour each, with `delays` in hundredths of a second.
    public convenience init(
        delays: [Int], canvas: PixelSize, loopCount: Int? = nil, pending: [Int: Int] = [:]
    ) {
        let frames = delays.enumerated().map { number, delay in
            let frame = IndexedFrame(
                rect: PixelRect(canvas), palette: [Self.color(of: number)],
                Array(repeating: 0, count: canvas.width * canvas.height))
            frame.delayCentiseconds = delay
            return frame
        }
        self.init(frames, loopCount: loopCount, pending: pending)
    }

    /// Returns the colour of a frame in a source that was created from delays. The first 250 frames have different
    /// colours.
    public static func color(of number: Int) -> CellColor {
        CellColor(red: UInt8(number % 250), green: UInt8(number * 37 % 256), blue: 100)
    }

    public func next() -> FrameStep {
        calls += 1
        if let left = pending[position], left > 0 {
            pending[position] = left - 1
            return .pending
        }
        guard position < frames.count else {
            if let failure { return .failed(failure) }
            position = 0
            var summary = GIFReader.Summary()
            summary.frames = frames.count
            summary.loopCount = loopCount
            return .end(summary)
        }
        defer { position += 1 }
        return .frame(frames[position])
    }

    public func rewind() {
        rewinds += 1
        position = 0
    }
}
