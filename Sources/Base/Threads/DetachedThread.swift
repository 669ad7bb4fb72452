import Glibc

/// Starts threads for blocking work, which must not run in Swift's concurrency pool.
public enum DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// The values that `body` captures stay alive until it returns.
    /// - Returns: false if the system could not create a thread; `body` then does not run.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Returns the result of `body`. If the system cannot create a thread, runs it on the present one.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { waiter in
            if !start({ waiter.resume(returning: body()) }) { waiter.resume(returning: body()) }
        }
    }
}
