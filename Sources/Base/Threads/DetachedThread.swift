import CTerminal

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
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { waiter in
            if !start({ waiter.resume(returning: body()) }) { waiter.resume(returning: body()) }
        }
    }
}
