import Pixels

/// Variants of the canvas operations that throw ``GIFError``, as the methods of the reader do.
extension Canvas {
    /// Creates an empty canvas with the size `frame.canvas`.
    public init(for frame: IndexedFrame) throws(GIFError) {
        do { self = try Canvas(size: frame.canvas) } catch { throw .outOfMemory }
    }

    /// Applies the disposal method of the previous frame, then draws `frame`.
    /// - Returns: a rectangle that contains all changed pixels.
    @discardableResult
    public mutating func compose(_ frame: IndexedFrame) throws(GIFError) -> PixelRect {
        do { return try draw(frame) } catch { throw .outOfMemory }
    }
}
