import Pixels

/// Composition as a step of reading a file: its errors are reported as ``GIFError``.
extension Canvas {
    /// Creates an empty canvas of the size ``IndexedFrame/canvas``.
    public init(for frame: IndexedFrame) throws(GIFError) {
        do { self = try Canvas(size: frame.canvas) } catch { throw .outOfMemory }
    }

    /// Disposes of the previous frame, then draws this one.
    /// - Returns: the area that may differ from before the call.
    @discardableResult
    public mutating func compose(_ frame: IndexedFrame) throws(GIFError) -> PixelRect {
        do { return try draw(frame) } catch { throw .outOfMemory }
    }
}
