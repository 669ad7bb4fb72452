import Glibc

/// A point in time in nanoseconds, counted from an arbitrary origin.
public struct Instant: Comparable, Hashable, Sendable {
    public var nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current time of the monotonic clock, which changes of the date do not affect.
    public static var monotonic: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * Span.second + Int64(time.tv_nsec))
    }

    @inlinable public var milliseconds: Int { Int(nanoseconds / Span.millisecond) }

    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The earlier of two optional instants. Called once per frame, so it must not allocate.
    @inlinable
    public static func earliest(_ first: Instant?, _ second: Instant?) -> Instant? {
        guard let first else { return second }
        guard let second else { return first }
        return min(first, second)
    }

    /// - Parameter span: in nanoseconds; on overflow the result is the latest instant.
    @inlinable
    public static func + (instant: Instant, span: Int64) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// The span from `right` to `left`, in nanoseconds.
    @inlinable
    public static func - (left: Instant, right: Instant) -> Int64 { left.nanoseconds - right.nanoseconds }
}

/// Nanoseconds in a millisecond and a second.
public enum Span {
    @inlinable public static var millisecond: Int64 { 1_000_000 }
    @inlinable public static var second: Int64 { 1_000_000_000 }
}
