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

    private struct Caller: Sendable {
        var continuation: CheckedContinuation<Outcome, Never>
        var arrived: Arrival
    }

    private struct Fetch: Sendable {
        var number: Int
        var task: Task<Void, Never>?
        var callers: [Int: Caller] = [:]
        /// How often the last remaining caller has left. Only the wait after the latest departure can cancel the fetch.
        var departures = 0
    }

    private struct State: Sendable {
        var fetches: [Key: Fetch] = [:]
        var numbers = 0
        /// The numbers of the calls that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    private let state = Monitor(State())
    private let linger: @Sendable () async -> Void

    /// - Parameter linger: the wait after which a fetch is cancelled, unless a new caller has arrived.
    init(linger: @escaping @Sendable () async -> Void) { self.linger = linger }

    /// Starts `fetch` if none is running for this key. Returns immediately if the caller's task is cancelled.
    func bytes(
        _ key: Key, arrived: @escaping Arrival, fetch: @escaping @Sendable (@escaping Arrival) async -> Outcome
    ) async -> Outcome {
        let number = state.withLock { state in
            state.numbers += 1
            return state.numbers
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, number, Caller(continuation: continuation, arrived: arrived), fetch)
            }
        } onCancel: {
            leave(key, number)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        return outcome
    }

    private static let cancelledOutcome = Outcome.failure(.cancelled)

    private func join(
        _ key: Key, _ number: Int, _ caller: Caller, _ fetch: @escaping @Sendable (@escaping Arrival) async -> Outcome
    ) {
        let isTooLate = state.withLock { state in
            guard !state.cancelled.contains(number) else { return true }
            var running = state.fetches[key] ?? Fetch(number: number)
            running.callers[number] = caller
            if running.task == nil {
                let own = running.number
                running.task = Task.detached {
                    let outcome = await fetch { part in self.report(part, of: key) }
                    self.end(key, own, outcome)
                }
            }
            state.fetches[key] = running
            return false
        }
        if isTooLate { caller.continuation.resume(returning: Self.cancelledOutcome) }
    }

    private func leave(_ key: Key, _ number: Int) {
        let (caller, abandoned) = state.withLock { state -> (Caller?, (fetch: Int, departure: Int)?) in
            guard let caller = state.fetches[key]?.callers.removeValue(forKey: number) else {
                state.cancelled.insert(number)
                return (nil, nil)
            }
            guard var fetch = state.fetches[key], fetch.callers.isEmpty else { return (caller, nil) }
            fetch.departures += 1
            state.fetches[key] = fetch
            return (caller, (fetch.number, fetch.departures))
        }
        caller?.continuation.resume(returning: Self.cancelledOutcome)
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
        let callers: [Caller] = state.withLock { state in
            guard let fetch = state.fetches[key], fetch.number == number else { return [] }
            state.fetches[key] = nil
            return Array(fetch.callers.values)
        }
        for caller in callers { caller.continuation.resume(returning: outcome) }
    }
}
