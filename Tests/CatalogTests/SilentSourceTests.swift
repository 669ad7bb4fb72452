import Base
import Synchronization
import Testing

@testable import Application
@testable import Catalog

/// A clock that only the test advances. Each wait returns when the clock reaches the end of the wait.
private final class SteppedClock: Sendable {
    private struct Sleeper {
        var until: ContinuousClock.Instant
        var continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex((now: ContinuousClock.now, sleepers: [Sleeper]()))

    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    func wait(_ span: Duration) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.sleepers.append(Sleeper(until: $0.now + span, continuation: continuation)) }
        }
    }

    func advance(_ span: Duration) {
        let due = state.withLock { state in
            state.now += span
            let due = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Ends all pending waits. Otherwise the timer tasks of a finished search would never end, because the waits ignore
    /// cancellation.
    func finish() { advance(.seconds(1 << 30)) }
}

/// A repository that does not respond until ``open()`` is called.
private final class SilentRepository: GIFRepository {
    let name: String
    private let page: ResultPage
    private let waiting = Mutex((count: 0, isOpen: false, continuations: [CheckedContinuation<Void, Never>]()))

    init(_ name: String, _ page: ResultPage) {
        self.name = name
        self.page = page
    }

    var queryCount: Int { waiting.withLock { $0.count } }

    func open() {
        let continuations = waiting.withLock { waiting in
            waiting.isOpen = true
            return waiting.continuations
        }
        for continuation in continuations { continuation.resume() }
    }

    func search(_ query: SearchQuery, page: PageToken?) async throws(Failure) -> ResultPage { await answer() }
    func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(Failure) -> ResultPage {
        await answer()
    }
    func random(_ preferences: ListingPreferences) async throws(Failure) -> ResultPage { await answer() }

    private func answer() async -> ResultPage {
        await withCheckedContinuation { continuation in
            let isOpen = waiting.withLock { waiting in
                waiting.count += 1
                if !waiting.isOpen { waiting.continuations.append(continuation) }
                return waiting.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return page
    }
}

@Suite(.timeLimit(.minutes(2))) struct SilentSourceTests {
    /// The failures that the next run would know.
    private let logged = Monitor<[Failure]>([])

    private static func page(_ id: String) -> ResultPage { ResultPage(items: [reference(id)]) }

    private func chain(_ clock: SteppedClock, _ repositories: any GIFRepository...) -> ServiceChain {
        let health = SourceHealth(
            now: { clock.now }, log: { [logged] failure in logged.withLock { $0.append(failure) } })
        return ServiceChain(
            repositories.map { .init($0) }, health: health, wait: { await clock.wait($0) })
    }

    private func waitUntil(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("The next source is queried after 2.5 s without a response, and the first query continues")
    func hedges() async throws {
        let clock = SteppedClock()
        defer { clock.finish() }
        let silent = SilentRepository("silent", Self.page("cat late"))
        let second = PreparedRepository("second", .success(Self.page("cat soon")))
        let chain = chain(clock, silent, second)
        let search = Task { try await chain.search(SearchQuery("cat"), page: nil) }
        await waitUntil { silent.queryCount == 1 && clock.sleepers == 1 }
        clock.advance(.milliseconds(2_499))
        #expect(second.queries.isEmpty)
        clock.advance(.milliseconds(1))
        let found = try await search.value
        #expect(found.items.map(\.id) == ["cat soon"])
        let silence = Failure.timedOut(host: "silent", milliseconds: 2_500).of("silent")
        #expect(found.sourceFailures == [silence] && logged.withLock { $0 } == [silence])
        // The late source is not queried again. Its response to the first query becomes the next page.
        silent.open()
        let more = try await chain.search(SearchQuery("cat"), page: found.next)
        #expect(more.items.map(\.id) == ["cat late"])
        #expect(silent.queryCount == 1)
    }

    @Test("A third source is queried after 5 s without a response, and the first response to arrive is used")
    func twoSilent() async throws {
        let clock = SteppedClock()
        defer { clock.finish() }
        let one = SilentRepository("one", Self.page("cat 1"))
        let two = SilentRepository("two", Self.page("cat 2"))
        let three = SilentRepository("three", Self.page("cat 3"))
        let chain = chain(clock, one, two, three)
        let search = Task { try await chain.search(SearchQuery("cat"), page: nil) }
        await waitUntil { one.queryCount == 1 && clock.sleepers == 1 }
        clock.advance(.milliseconds(2_500))
        await waitUntil { two.queryCount == 1 && clock.sleepers == 1 }
        clock.advance(.milliseconds(2_500))
        await waitUntil { three.queryCount == 1 }
        two.open()
        #expect(try await search.value.items.map(\.id) == ["cat 2"])
        one.open()
        three.open()
    }

    @Test("A random batch that arrives late is returned by the next call")
    func lateRandomBatch() async throws {
        let clock = SteppedClock()
        defer { clock.finish() }
        let silent = SilentRepository("silent", Self.page("late"))
        let second = PreparedRepository("second", .success(Self.page("soon")))
        let chain = chain(clock, silent, second)
        let batch = Task { try await chain.random(ListingPreferences()) }
        await waitUntil { silent.queryCount == 1 && clock.sleepers == 1 }
        clock.advance(.milliseconds(2_500))
        #expect(try await batch.value.items.map(\.id) == ["soon"])
        silent.open()
        #expect(try await chain.random(ListingPreferences()).items.map(\.id) == ["late"])
        #expect(silent.queryCount == 1)
    }

    @Test("For a limited time, a source that failed in an earlier run is queried only after the other sources")
    func recentFailures() async throws {
        let clock = ManualClock()
        let first = PreparedRepository("first", .success(Self.page("cat 1")))
        let second = PreparedRepository("second", .success(Self.page("cat 2")))
        let health = SourceHealth(now: { clock.now }, lastRun: { ["first": 20] })
        let chain = ServiceChain([.init(first), .init(second)], health: health, wait: waitUntilCancelled)
        #expect(try await chain.search(SearchQuery("cat"), page: nil).items.map(\.id) == ["cat 2"])
        #expect(first.queries.isEmpty)
        let alone = ServiceChain([.init(first)], health: health, wait: waitUntilCancelled)
        #expect(try await alone.search(SearchQuery("cat"), page: nil).items.map(\.id) == ["cat 1"])
        clock.advance(.seconds(20))
        #expect(try await chain.search(SearchQuery("cat"), page: nil).items.map(\.id) == ["cat 1"])
    }
}
