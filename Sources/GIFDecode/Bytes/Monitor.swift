import Glibc

/// A value behind a lock, with waiting until it changes.
///
/// `Synchronization.Mutex` has no condition to wait on, and the decode thread must sleep while its
/// ring is full or its bytes are still to come. Where threads meet at it, its lock is handed over in the kernel, which
/// the thread sanitizer does not see: it takes every such meeting for a race. Hence this one everywhere.
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

    /// Runs `body` alone, then lets every waiter look again.
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

    /// Sleeps until `body` gives a value.
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

// Every access to `state` goes through the lock.
extension Monitor: @unchecked Sendable {}
