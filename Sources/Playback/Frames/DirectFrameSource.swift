import GIFDecode
import Pixels

/// Decodes each frame in ``next()`` on the caller's thread. Used for output to files and pipes, and for virtual time.
public final class DirectFrameSource: FrameSource {
    private let reader: GIFReader
    private let frame = IndexedFrame()
    private var hasEnded = false

    public init(_ reader: GIFReader) { self.reader = reader }

    public func next() -> FrameStep {
        do throws(GIFError) {
            if hasEnded {
                try reader.rewind()
                hasEnded = false
            }
            if try reader.next(into: frame) { return .frame(frame) }
            hasEnded = true
            return .end(reader.summary)
        } catch {
            return .failed(error)
        }
    }

    public func rewind() { hasEnded = true }
}
