import Base
import Testing

/// Runs the tests of a suite on their own threads instead of the threads of Swift's concurrency.
///
/// Tests that wait for processes block their thread. Swift's concurrency has about as many threads as the machine has
/// processors, so a few such tests would delay the asynchronous tests that run at the same time, and their servers.
/// Swift 6.0 has no such traits: there, the tests of these suites run on the threads of Swift's concurrency.
struct OwnThreadsTrait: SuiteTrait, TestTrait {
    var isRecursive: Bool { true }
}

#if compiler(>=6.1)
    extension OwnThreadsTrait: TestScoping {
        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            try await withTaskExecutorPreference(ThreadPerJob()) { try await function() }
        }
    }
#endif

extension Trait where Self == OwnThreadsTrait {
    /// For suites whose tests block their thread.
    static var ownThreads: Self { Self() }
}

/// Runs each job on a new thread.
private final class ThreadPerJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isStarted = DetachedThread.start { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        precondition(isStarted, "no thread for a test")
    }
}
