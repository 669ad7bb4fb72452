import Base

/// A clock that only the test advances. Waits return immediately.
public final class ManualWaitClock: WaitClock {
    private let time = Monitor(784_111_777_000)

    public init() {}

    public var milliseconds: Int { time.withLock { $0 } }
    public var unixSeconds: Int { milliseconds / 1_000 }

    public func advance(seconds: Int) { advance(milliseconds: seconds * 1_000) }

    public func advance(milliseconds: Int) { time.withLock { $0 += milliseconds } }

    public func wait(milliseconds: Int) async throws {}
}
