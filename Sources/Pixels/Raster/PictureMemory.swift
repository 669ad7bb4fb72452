import Glibc

/// The error for a failed allocation of picture memory.
public struct OutOfMemory: Error, Equatable {}

/// Allocates the buffers whose size depends on the size of a picture. Their elements are trivial types.
///
/// A failed allocation throws ``OutOfMemory``. A failed allocation by Swift itself would end the process.
enum PictureMemory {
    /// - Returns: uninitialized memory, which the caller frees with ``release(_:)``.
    static func allocate<Element>(
        _: Element.Type, count: Int
    ) throws(OutOfMemory) -> UnsafeMutableBufferPointer<Element> {
        guard let block = malloc(max(1, count * MemoryLayout<Element>.stride)) else { throw OutOfMemory() }
        return UnsafeMutableBufferPointer(start: block.assumingMemoryBound(to: Element.self), count: count)
    }

    static func release<Element>(_ buffer: UnsafeMutableBufferPointer<Element>) { free(buffer.baseAddress) }

    /// Ensures capacity for `count` elements. When the buffer grows, its contents are lost.
    static func grow<Element>(
        _ buffer: inout UnsafeMutableBufferPointer<Element>, toCount count: Int
    ) throws(OutOfMemory) {
        guard buffer.count < count else { return }
        // Frees the old buffer first, because the memory may not be enough for both buffers.
        release(buffer)
        buffer = UnsafeMutableBufferPointer(start: nil, count: 0)
        buffer = try allocate(Element.self, count: count)
    }
}
