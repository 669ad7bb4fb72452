import Base
import Glibc

/// Time as fetching needs it: to measure, to read dates by, and to wait.
public protocol WaitClock: Sendable {
    /// Milliseconds on a line that never goes back.
    var milliseconds: Int { get }
    /// Seconds since 1970, by the wall.
    var unixSeconds: Int { get }
    /// - Throws: `CancellationError`, at once when the task is cancelled.
    func wait(milliseconds: Int) async throws
}

/// The system's clocks.
public struct SystemWaitClock: WaitClock {
    public init() {}

    public var milliseconds: Int { monotonicMilliseconds() }

    public var unixSeconds: Int { time(nil) }

    public func wait(milliseconds: Int) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, milliseconds)) * 1_000_000)
    }
}

/// Milliseconds of the monotonic clock.
func monotonicMilliseconds() -> Int { Int(Instant.monotonic.nanoseconds / Span.millisecond) }
