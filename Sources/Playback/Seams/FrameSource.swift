import GIFDecode
import Pixels

/// Supplies the decoded frames in order. Each loop iteration starts again with the first frame.
public protocol FrameSource: AnyObject {
    /// Returns the next step. If no step is ready, a source for interactive playback returns ``FrameStep/pending``
    /// instead of blocking. The returned frame is valid until the next call of ``next()`` or ``rewind()``.
    func next() -> FrameStep

    /// Restarts the source, so that ``next()`` returns the first frame again.
    func rewind()

    /// Tells the source whether the frames after the first one of the next loop iteration are probably not needed,
    /// because a recording replaces them. They are then decoded only on request.
    func expectReplay(_ isExpected: Bool)
}

extension FrameSource {
    public func expectReplay(_ isExpected: Bool) {}
}

public enum FrameStep {
    case frame(IndexedFrame)
    /// The frame is not decoded yet, perhaps for lack of bytes. The source wakes the terminal when it is ready.
    case pending
    /// All frames were returned; the next step is the first frame again.
    case end(GIFReader.Summary)
    case failed(GIFError)
}
