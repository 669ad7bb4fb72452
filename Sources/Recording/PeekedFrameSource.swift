import GIFDecode
import Pixels
import Playback

/// A frame source whose first frame is read in advance, because the size of a recording depends on the canvas.
final class PeekedFrameSource: FrameSource {
    private let source: DirectFrameSource
    private var first: IndexedFrame?
    /// The size of the file's canvas.
    let canvas: PixelSize

    init(_ reader: GIFReader) throws(GIFError) {
        source = DirectFrameSource(reader)
        switch source.next() {
        case .frame(let frame):
            first = frame
            canvas = frame.canvas
        case .failed(let error): throw error
        case .pending, .end: throw .noImage(reader.summary.damage)
        }
    }

    func next() -> FrameStep {
        guard let first else { return source.next() }
        self.first = nil
        return .frame(first)
    }

    func rewind() { if first == nil { source.rewind() } }
}
