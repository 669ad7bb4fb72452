import CTerminal
import Glibc

/// A value with a lock and a condition variable.
///
/// The project uses it instead of `Synchronization.Mutex`, which has no condition variable: the decoding thread must
/// block until its ring of frames has room, and until bytes arrive. Also, the thread sanitizer does not track the futex
/// that a contended `Mutex` uses, so it reports races that do not exist.
public final class Monitor<State> {
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    public init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock held, then wakes all threads that are blocked in ``wait(_:)``.
    /// - Parameter wakes: returns false after a change that no blocked thread waits for.
    public func withLock<Result, Failure: Error>(
        wakes: (State) -> Bool = { _ in true }, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            if wakes(state) { pthread_cond_broadcast(condition) }
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Returns the value, and replaces it by another one. Without specialization, each call would allocate memory.
    @inlinable
    public func exchange(for new: State) -> State {
        withLock { state in
            defer { state = new }
            return state
        }
    }

    /// Repeats `body` with the lock held, each time after another thread has used the value, until it returns a result.
    public func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) {
                pthread_cond_broadcast(condition)
                return result
            }
            pthread_cond_wait(condition, mutex)
        }
    }
}

// Every access to `state` holds the lock.
extension Monitor: @unchecked Sendable {}

/// Starts threads for blocking work, which must not run on the threads of Swift's concurrency.
public enum DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// The message if the system cannot create a thread.
    public static let failure = GIFPLAY_NO_THREAD

    /// The values that `body` captures stay alive until it returns.
    /// - Returns: false if the system could not create a thread; `body` then does not run.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        let isStarted = gifplay_start_thread(perform, work.toOpaque())
        if !isStarted { work.release() }
        return isStarted
    }

    /// Calls `body`, which must not wait, after a time on a thread of Swift's concurrency.
    static func call(afterMilliseconds milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        gifplay_call_later(UInt(max(0, milliseconds)), perform, Unmanaged.passRetained(Work(body)).toOpaque())
    }

    private static let perform: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
    }

    /// Returns the result of `body`. If the system cannot create a thread, runs it on the present one.
    public static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { waiter in
            let work: @Sendable () -> Void = {
                waiter.resume(returning: Result { () throws(Failure) in try body() })
            }
            if !start(work) { work() }
        }
        return try result.get()
    }
}

extension Result {
    public init(of body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

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
