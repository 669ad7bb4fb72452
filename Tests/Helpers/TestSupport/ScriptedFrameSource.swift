import GIFDecode
import Pixels
import Playback

/// Plays given frames, over and over, and keeps the player waiting where it is told to.
public final class ScriptedFrameSource: FrameSource {
    /// What comes before frame `number` in its first pass: so many times `.pending`.
    private var pending: [Int: Int]
    private let frames: [IndexedFrame]
    private let loopCount: Int?
    private let failure: GIFError?
    private var position = 0

    /// How often the player went back to the first frame.
    public private(set) var rewinds = 0
    /// How often `next()` was called.
    public private(set) var calls = 0

    /// - Parameters:
    ///   - frames: get their numbers, and the canvas that holds them all where they have none.
    ///   - loopCount: as the file says it, see ``GIFReader/Summary/loopCount``.
    ///   - failure: comes in place of the end.
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

    /// Frames of one colour each, these many hundredths of a second long.
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

    /// The colour of a frame made from delays, a different one for each of 250 frames.
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
