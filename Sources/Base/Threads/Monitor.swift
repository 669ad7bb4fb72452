import Glibc

/// A value with a lock that protects it, and with a condition variable.
///
/// The whole project uses this type instead of `Synchronization.Mutex` for two reasons. First, `Mutex` has no condition
/// variable. The decoding thread needs one: it must block until its ring of frames has room, and until bytes arrive.
/// Second, the thread sanitizer does not track the futex that a contended `Mutex` uses, so it reports races that do not
/// exist.
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

    /// Runs `body` with the lock held. If `body` returns nil, blocks until another thread uses the value, then runs
    /// `body` again. Returns the first result that is not nil.
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

// All threads can safely use a monitor, because every access to `state` holds the lock.
extension Monitor: @unchecked Sendable {}
