import Glibc

/// A value that is protected by a lock, with a condition variable.
///
/// The whole project uses this type instead of `Synchronization.Mutex` for two reasons. First, `Mutex` has no condition
/// variable, but the decoding thread must block while its ring of frames is full and while it waits for bytes. Second,
/// a contended `Mutex` uses a futex that the thread sanitizer does not track, so the sanitizer reports false races.
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
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Runs `body` with the lock held, and again after each change of the value, until `body` returns a result. Blocks
    /// in the meantime.
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

// Any thread may use a monitor, because every access to `state` holds the lock.
extension Monitor: @unchecked Sendable {}
