import Base

/// Maps media time, the GIF's own time in nanoseconds, to the clock: a deadline is the start plus the sum of delays.
///
/// Media time continues through all loop iterations. Only a change of speed, a hold, a release or a jump moves the
/// anchor, so a late frame does not delay the next one.
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

    /// The time at which `media` (nanoseconds) is due.
    func instant(of media: Int64) -> Instant {
        let span = Double(media - anchorMedia) / speed
        return anchor + (span < 9e18 ? Int64(span.rounded()) : .max)
    }

    /// The media time (nanoseconds) that is due at `now`.
    func media(at now: Instant) -> Int64 {
        if isHeld { return anchorMedia }
        return anchorMedia + Int64((Double(now - anchor) * speed).rounded())
    }

    mutating func setSpeed(_ newSpeed: Double, at now: Instant) {
        jump(to: media(at: now), at: now)
        speed = newSpeed
    }

    /// Stops the clock at the media time of `now`.
    mutating func hold(at now: Instant) {
        jump(to: media(at: now), at: now)
        isHeld = true
    }

    mutating func release(at now: Instant) {
        anchor = now
        isHeld = false
    }

    /// Makes `media` due at `now`.
    mutating func jump(to media: Int64, at now: Instant) {
        anchor = now
        anchorMedia = media
    }
}
