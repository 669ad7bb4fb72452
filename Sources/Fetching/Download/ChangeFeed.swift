import Base

/// Notifies tasks of changes until ``end()`` is called.
final class ChangeFeed: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
        var isEnded = false
    }

    private let state = Monitor(State())

    deinit { end() }

    /// Yields immediately and after each change, until the feed ends. Changes between two reads become one element.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            state.count += 1
            state.listeners[state.count] = continuation
            return state.count
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        // The continuation and the state refer to each other until the stream or the feed ends. The address sanitizer
        // would report the side table of a weak reference as a leak.
        continuation.onTermination = { [state] _ in
            _ = state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func noteChange() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Ends every stream after its pending element.
    func end() {
        // Outside the lock, because finishing a stream calls its termination handler, which takes the lock.
        let listeners = state.withLock { state in
            defer { state = State(isEnded: true) }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
