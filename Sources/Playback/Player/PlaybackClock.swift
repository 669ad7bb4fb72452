import Base
import Pixels

/// Computes when frames are due. The clock starts at the first frame, stops during a pause, and waits for a source that
/// stalls. At maximum speed, every frame is due immediately.
struct PlaybackClock {
    private let requestedSpeed: PlaybackOptions.Speed
    private var timeline: Timeline?
    private(set) var isPaused = false
    private var hasEnded = false
    /// The time at which the player started to wait for the source; nil if it is not waiting.
    private var pendingSince: Instant?

    init(_ speed: PlaybackOptions.Speed) { requestedSpeed = speed }

    var speed: Double { timeline?.speed ?? 1 }

    /// Returns the clock time at which `media` is due; nil during a pause and before the first frame.
    func deadline(of media: Int64, at now: Instant) -> Instant? {
        if isPaused { return nil }
        return requestedSpeed == .max ? now : timeline?.instant(of: media)
    }

    /// Returns whether a frame whose display ends at the media time `media` is late.
    func isLate(_ media: Int64, at now: Instant) -> Bool {
        guard requestedSpeed != .max, let due = deadline(of: media, at: now) else { return false }
        return due <= now
    }

    /// Returns the media time that is due at `now`; nil before the first frame. Also nil at maximum speed, because
    /// frames are then not displayed at their media times.
    func media(at now: Instant) -> Int64? { requestedSpeed == .max ? nil : timeline?.media(at: now) }

    mutating func waitForSource(at now: Instant) { pendingSince = pendingSince ?? now }

    /// Starts the timeline when the first frame arrives. After a stall, delays it, so that `media` is due at `now`.
    /// - Parameter media: the media time at which the display of the new frame starts.
    mutating func align(to media: Int64, at now: Instant) {
        if let since = pendingSince, let due = timeline?.instant(of: media), !isPaused,
            now - max(since, due) > Timeline.stallTolerance
        {
            jump(to: media, at: now)
        }
        pendingSince = nil
        guard timeline == nil else { return }
        let speed = if case .factor(let factor) = requestedSpeed { factor } else { 1.0 }
        timeline = Timeline(start: now, media: media, speed: speed)
    }

    /// Moves the timeline, so that the media time `media` is due at `now`.
    mutating func jump(to media: Int64, at now: Instant) { timeline?.jump(to: media, at: now) }

    mutating func pause(at now: Instant) {
        guard !isPaused, !hasEnded else { return }
        isPaused = true
        timeline?.hold(at: now)
    }

    mutating func resume(at now: Instant) {
        guard isPaused else { return }
        isPaused = false
        timeline?.release(at: now)
    }

    mutating func togglePause(at now: Instant) {
        if isPaused { resume(at: now) } else { pause(at: now) }
    }

    /// Records that no frame follows. From now on the clock cannot be paused.
    mutating func end() { hasEnded = true }

    /// Changes the speed by one step. Does nothing if the requested speed is ``PlaybackOptions/Speed/max``.
    mutating func changeSpeed(isFaster: Bool, at now: Instant) {
        guard requestedSpeed != .max else { return }
        if let next = PlaybackSpeeds.next(after: speed, isFaster: isFaster) { timeline?.setSpeed(next, at: now) }
    }
}

/// The playback speeds through which the keys '+' and '-' step.
public enum PlaybackSpeeds {
    private static let all = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8, 16]

    /// Returns nil at the end of the speeds.
    public static func next(after speed: Double, isFaster: Bool) -> Double? {
        isFaster ? all.first { $0 > speed } : all.last { $0 < speed }
    }

    public static func text(_ speed: Double) -> String {
        speed == speed.rounded() ? String(Int(speed)) : String(speed)
    }
}

/// Maps media time, which is the GIF's own time in nanoseconds, to clock time.
///
/// Media time continues through all loop iterations. The anchor is a clock time and the media time that is due at it.
/// Only `setSpeed`, `hold`, `release` and `jump` move the anchor, so a late frame does not delay the next frame.
public struct Timeline {
    /// If the source delays a frame for longer than this, the timeline continues from that frame, and no frames are
    /// dropped. After a shorter delay, frames are dropped to catch up.
    public static let stallTolerance = 250 * Span.millisecond

    private var anchor: Instant
    private var anchorMedia: Int64
    private(set) var speed: Double
    private(set) var isHeld = false

    init(start: Instant, media: Int64 = 0, speed: Double) {
        anchor = start
        anchorMedia = media
        self.speed = speed
    }

    /// Returns the clock time at which `media` (nanoseconds) is due.
    func instant(of media: Int64) -> Instant {
        let span = Double(media - anchorMedia) / speed
        return anchor + (span < 9e18 ? Int64(span.rounded()) : .max)
    }

    /// Returns the media time (nanoseconds) that is due at `now`.
    func media(at now: Instant) -> Int64 {
        if isHeld { return anchorMedia }
        return anchorMedia + Int64((Double(now - anchor) * speed).rounded())
    }

    mutating func setSpeed(_ newSpeed: Double, at now: Instant) {
        jump(to: media(at: now), at: now)
        speed = newSpeed
    }

    /// Stops media time at the value that it has at `now`.
    mutating func hold(at now: Instant) {
        jump(to: media(at: now), at: now)
        isHeld = true
    }

    mutating func release(at now: Instant) {
        anchor = now
        isHeld = false
    }

