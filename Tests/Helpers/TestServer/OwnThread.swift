import Base
import Glibc

/// Runs a blocking function on a new thread, because a test must not block a thread that runs tasks.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        let isStarted = DetachedThread.start { continuation.resume(with: Result { try body() }) }
        if !isStarted { continuation.resume(throwing: ServerError.system(call: "pthread_create", errno: EAGAIN)) }
    }
}
