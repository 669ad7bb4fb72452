import Glibc

/// A clock to measure time, read the date and wait. Tests use their own.
public protocol WaitClock: Sendable {
    /// Milliseconds of a monotonic clock.
    var milliseconds: Int { get }
    /// Seconds since 1970.
    var unixSeconds: Int { get }
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func wait(milliseconds: Int) async throws
}

/// The system's clocks. No other code in the project sleeps.
public struct SystemWaitClock: WaitClock {
    public init() {}

    public var milliseconds: Int { Instant.monotonic.milliseconds }

    public var unixSeconds: Int { time(nil) }

    public func wait(milliseconds: Int) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, milliseconds)) * 1_000_000)
    }
}
