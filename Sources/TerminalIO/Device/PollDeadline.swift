import Base
import CTerminal
import Glibc

/// Waits like poll(2) until a descriptor is ready or `deadline` has passed.
/// - Parameters:
///   - deadline: nil to wait without a time limit.
///   - now: the current time.
/// - Returns: the number of ready descriptors, or a negative number after an error.
func poll(_ descriptors: inout [pollfd], until deadline: Instant?, now: Instant) -> Int32 {
    guard let deadline else { return gifplay_poll(&descriptors, UInt(descriptors.count), nil) }
    let span = max(0, deadline - now)
    var time = timespec(tv_sec: Int(span / Span.second), tv_nsec: Int(span % Span.second))
    return gifplay_poll(&descriptors, UInt(descriptors.count), &time)
}
