import Base
import Pixels
import Playback

/// The decoded frames of one tile's animation in display order, the displayed frame, and the time at which the next frame
/// is due.
///
/// If the frames of the whole loop fit into ``limit``, all of them stay in memory and are decoded only once. In a
/// longer loop, frames that were shown are freed, and are decoded again in the next pass through the file.
///
/// As in the player, each deadline is the previous deadline plus the delay of the displayed frame. The deadline does
/// not depend on the time at which the frame was actually displayed. A late update therefore drops frames but does not
/// slow the animation down. Only a very late frame, probably not decoded in time, shifts the deadlines.
struct TileAnimation {
    /// The maximum size of a whole loop that stays in memory, in bytes. 4 MiB hold 1,500 frames of 28 by 24 half-block
    /// pixels, or 24 frames of an image of 28 by 12 cells.
    static let limit = 4 << 20

    private var frames: [TileFrame] = []
    /// The frame number of `frames[0]`. The numbering continues from pass to pass and does not start again at 0.
    private var first = 0
    /// The frame number with which the present pass through the file began.
    private var passStart = 0
    private(set) var bytes = 0
    /// The number of frames in the loop; nil unless all of them are in memory.
    private(set) var loop: Int?
    /// The time in nanoseconds of a whole pass through the file; nil before its end.
    private var length: Int64?

    private(set) var picture: TileFrame?
    private(set) var frameNumber = -1
    /// Nil before the first frame.
    private var deadline: Instant?
    /// The time in the loop, in nanoseconds, up to which frames are passed over without a display; nil for none.
    var goal: Int64?
    var purpose = TileRequest.Purpose.animation
    /// The phase of slow animations, in nanoseconds. Tiles with different phases change at different times, so that no
    /// update of the screen exceeds the buffer of a pty.
    var phase: Int64 = 0

    /// The time between two changes of the picture at least, in nanoseconds.
    private var step: Int64 { purpose == .slowAnimation ? 100 * Span.millisecond : 1 }

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

    /// Keeps the frames of the pass if they are the whole loop: none was freed, and the pass began with the first one.
    mutating func endPass() {
        if let last = frames.last { length = last.start + last.delay }
        defer { passStart = end }
        guard loop == nil, frame(passStart)?.start == 0 else { return }
        let count = end - passStart
        free(passStart - first)
        (first, loop) = (0, count)
        // The same frame of the loop.
        if passStart > 0 { frameNumber += (passStart / count + 1) * count - passStart }
    }

    private mutating func free(_ count: Int) {
        for frame in frames[..<count] { bytes -= frame.pixels.count * MemoryLayout<UInt32>.stride }
        frames.removeFirst(count)
        first += count
    }

    /// Frees the frames before this number if all frames in memory together exceed ``limit``.
    mutating func release(before number: Int) {
        guard loop == nil, bytes > Self.limit, number > first else { return }
        free(max(0, min(number - first, frames.count - 1)))
    }

    // MARK: - The displayed frame

    /// Returns nil for a still picture or a single frame, or if the next frame is not decoded yet.
    var nextFrameTime: Instant? {
        guard purpose != .still, loop != 1, frame(frameNumber + 1) != nil else { return nil }
        return deadline.map {
            Instant(nanoseconds: ($0.nanoseconds - phase + step - 1) / step * step + phase)
        }
    }

    /// - Returns: whether the displayed frame has changed.
    mutating func advance(to now: Instant) -> Bool {
        defer { release(before: frameNumber) }
        guard picture != nil else {
            guard let first = frame(frameNumber + 1) else { return false }
            show(first, number: frameNumber + 1)
            deadline = now + first.delay
            return true
        }
        guard purpose != .still, loop != 1 else { return false }
        if goal != nil { return seek(at: now) }
        var changed = false
        let latest = Instant(nanoseconds: now.nanoseconds - (now.nanoseconds - phase) % step)
        while let due = deadline, due <= latest, let next = frame(frameNumber + 1) {
            show(next, number: frameNumber + 1)
            deadline = (now - due > Timeline.stallTolerance ? now : due) + next.delay
            changed = true
        }
        return changed
    }

    /// Passes over the frames before the goal, also beyond the end of the loop.
    private mutating func seek(at now: Instant) -> Bool {
        while let time = goal, let candidate = frame(frameNumber) {
            let time = length.map { time % max(1, $0) } ?? time
            if (candidate.start..<candidate.start + candidate.delay).contains(time) {
                goal = nil
                show(candidate, number: frameNumber)
                deadline = now + (candidate.start + candidate.delay - time)
                return true
            }
            guard frame(frameNumber + 1) != nil else { return false }
            frameNumber += 1
        }
        return false
    }

    private mutating func show(_ next: TileFrame, number: Int) {
        picture = next
        frameNumber = number
    }
}
