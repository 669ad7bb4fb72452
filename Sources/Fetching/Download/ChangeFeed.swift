import Base

/// Notifies tasks of changes until it ends.
final class ChangeFeed: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
        var isEnded = false
    }

    private let state = Monitor(State())

    deinit { end() }

    /// A stream that yields immediately, and again when something has changed since the last element. It ends with the
    /// feed.
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
        // The end of the stream or of the feed breaks the cycle of the listener and the state. A weak reference would
        // leave a table that the address sanitizer reports as a leak.
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
        // Outside the lock: finishing a stream calls its termination handler, which takes the lock.
        let listeners = state.withLock { state in
            defer { state = State(isEnded: true) }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
