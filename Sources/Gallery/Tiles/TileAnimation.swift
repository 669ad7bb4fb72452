import Base
import Pixels
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
    /// The number of frames and the time in nanoseconds of a whole pass through the file; nil before its end.
    private(set) var pass: (frames: Int, length: Int64)?

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
    mutating func endPass() {
        if let last = frames.last { pass = (last.number + 1, last.start + last.delay) }
        if first == 0, loop == nil, !frames.isEmpty { loop = frames.count }
    }

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
    private(set) var speed = 1.0
    /// The rest of the displayed frame's time during a pause, in nanoseconds.
    private var pausedRest: Int64?
    private var goal: Goal?

    /// The frame that the user has chosen. The frames before it are passed over without a display.
    private enum Goal: Equatable {
        case number(Int)
        /// The frame at this time in the loop, in nanoseconds.
        case time(Int64)
    }

    var isPaused: Bool { pausedRest != nil }
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
        guard pace != .still, animation.loop != 1, pausedRest == nil, animation.frame(frame + 1) != nil else {
            return nil
        }
        return deadline.map {
            Instant(nanoseconds: ($0.nanoseconds - phase + pace.step - 1) / pace.step * pace.step + phase)
        }
    }

    /// - Returns: whether the displayed frame has changed.
    mutating func advance(_ animation: TileAnimation, to now: Instant) -> Bool {
        guard frame >= 0 else {
            guard let first = animation.frame(0) else { return false }
            show(first, number: 0)
            deadline = now + time(first.delay)
            return true
        }
        if goal != nil { return seek(animation, at: now) }
        guard pausedRest == nil else { return false }
        guard pace != .still, animation.loop != 1 else { return false }
        var changed = false
        let latest = Instant(nanoseconds: now.nanoseconds - (now.nanoseconds - phase) % pace.step)
        while let due = deadline, due <= latest, let next = animation.frame(frame + 1) {
            show(next, number: frame + 1)
            deadline = (now - due > Timeline.stallTolerance ? now : due) + time(next.delay)
            changed = true
        }
        return changed
    }

    /// The time for which a delay of the file lasts at the present speed.
    private func time(_ delay: Int64) -> Int64 { Int64(Double(delay) / speed) }

    mutating func control(_ control: PlaybackControl, _ animation: TileAnimation, at now: Instant) {
        guard let picture, animation.loop != 1 else { return }
        let rest = pausedRest ?? max(0, (deadline ?? now) - now)
        switch control {
        case .pause(let isPaused):
            pausedRest = isPaused ? rest : nil
            deadline = now + rest
        case .speed(let new):
            let scaled = Int64(Double(rest) * speed / new)
            (speed, deadline, pausedRest) = (new, now + scaled, isPaused ? scaled : nil)
        case .step(let isBackward):
            pausedRest = time(picture.delay)
            if !isBackward {
                goal = .number(picture.number + 1)
            } else if frame > 0, let previous = animation.frame(frame - 1) {
                show(previous, number: frame - 1)
            } else if let last = picture.number > 0 ? picture.number : animation.pass?.frames {
                goal = .number(last - 1)
            }
        case .seek(let span):
            let media = picture.start + Int64(Double(time(picture.delay) - rest) * speed) + span
            goal = .time(media >= 0 ? media : max(0, media + (animation.pass?.length ?? 0)))
        }
    }

    /// Takes over the pause, the speed and the position from the animation of another file of the same GIF.
    mutating func adopt(_ other: Playhead) {
        guard other.isPaused || other.speed != 1, let picture = other.picture else { return }
        (speed, pausedRest) = (other.speed, other.isPaused ? 0 : nil)
        goal = .number(picture.number)
    }

    /// Passes over the frames before the goal, also beyond the end of the loop.
    private mutating func seek(_ animation: TileAnimation, at now: Instant) -> Bool {
        if let pass = animation.pass {
            switch goal {
            case .number(let number): goal = .number(number % pass.frames)
            case .time(let media): goal = .time(media % max(1, pass.length))
            case nil: break
            }
        }
        var number = frame
        while let candidate = animation.frame(number) {
            let isReached =
                switch goal {
                case .number(let goal): candidate.number == goal
                case .time(let goal): (candidate.start..<candidate.start + candidate.delay).contains(goal)
                case nil: true
                }
            guard isReached else {
                frame = number
                number += 1
                continue
            }
            let offset = if case .time(let media) = goal { media - candidate.start } else { Int64(0) }
            show(candidate, number: number)
            deadline = now + time(candidate.delay - offset)
            if isPaused { pausedRest = time(candidate.delay - offset) }
            goal = nil
            return true
        }
        return false
    }

    private mutating func show(_ next: TileFrame, number: Int) {
        picture = next
        frame = number
    }
}
