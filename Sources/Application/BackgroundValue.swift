import Base

/// A value that a task computes while the main thread does other work.
///
/// Deallocation of this object cancels the task.
public final class BackgroundValue<Value: Sendable>: Sendable {
    private let state: Monitor<Value?>
    private let task: Task<Void, Never>

    /// - Parameter wake: called once the value is available.
    public init(wake: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () async -> Value) {
        let state = Monitor<Value?>(nil)
        self.state = state
        task = Task.detached {
            let value = await body()
            state.withLock { $0 = value }
            wake()
        }
    }

    deinit { task.cancel() }

    /// Nil if the value is not available yet. Never waits.
    public var value: Value? { state.withLock { $0 } }

    /// Blocks the thread until the value is available.
    public func wait() -> Value { state.wait { $0 } }
}

/// Runs asynchronous work and blocks this thread until it ends.
public func runBlocking<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
) throws(Failure) -> Value {
    try BackgroundValue { await Result(of: body) }.wait().get()
}
