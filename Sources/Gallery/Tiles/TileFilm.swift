/// The decoded frames of one tile, in order of showing.
///
/// A loop that fits the bound is kept whole and nothing is decoded again; of a longer one only what
/// is still to be shown is kept, and it is decoded pass after pass.
struct TileFilm {
    /// Bytes that a loop may take: 4 MiB hold 1,500 frames of 28 by 24 half-block pixels.
    static let limit = 4 << 20

    private var frames: [TileFrame] = []
    /// The number of `frames[0]`, counted through all passes.
    private var first = 0
    private var bytes = 0
    /// Frames of a pass, once all of them are kept.
    private(set) var loop: Int?

    /// The number after the last frame that is there; meaningless once the loop is kept.
    var end: Int { first + frames.count }
    var isEmpty: Bool { frames.isEmpty }

    /// The frame of this number; nil while it is not decoded.
    func frame(_ number: Int) -> TileFrame? {
        if let loop { return frames[number % loop] }
        guard number >= first, number < end else { return nil }
        return frames[number - first]
    }

    mutating func append(_ frame: TileFrame) {
        frames.append(frame)
        bytes += frame.pixels.count * MemoryLayout<UInt32>.stride
    }

    /// A pass is over.
    mutating func endPass() {
        if first == 0, loop == nil, !frames.isEmpty { loop = frames.count }
    }

    /// Frees what was shown before this number, where the bound asks for it.
    mutating func release(before number: Int) {
        guard loop == nil, bytes > Self.limit, number > first else { return }
        let count = min(number - first, frames.count - 1)
        guard count > 0 else { return }
        for frame in frames[..<count] { bytes -= frame.pixels.count * MemoryLayout<UInt32>.stride }
        frames.removeFirst(count)
        first += count
    }
}
