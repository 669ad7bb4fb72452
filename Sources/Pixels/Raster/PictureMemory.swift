import Glibc

/// The system gave no memory for what a picture takes.
public struct OutOfMemory: Error, Equatable {}

/// Memory for plain values by the size of a picture, which can be refused.
///
/// Where Swift's own allocation fails, the process ends.
enum PictureMemory {
    /// - Returns: uninitialized; to be given back with ``release(_:)``.
    static func allocate<Element>(
        _: Element.Type, count: Int
    ) throws(OutOfMemory) -> UnsafeMutableBufferPointer<Element> {
        guard let block = malloc(max(1, count * MemoryLayout<Element>.stride)) else { throw OutOfMemory() }
        return UnsafeMutableBufferPointer(start: block.assumingMemoryBound(to: Element.self), count: count)
    }

    static func release<Element>(_ buffer: UnsafeMutableBufferPointer<Element>) { free(buffer.baseAddress) }

    /// Makes room for `count` elements. What the buffer held is lost when it has to grow.
    static func grow<Element>(
        _ buffer: inout UnsafeMutableBufferPointer<Element>, toCount count: Int
    ) throws(OutOfMemory) {
        guard buffer.count < count else { return }
        // The old one first: both at once may be more than there is.
        release(buffer)
        buffer = UnsafeMutableBufferPointer(start: nil, count: 0)
        buffer = try allocate(Element.self, count: count)
    }
}
