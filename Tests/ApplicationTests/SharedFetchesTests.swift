import Base
import Catalog
import LoadingSupport
import Synchronization
import TestServer
import Testing

@testable import Application

@Suite("Shared fetches", .timeLimit(.minutes(15)))
struct SharedFetchesTests {
    private let key = SharedFetches.Key(url: "https://example.org/a.gif", mayBeLocal: false, mayBeCached: true)

    /// A fetch that runs until ``end()`` is called. `begun` counts how often the fetch was started.
    private final class ControlledFetch: Sendable {
        let begun = Mutex(0)
        let wasCancelled = Mutex(false)
        /// The callers that have received a progress report.
        let heard = Mutex<Set<Int>>([])
        private let ending = AsyncStream<Void>.makeStream()
        let progress = Mutex<SharedFetches.Arrival?>(nil)

        func end() { ending.continuation.finish() }

        func run(_ arrived: @escaping SharedFetches.Arrival) async -> SharedFetches.Outcome {
            begun.withLock { $0 += 1 }
            progress.withLock { $0 = arrived }
            for await _ in ending.stream {}
            wasCancelled.withLock { $0 = Task.isCancelled }
            return Task.isCancelled ? .failure(.cancelled) : .success([1, 2, 3])
        }

        func waitUntilBegun() async { while begun.withLock({ $0 }) == 0 { await Task.yield() } }

        /// Repeats a progress report until each of these callers has received it.
        func report(to callers: Set<Int>) async {
            while !heard.withLock({ $0.isSuperset(of: callers) }) {
                progress.withLock { $0 }?(PartialFile(.init(received: 1), bytes: [1]))
                await Task.yield()
            }
        }

        func hear(_ caller: Int) -> SharedFetches.Arrival { { _ in self.heard.withLock { _ = $0.insert(caller) } } }
    }

    private func bytes(_ outcome: SharedFetches.Outcome) -> [UInt8]? { try? outcome.get() }

