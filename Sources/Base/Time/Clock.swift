import Glibc

/// A point in time, in nanoseconds since an arbitrary origin.
public struct Instant: Comparable, Hashable, Sendable {
    public var nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Changes of the system's date do not affect this clock.
    public static var monotonic: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * Span.second + Int64(time.tv_nsec))
    }

    @inlinable public var milliseconds: Int { Int(nanoseconds / Span.millisecond) }

    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// If one is nil, returns the other. Must not allocate memory, because it is called for every frame.
    @inlinable
    public static func earliest(_ first: Instant?, _ second: Instant?) -> Instant? {
        guard let first else { return second }
        guard let second else { return first }
        return min(first, second)
    }

    /// `span` is in nanoseconds. Returns the latest possible instant if the sum overflows.
    @inlinable
    public static func + (instant: Instant, span: Int64) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// In nanoseconds; negative if `left` is earlier.
    @inlinable
    public static func - (left: Instant, right: Instant) -> Int64 { left.nanoseconds - right.nanoseconds }
}

/// The number of nanoseconds in a millisecond and in a second.
public enum Span {
    @inlinable public static var millisecond: Int64 { 1_000_000 }
    @inlinable public static var second: Int64 { 1_000_000_000 }
}

/// A clock that reports the time and the date, and can wait. Tests use their own implementations.
public protocol WaitClock: Sendable {
    /// The time of a monotonic clock, in milliseconds.
    var milliseconds: Int { get }
    /// The current date, in seconds since 1970.
    var unixSeconds: Int { get }
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func wait(milliseconds: Int) async throws
}

/// A `WaitClock` that uses the system's clocks. No other code in the project waits for a time.
public struct SystemWaitClock: WaitClock {
    public init() {}

    public var milliseconds: Int { Instant.monotonic.milliseconds }

    public var unixSeconds: Int { time(nil) }

    public func wait(milliseconds: Int) async throws {
        // Task.sleep would use the threads of libdispatch.
        let (ends, end) = AsyncStream<Void>.makeStream()
        DetachedThread.call(afterMilliseconds: milliseconds) { end.finish() }
        for await _ in ends {}
        try Task.checkCancellation()
    }
}
