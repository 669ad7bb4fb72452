/// The decoded frames of one tile's animation, in display order.
///
/// If the whole loop fits into ``limit``, all of its frames stay in memory and none is decoded again. Of a longer loop,
/// frames that were shown are freed and decoded again in the next pass.
struct TileAnimation {
    /// The maximum size of a loop in memory, in bytes. 4 MiB hold 1,500 frames of 28 by 24 half-block pixels.
    static let limit = 4 << 20

    private var frames: [TileFrame] = []
    /// The number of `frames[0]`. Frames are numbered consecutively through all passes.
    private var first = 0
    private var bytes = 0
    /// The number of frames in the loop; nil unless all of them are in memory.
    private(set) var loop: Int?

    /// The number after the last decoded frame. It has no meaning if `loop` is set.
    var end: Int { first + frames.count }
    var isEmpty: Bool { frames.isEmpty }

    /// The frame with this number; nil if it is not decoded yet or was freed.
    func frame(_ number: Int) -> TileFrame? {
        if let loop { return frames[number % loop] }
        guard number >= first, number < end else { return nil }
        return frames[number - first]
    }

    mutating func append(_ frame: TileFrame) {
        frames.append(frame)
        bytes += frame.pixels.count * MemoryLayout<UInt32>.stride
    }

    /// Ends a decoding pass. If no frame was freed, the frames so far are the whole loop.
    mutating func endPass() {
        if first == 0, loop == nil, !frames.isEmpty { loop = frames.count }
    }

    /// Frees the frames before this number if the frames exceed ``limit``.
    mutating func release(before number: Int) {
        guard loop == nil, bytes > Self.limit, number > first else { return }
        let count = min(number - first, frames.count - 1)
        guard count > 0 else { return }
        for frame in frames[..<count] { bytes -= frame.pixels.count * MemoryLayout<UInt32>.stride }
        frames.removeFirst(count)
        first += count
    }
}