    /// Moves the anchor, so that `media` is due at `now`.
    mutating func jump(to media: Int64, at now: Instant) {
        anchor = now
        anchorMedia = media
    }
}

/// The position of playback: a frame, its media times and the loop iteration. Media times are in nanoseconds and
/// continue through all loop iterations.
struct LoopPosition {
    /// The frame at which fetching ends.
    enum Goal: Equatable {
        /// The next frame that is not late.
        case next
        /// The frame with this number, even if it is late.
        case frame(Int)
        /// The frame that is displayed at this media time.
        case time(Int64)
        /// The frame with this number, which is already displayed and is drawn again. Its display time stays the same.
        case redraw(Int)
    }

    /// The number of the frame on the canvas (decoding) or on the screen (replay); -1 before the first frame.
    private(set) var frame = -1
    private(set) var iteration = 0
    /// The media times at which the display of the frame starts and ends.
    private(set) var start: Int64 = 0
    private(set) var end: Int64 = 0
    private var iterationStart: Int64 = 0
    /// The length of a loop iteration in nanoseconds; nil until the first one is over.
    private(set) var iterationLength: Int64?
    /// The description of the file; nil until the first loop iteration is over.
    private(set) var summary: GIFReader.Summary?
    /// Whether a frame of this loop iteration was shown. If so, the first frame of the next iteration can be dropped.
    private var hasShownInIteration = false
    private var mayDropFirstFrame = false
    /// Whether the frame was shown, and not dropped.
    private(set) var isShown = false

    /// The time in nanoseconds from the start of the loop iteration to that of the frame; 0 before its first frame.
    var elapsed: Int64 { max(0, start - iterationStart) }

    /// Whether the frame can be dropped if it is late. Frame 0 is not dropped if no frame of the previous loop
    /// iteration was shown, because a late picture is better than no picture.
    var mayDrop: Bool { frame > 0 || mayDropFirstFrame }

    /// Moves to a frame, which is either the next one or frame 0.
    mutating func advance(to number: Int, delay: Int64) {
        frame = number
        start = number == 0 ? iterationStart : end
        end = start + delay
        isShown = false
    }

    mutating func markShown() { (hasShownInIteration, isShown) = (true, true) }

    /// Makes the next loop iteration the first one again.
    mutating func restart() { iteration = -1 }

    /// Records that the frame was the last one of its loop iteration.
    mutating func endIteration(_ summary: GIFReader.Summary) {
        self.summary = summary
        iterationLength = end - iterationStart
    }

    /// Begins the next loop iteration. Skips the loop iterations that are already over at the media time `now`, but
    /// never the final iteration of the GIF, so that playback ends with the last frame.
    /// - Parameters:
    ///   - endlessLimit: see ``PlaybackOptions/endlessLimit``.
    ///   - now: the media time that is due now; nil to skip no iteration.
    /// - Returns: whether a loop iteration follows.
    mutating func beginIteration(_ loops: LoopRule, endlessLimit: Int64?, at now: Int64?) -> Bool {
        guard let summary, loops.continues(after: iteration + 1, summary) else { return false }
        if let endlessLimit, loops.isEndless(summary), end >= endlessLimit { return false }
        iteration += 1
        iterationStart = end
        if let now, let length = iterationLength, length > 0 {
            var missed = max(0, now - iterationStart) / length
            while missed > 0, !loops.continues(after: iteration + Int(missed), summary) { missed -= 1 }
            iteration += Int(missed)
            iterationStart += missed * length
            end = iterationStart
        }
        mayDropFirstFrame = hasShownInIteration
        hasShownInIteration = false
        return true
    }

    /// The media time at which playback ends; nil if it does not end by itself, or if that time is not known yet.
    func finalEnd(_ loops: LoopRule, endlessLimit: Int64?) -> Int64? {
        guard let summary, let length = iterationLength, length > 0 else { return nil }
        let count = loops.count(summary).map(Int64.init) ?? endlessLimit.map { ($0 + length - 1) / length }
        return count.map { iterationStart + min($0 - Int64(iteration), (.max - iterationStart) / length) * length }
    }

    func reaches(_ goal: Goal) -> Bool {
        switch goal {
        case .next: true
        case .frame(let number), .redraw(let number): frame >= number
        case .time(let time): end > time
        }
    }

    /// Whether the frame is displayed at the given media time.
    func contains(_ time: Int64) -> Bool { start <= time && time < end }

    /// The next frame; frame 0 after the last frame.
    var nextFrame: Goal {
        if let count = summary?.frames, frame + 1 >= count { return .frame(0) }
        return .frame(frame + 1)
    }

    /// The previous frame. For frame 0, this is the last frame, or nil if the first loop iteration is not over, because
    /// the number of the last frame is then unknown.
    var previousFrame: Goal? { frame > 0 ? Goal.frame(frame - 1) : summary.map { Goal.frame($0.frames - 1) } }

    /// Returns `time` as a media time of the current loop iteration. Once the length of the iteration is known, a time
    /// before the start wraps around to the end, and a time after the end wraps around to the start.
    func wrapped(_ time: Int64) -> Int64 {
        guard let length = iterationLength.map({ max(1, $0) }) else { return max(iterationStart, time) }
        return iterationStart + ((time - iterationStart) % length + length) % length
    }

    /// Moves a goal beyond the end of the loop iteration, whose length was not known when it was set, into it.
    func wrapped(_ goal: Goal) -> Goal {
        if case .time(let time) = goal { .time(wrapped(time)) } else { .frame(0) }
    }
}
