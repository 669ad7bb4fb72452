import Base

/// A clock for ``SearchLoop`` that only the test advances.
public final class VirtualClock: Sendable {
    private struct State {
        var elapsed = Duration.zero
        var timers: [(end: Duration, continuation: AsyncStream<Void>.Continuation)] = []
    }

    private let start = ContinuousClock.now
    private let state = Monitor(State())

    public init() {}

    public var now: ContinuousClock.Instant { start + state.withLock(\.elapsed) }

    /// Throws `CancellationError` if the task is cancelled before the test has advanced the clock by `span`.
    public func wait(_ span: Duration) async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        state.withLock { $0.timers.append(($0.elapsed + span, continuation)) }
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// Advances the clock once the code under test waits for the given number of timers, ends those that are due, and
    /// lets other tasks run.
    public func advance(to time: Duration, timers count: Int) async {
        while state.withLock(\.timers.count) < count { await Task.yield() }
        let due = state.withLock { state in
            state.elapsed = time
            let due = state.timers.filter { $0.end <= time }
            state.timers.removeAll { $0.end <= time }
            return due
        }
        for timer in due.sorted(by: { $0.end < $1.end }) { timer.continuation.finish() }
        for _ in 0..<1_000 { await Task.yield() }
    }
}
