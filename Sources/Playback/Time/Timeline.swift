import Base

/// Maps media time, which is the GIF's own time in nanoseconds, to clock time.
///
/// Media time continues through all loop iterations. The anchor is a clock time and the media time that is due at it.
/// Only `setSpeed`, `hold`, `release` and `jump` move the anchor, so a late frame does not delay the next frame.
struct Timeline {
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
