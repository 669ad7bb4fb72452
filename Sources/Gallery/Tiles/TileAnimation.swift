import Base
import Playback

/// The decoded frames of one tile's animation, in display order.
///
/// If the frames of the whole loop fit into ``limit``, all of them stay in memory and are decoded only once. In a
/// longer loop, frames that were shown are freed, and are decoded again in the next pass through the file.
struct TileAnimation {
    /// The maximum size of a whole loop that stays in memory, in bytes. 4 MiB hold 1,500 frames of 28 by 24 half-block
    /// pixels, or 24 frames of an image of 28 by 12 cells.
    static let limit = 4 << 20

    private var frames: [TileFrame] = []
    /// The frame number of `frames[0]`. The numbering continues from pass to pass and does not start again at 0.
    private var first = 0
    private(set) var bytes = 0
    /// The number of frames in the loop; nil unless all of them are in memory.
    private(set) var loop: Int?

    /// The number that the next decoded frame gets. The value has no meaning if `loop` is set.
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

    /// If no frame was freed during the decoding pass, `frames` contains the whole loop.
    mutating func endPass() { if first == 0, loop == nil, !frames.isEmpty { loop = frames.count } }

    /// Frees the frames before this number if all frames in memory together exceed ``limit``.
    mutating func release(before number: Int) {
        guard loop == nil, bytes > Self.limit, number > first else { return }
        let count = min(number - first, frames.count - 1)
        guard count > 0 else { return }
        for frame in frames[..<count] { bytes -= frame.pixels.count * MemoryLayout<UInt32>.stride }
        frames.removeFirst(count)
        first += count
    }
}

/// The displayed frame of an animation and the time at which the next frame is due.
///
/// As in the player, each deadline is the previous deadline plus the delay of the displayed frame. The deadline does
/// not depend on the time at which the frame was actually displayed. A late update therefore drops frames but does not
/// slow the animation down. Only a very late frame, probably not decoded in time, shifts the deadlines.
struct Playhead {
    private(set) var picture: TileFrame?
    private(set) var frame = -1
    /// Nil before the first frame.
    private var deadline: Instant?
    var pace = Pace.normal
    /// The phase of ``Pace/slow``, in nanoseconds. Tiles with different phases change at different times, so that no
    /// update of the screen exceeds the buffer of a pty.
    var phase: Int64 = 0

    enum Pace {
        case normal
        /// The picture changes at most ten times a second.
        case slow
        case still

        init(_ purpose: TileRequest.Purpose) {
            switch purpose {
            case .animation: self = .normal
            case .slowAnimation: self = .slow
            case .still, .prefetch: self = .still
            }
        }

        /// In nanoseconds.
        fileprivate var step: Int64 { self == .slow ? 100 * Span.millisecond : 1 }
    }

    /// Returns nil for a still picture or a single frame, or if the next frame is not decoded yet.
    func nextFrameTime(_ animation: TileAnimation) -> Instant? {
        guard pace != .still, animation.loop != 1, animation.frame(frame + 1) != nil else { return nil }
        return deadline.map {
            Instant(nanoseconds: ($0.nanoseconds - phase + pace.step - 1) / pace.step * pace.step + phase)
        }
    }

    /// - Returns: whether the displayed frame has changed.
    mutating func advance(_ animation: TileAnimation, to now: Instant) -> Bool {
        guard frame >= 0 else {
            guard let first = animation.frame(0) else { return false }
            show(first, number: 0)
            deadline = now + first.delay
            return true
        }
        guard pace != .still, animation.loop != 1 else { return false }
        var changed = false
        let latest = Instant(nanoseconds: now.nanoseconds - (now.nanoseconds - phase) % pace.step)
        while let due = deadline, due <= latest, let next = animation.frame(frame + 1) {
            show(next, number: frame + 1)
            deadline = (now - due > Timeline.stallTolerance ? now : due) + next.delay
            changed = true
        }
        return changed
    }

    private mutating func show(_ next: TileFrame, number: Int) {
        picture = next
        frame = number
    }
}
