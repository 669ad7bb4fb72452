import Base

/// Maps the GIF's own time to the clock: deadlines stand on one line, start plus the sum of delays.
///
/// Media time counts on through every pass of a loop. Changing the speed or holding moves the
/// anchor; nothing else does, so a late frame never makes the next one later.
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

    /// When `media` (nanoseconds) is due.
    func instant(of media: Int64) -> Instant {
        let span = Double(media - anchorMedia) / speed
        return anchor + (span < 9e18 ? Int64(span.rounded()) : .max)
    }

    /// Which media time is due at `now`.
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
