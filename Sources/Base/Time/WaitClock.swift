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

/// A `WaitClock` that uses the system's clocks. No other code in the project calls a sleep function.
public struct SystemWaitClock: WaitClock {
    public init() {}

    public var milliseconds: Int { Instant.monotonic.milliseconds }

    public var unixSeconds: Int { time(nil) }

    public func wait(milliseconds: Int) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, milliseconds)) * 1_000_000)
    }
}
