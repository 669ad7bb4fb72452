import Base

/// How often tiles may move: as often as their frames ask, but never so often that keys wait.
///
/// Screens that take much of the time between two moves, to be made or to be taken in by the terminal, make
/// moves rarer; quick ones bring the rate back. Screens that keys ask for come beside the moves and put none off.
struct Pace {
    /// 25 moves a second: what GIFs of 40 ms a frame and above need.
    static let shortest = 40 * Span.millisecond
    static let longest = 640 * Span.millisecond

    private(set) var interval = Pace.shortest
    /// The line took long with the latest screens, so that fewer bytes are worth a coarser picture.
    private(set) var isLineSlow = false
    private var last: Instant?

    /// The soonest moment for the next move.
    func next(after wish: Instant?) -> Instant? {
        guard let wish else { return nil }
        guard let last else { return wish }
        return max(wish, last + interval)
    }

    /// Tiles were moved.
    mutating func noteMove(at now: Instant) { last = now }

    /// A screen was begun at `start` and made by `made`; at `taken` the terminal had all of it.
    mutating func noteScreen(from start: Instant, made: Instant, taken: Instant) {
        // A quarter of the time for making screens leaves three for everything else, and a terminal that is
        // busy for less than half of it is mostly free when a key comes.
        let sent = taken - made
        if sent > Span.second / 4 { isLineSlow = true } else if sent < Span.second / 20 { isLineSlow = false }
        if made - start > interval / 4 || taken - start > interval / 2 {
            // A line that takes seconds for a screen is left free for as long: else a key would always come second.
            interval = min(interval * 2, max(Self.longest, sent * 2))
        } else if interval > Self.shortest, made - start < interval / 16, taken - start < interval / 8 {
            interval = max(Self.shortest, interval / 2)
        }
    }
}
