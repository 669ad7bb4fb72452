import Glibc

/// Allocates buffers whose size depends on the size of a picture. The elements must be of a trivial type.
///
/// A failed allocation throws ``GIFError/outOfMemory``. With Swift's own allocation functions, a failure would end the
/// process.
enum PictureMemory {
    /// - Returns: uninitialized memory, which the caller frees with ``release(_:)``.
    static func allocate<Element>(
        _: Element.Type, count: Int
    ) throws(GIFError) -> UnsafeMutableBufferPointer<Element> {
        guard let block = malloc(max(1, count * MemoryLayout<Element>.stride)) else { throw .outOfMemory }
        return UnsafeMutableBufferPointer(start: block.assumingMemoryBound(to: Element.self), count: count)
    }

    /// - Returns: memory of which all bytes are 0. The system provides most of it only when it is first used.
    static func allocateZeros<Element>(
        _: Element.Type, count: Int
    ) throws(GIFError) -> UnsafeMutableBufferPointer<Element> {
        guard let block = calloc(max(1, count), MemoryLayout<Element>.stride) else { throw .outOfMemory }
        return UnsafeMutableBufferPointer(start: block.assumingMemoryBound(to: Element.self), count: count)
    }

    static func release<Element>(_ buffer: UnsafeMutableBufferPointer<Element>) { free(buffer.baseAddress) }

    /// Ensures capacity for `count` elements. When the buffer grows, its contents are lost.
    static func grow<Element>(
        _ buffer: inout UnsafeMutableBufferPointer<Element>, toCount count: Int
    ) throws(GIFError) {
        guard buffer.count < count else { return }
        // Free the old buffer first, because there might not be enough memory for both buffers.
        release(buffer)
        buffer = UnsafeMutableBufferPointer(start: nil, count: 0)
        buffer = try allocate(Element.self, count: count)
    }
}