    @Test("Callers of the same file share one fetch, and each receives its progress")
    func shares() async {
        let (shared, fetch) = (SharedFetches(linger: {}), ControlledFetch())
        let callers = (0..<3).map { number in
            Task { await shared.bytes(key, arrived: fetch.hear(number), fetch: fetch.run) }
        }
        await fetch.waitUntilBegun()
        await fetch.report(to: [0, 1, 2])
        fetch.end()
        for caller in callers { #expect(bytes(await caller.value) == [1, 2, 3]) }
        #expect(fetch.begun.withLock { $0 } == 1)
    }

    @Test("A cancelled caller returns immediately, and the other caller still receives the file")
    func cancelledCaller() async {
        let (shared, fetch) = (SharedFetches(linger: {}), ControlledFetch())
        let stays = Task { await shared.bytes(key, arrived: { _ in }, fetch: fetch.run) }
        await fetch.waitUntilBegun()
        let leaves = Task { await shared.bytes(key, arrived: { _ in }, fetch: fetch.run) }
        leaves.cancel()
        #expect(bytes(await leaves.value) == nil)
        fetch.end()
        #expect(bytes(await stays.value) == [1, 2, 3])
        #expect(fetch.begun.withLock { $0 } == 1)
    }

    @Test("A fetch without callers waits for a new caller and is cancelled if none joins")
    func lingers() async {
        let fetch = ControlledFetch()
        let (times, more) = AsyncStream<Void>.makeStream()
        let linger = LingerWaits(times)
        let shared = SharedFetches(linger: { await linger.wait() })
        let first = Task { await shared.bytes(key, arrived: { _ in }, fetch: fetch.run) }
        await fetch.waitUntilBegun()
        first.cancel()
        _ = await first.value
        let second = Task { await shared.bytes(key, arrived: fetch.hear(2), fetch: fetch.run) }
        await fetch.report(to: [2])
        while await linger.waits < 1 { await Task.yield() }
        // End the wait that began when the first caller left. The fetch must continue, because a second caller has
        // joined.
        more.yield()
        while await linger.ends < 1 { await Task.yield() }
        #expect(fetch.begun.withLock { $0 } == 1 && !fetch.wasCancelled.withLock { $0 })
        second.cancel()
        _ = await second.value
        more.yield()
        while !fetch.wasCancelled.withLock({ $0 }) { await Task.yield() }
        // A later call starts a new fetch.
        let other = ControlledFetch()
        other.end()
        #expect(bytes(await shared.bytes(key, arrived: { _ in }, fetch: other.run)) == [1, 2, 3])
    }

    @Test("A URL from the user and the same URL from a service never share a fetch")
    func separate() async {
        let shared = SharedFetches(linger: {})
        let fetches = [ControlledFetch(), ControlledFetch()]
        for (fetch, mayBeLocal) in zip(fetches, [true, false]) {
            fetch.end()
            let key = SharedFetches.Key(url: key.url, mayBeLocal: mayBeLocal, mayBeCached: true)
            _ = await shared.bytes(key, arrived: { _ in }, fetch: fetch.run)
            #expect(fetch.begun.withLock { $0 } == 1)
        }
    }

    @Test("A caller whose task is already cancelled returns immediately and starts no fetch")
    func cancelledBefore() async {
        let (shared, fetch) = (SharedFetches(linger: {}), ControlledFetch())
        let caller = Task {
            await waitUntilCancelled()
            return await shared.bytes(key, arrived: { _ in }, fetch: fetch.run)
        }
        caller.cancel()
        #expect(bytes(await caller.value) == nil && fetch.begun.withLock { $0 } == 0)
    }

    @Test("A failure reaches every caller, and a later call tries again")
    func failure() async {
        let (shared, fetch) = (SharedFetches(linger: {}), ControlledFetch())
        let failing: @Sendable (@escaping SharedFetches.Arrival) async -> SharedFetches.Outcome = { arrived in
            _ = await fetch.run(arrived)
            return .failure(Failure("no route"))
        }
        let callers = (0..<2).map { number in
            Task { await shared.bytes(key, arrived: fetch.hear(number), fetch: failing) }
        }
        await fetch.waitUntilBegun()
        await fetch.report(to: [0, 1])
        fetch.end()
        for caller in callers {
            guard case .failure(let error) = await caller.value else {
                Issue.record("the fetch did not fail")
                continue
            }
            #expect(error == Failure("no route"))
        }
        #expect(bytes(await shared.bytes(key, arrived: { _ in }, fetch: { _ in .success([4]) })) == [4])
    }
}

/// Replaces the timer that limits how long a fetch continues without callers. Each element of `times` ends one wait.
private actor LingerWaits {
    private(set) var waits = 0
    private(set) var ends = 0
    private let times: AsyncStream<Void>

    init(_ times: AsyncStream<Void>) { self.times = times }

    func wait() async {
        waits += 1
        for await _ in times { break }
        ends += 1
    }
}

@Suite("Background value", .timeLimit(.minutes(5)))
struct BackgroundValueTests {
    private struct Failure: Error, Equatable {
        var number: Int
    }

    @Test("The value is nil while the work runs, and available when the listener is called")
    func wake() async {
        let (begin, beginning) = AsyncStream<Void>.makeStream()
        let (wakes, wake) = AsyncStream<Void>.makeStream()
        let value = BackgroundValue(wake: { wake.finish() }) {
            for await _ in begin {}
            return 7
        }
        #expect(value.value == nil)
        beginning.finish()
        for await _ in wakes {}
        #expect(value.value == 7)
    }

    @Test("A thread that waits gets the value")
    func wait() async throws {
        #expect(try await onOwnThread { BackgroundValue { "a" }.wait() } == "a")
    }

    @Test("When the value is released, the work that computes it is cancelled")
    func release() async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        var value: BackgroundValue<Int>? = BackgroundValue {
            await waitUntilCancelled()
            end.finish()
            return 1
        }
        #expect(value?.value == nil)
        value = nil
        // Returns only after the work has noticed its cancellation.
        for await _ in ends {}
    }

    @Test("Blocking work returns its result or throws its error")
    func blocking() async throws {
        let value = try await onOwnThread { try runBlocking { () async throws(Failure) -> Int in 3 } }
        #expect(value == 3)
        await #expect(throws: Failure(number: 4)) {
            try await onOwnThread {
                try runBlocking { () async throws(Failure) -> Int in throw Failure(number: 4) }
            }
        }
    }
}
