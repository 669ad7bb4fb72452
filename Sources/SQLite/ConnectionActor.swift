import Base

/// A connection for many tasks. Its calls run one after the other on a thread of its own, because a call can wait for a
/// lock for seconds, and the threads of Swift's concurrency must not wait.
public actor ConnectionActor {
    private let connection: Connection
    private let executor: ThreadExecutor

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Returns: nil if the system could not create a thread.
    public init?(_ connection: sending Connection) {
        guard let executor = ThreadExecutor() else { return nil }
        self.executor = executor
        self.connection = connection
    }

    deinit { executor.close() }

    /// Runs `body`, unless the task is cancelled before its turn.
    public func perform<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
        try Task.checkCancellation()
        return try body(connection)
    }
}

/// Runs the jobs of an actor on one thread.
private final class ThreadExecutor: SerialExecutor {
    private let state = Monitor((jobs: [UnownedJob](), isClosed: false))

    /// - Returns: nil if the system could not create a thread.
    init?() {
        guard DetachedThread.start({ [self] in runJobs() }) else { return nil }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Ends the thread. Afterwards, there must be no further job.
    func close() { state.withLock { $0.isClosed = true } }

    private func runJobs() {
        while let jobs = nextJobs() {
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    /// Waits for jobs. Returns nil if the executor is closed.
    private func nextJobs() -> [UnownedJob]? {
        state.wait { state -> [UnownedJob]?? in
            guard !state.jobs.isEmpty || state.isClosed else { return nil }
            defer { state.jobs = [] }
            return .some(state.jobs.isEmpty ? nil : state.jobs)
        }
    }
}
