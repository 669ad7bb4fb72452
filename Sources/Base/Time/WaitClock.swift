import Glibc

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
