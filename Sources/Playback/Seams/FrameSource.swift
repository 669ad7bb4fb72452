import GIFDecode
import Pixels

/// A source of decoded frames in order, repeated for each loop iteration.
public protocol FrameSource: AnyObject {
    /// Returns the next step. A source for interactive playback does not block, but returns ``FrameStep/pending``. The
    /// caller may use the frame until it calls ``next()`` or ``rewind()`` again.
    func next() -> FrameStep

    /// Restarts the source, so that ``next()`` returns the first frame again.
    func rewind()
}

public enum FrameStep {
    case frame(IndexedFrame)
    /// The frame is not decoded yet, perhaps because its bytes have not arrived. The source wakes the terminal when the
    /// frame is ready.
    case pending
    /// All frames were returned; the next step is the first frame again.
    case end(GIFReader.Summary)
    case failed(GIFError)
}
