import Base
import Catalog

/// Fetches complete files. Callers that request the same file at the same time share one fetch.
///
/// A fetch continues for a moment after its last caller has left, because the same file is often requested again soon.
/// Examples: a tile opens in the large view, or leaves the screen and returns.
final class SharedFetches: Sendable {
    typealias Outcome = Result<[UInt8], Failure>
    typealias Arrival = @Sendable (PartialFile) -> Void

    struct Key: Hashable, Sendable {
        var url: String
        /// Whether the address is allowed to point to this machine or its network.
        var mayBeLocal: Bool
        /// Whether the file is allowed in the cache on disk.
        var mayBeCached: Bool
    }

    private struct Fetch: Sendable {
        var number: Int
        var task: Task<Void, Never>?
        var callers: [Int: (outcome: AsyncStream<Outcome>.Continuation, arrived: Arrival)] = [:]
        /// How often the last remaining caller has left. Only the wait after the latest departure can cancel the fetch.
        var departures = 0
    }

    private struct State: Sendable {
        var fetches: [Key: Fetch] = [:]
        var numbers = 0
    }

    private let state = Monitor(State())
    private let linger: @Sendable () async -> Void

    /// - Parameter linger: the wait after which a fetch is cancelled, unless a new caller has arrived.
    init(linger: @escaping @Sendable () async -> Void) { self.linger = linger }

    /// Starts `fetch` if none is running for this key. Returns immediately if the caller's task is cancelled.
    func bytes(
        _ key: Key, arrived: @escaping Arrival, fetch: @escaping @Sendable (@escaping Arrival) async -> Outcome
    ) async -> Outcome {
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let (outcomes, outcome) = AsyncStream<Outcome>.makeStream()
        let number = state.withLock { state in
            state.numbers += 1
            var running = state.fetches[key] ?? Fetch(number: state.numbers)
            running.callers[state.numbers] = (outcome, arrived)
            if running.task == nil {
                running.task = Task.detached { [own = running.number] in
                    let outcome = await fetch { part in self.report(part, of: key) }
                    self.end(key, own, outcome)
                }
            }
            state.fetches[key] = running
            return state.numbers
        }
        for await outcome in outcomes { return outcome }
        // The caller's task is cancelled.
        leave(key, number)
        return .failure(.cancelled)
    }

    private func leave(_ key: Key, _ number: Int) {
        let abandoned: (fetch: Int, departure: Int)? = state.withLock { state in
            guard state.fetches[key]?.callers.removeValue(forKey: number) != nil, var fetch = state.fetches[key],
                fetch.callers.isEmpty
            else { return nil }
            fetch.departures += 1
            state.fetches[key] = fetch
            return (fetch.number, fetch.departures)
        }
        guard let abandoned else { return }
        Task.detached {
            await self.linger()
            self.cancel(key, abandoned.fetch, after: abandoned.departure)
        }
    }

    private func cancel(_ key: Key, _ number: Int, after departure: Int) {
        let task: Task<Void, Never>? = state.withLock { state in
            guard let fetch = state.fetches[key], fetch.number == number, fetch.callers.isEmpty,
                fetch.departures == departure
            else { return nil }
            state.fetches[key] = nil
            return fetch.task
        }
        task?.cancel()
    }

    private func report(_ part: PartialFile, of key: Key) {
        let callers = state.withLock { Array(($0.fetches[key]?.callers ?? [:]).values) }
        for caller in callers { caller.arrived(part) }
    }

    private func end(_ key: Key, _ number: Int, _ outcome: Outcome) {
        let callers = state.withLock { state -> [AsyncStream<Outcome>.Continuation] in
            guard let fetch = state.fetches[key], fetch.number == number else { return [] }
            state.fetches[key] = nil
            return fetch.callers.values.map(\.outcome)
        }
        for caller in callers { caller.yield(outcome) }
    }
}
