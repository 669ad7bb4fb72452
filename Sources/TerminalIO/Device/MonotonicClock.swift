import Glibc
import Playback

extension Instant {
    /// The time of the clock that goes on evenly, whatever happens to the date.
    static var monotonic: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * Span.second + Int64(time.tv_nsec))
    }
}
