import Pixels

/// Composing as a step of reading a file: what goes wrong in it is the file's error.
extension Canvas {
    /// The canvas that a decoded frame stands on.
    public init(for frame: IndexedFrame) throws(GIFError) {
        do { self = try Canvas(size: frame.canvas) } catch { throw .outOfMemory }
    }

    /// Disposes of the frame before, then draws this one.
    /// - Returns: what of the canvas may differ from before the call.
    @discardableResult
    public mutating func compose(_ frame: IndexedFrame) throws(GIFError) -> PixelRect {
        do { return try draw(frame) } catch { throw .outOfMemory }
    }
}
