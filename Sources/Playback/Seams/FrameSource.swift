import GIFDecode
import Pixels

/// Decoded frames in order, pass after pass.
public protocol FrameSource: AnyObject {
    /// The next step; never waits. The frame is the player's until the next call.
    func next() -> FrameStep

    /// Back to the first frame.
    func rewind()
}

public enum FrameStep {
    case frame(IndexedFrame)
    /// Not yet decoded, or its bytes not yet there: the terminal's waker calls when it is.
    case pending
    /// The pass is over; the next step begins another.
    case end(GIFReader.Summary)
    case failed(GIFError)
}
