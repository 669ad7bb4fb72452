import Playback

/// How often tiles may move: as often as their frames ask, but never so often that keys wait.
///
/// A tick that found the terminal still busy, or that took much of its interval, makes the next
/// ones rarer; quick ones bring the rate back.
struct Pace {
    /// 25 ticks a second: what GIFs of 40 ms a frame and above need.
    static let shortest = 40 * Span.millisecond
    static let longest = 640 * Span.millisecond

    private(set) var interval = Pace.shortest
    private var last: Instant?

    /// The soonest moment for the next tick.
    func next(after wish: Instant?) -> Instant? {
        guard let wish else { return nil }
        guard let last else { return wish }
        return max(wish, last + interval)
    }

    /// A tick took from `start` to `end`; what it sent was taken by the terminal or not.
    mutating func note(from start: Instant, to end: Instant) {
        last = start
        // A quarter of the time for moving pictures leaves three for everything else.
        if end - start > interval / 4 {
            interval = min(interval * 2, Self.longest)
        } else if interval > Self.shortest, end - start < interval / 16 {
            interval = max(Self.shortest, interval / 2)
        }
    }

    /// The terminal still takes in what was sent before.
    mutating func noteBusy(at now: Instant) {
        last = now
        interval = min(interval * 2, Self.longest)
    }
}
