import Glibc

/// The clocks of tasks: to measure, to read dates, and to wait. Tests replace it.
public protocol WaitClock: Sendable {
    /// Milliseconds of a clock that never goes back.
    var milliseconds: Int { get }
    /// Seconds since 1970.
    var unixSeconds: Int { get }
    /// - Throws: `CancellationError`, at once when the task is cancelled.
    func wait(milliseconds: Int) async throws
}

/// The system's clocks. Nothing else in the project sleeps.
public struct SystemWaitClock: WaitClock {
    public init() {}

    public var milliseconds: Int { Instant.monotonic.milliseconds }

    public var unixSeconds: Int { time(nil) }

    public func wait(milliseconds: Int) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, milliseconds)) * 1_000_000)
    }
}
