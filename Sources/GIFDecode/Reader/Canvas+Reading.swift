import Pixels

/// Variants of the canvas operations that throw a ``GIFError``, like the reader.
extension Canvas {
    /// Creates an empty canvas with the size `frame.canvas`.
    public init(for frame: IndexedFrame) throws(GIFError) {
        do { self = try Canvas(size: frame.canvas) } catch { throw .outOfMemory }
    }

    /// Disposes of the previous frame, then draws `frame`.
    /// - Returns: the area that may have changed.
    @discardableResult
    public mutating func compose(_ frame: IndexedFrame) throws(GIFError) -> PixelRect {
        do { return try draw(frame) } catch { throw .outOfMemory }
    }
}
