import Glibc

/// A value behind a lock and a condition variable.
///
/// `Synchronization.Mutex` has no condition variable, and the decode thread must block while its ring is full or while
/// it waits for bytes. A contended `Mutex` also passes through a futex that the thread sanitizer does not track, so
/// that it reports races that do not exist. The whole project therefore uses this type.
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

    /// Runs `body` with the lock held, then wakes every waiter.
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

    /// Blocks until `body` returns a value.
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
