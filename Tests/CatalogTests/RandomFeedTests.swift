import Base
import TestSupport
import Testing

@testable import Catalog

@Suite struct RandomFeedTests {
    private func batch(_ range: Range<Int>) -> Result<ResultPage, Failure> {
        .success(ResultPage(items: range.map { reference("g\($0)") }))
    }

    private func feed(
        _ repository: PreparedRepository, seed: UInt64 = 1, health: SourceHealth = SourceHealth()
    ) -> RandomFeed {
        RandomFeed(repository, health: health, generator: SeededRandom(seed))
    }

    private func take(_ count: Int, _ feed: RandomFeed) async throws -> [String] {
        var taken: [String] = []
        for _ in 0..<count {
            taken.append(try await feed.nextReference().id)
            await feed.refillTask?.value
        }
        return taken
    }

    @Test("The same seed produces the same order")
    func sameSeed() async throws {
        let first = try await take(10, feed(PreparedRepository("r", batch(0..<10))))
        #expect(try await take(10, feed(PreparedRepository("r", batch(0..<10)))) == first)
        #expect(try await take(10, feed(PreparedRepository("r", batch(0..<10)), seed: 2)) != first)
        #expect(first != first.sorted())
    }

    @Test("Every known GIF is returned once before any GIF is repeated, and no GIF is returned twice in a row")
    func noEarlyRepeats() async throws {
        let repository = PreparedRepository("r", batch(0..<6), batch(4..<10), batch(0..<10))
        let feed = feed(repository)
        let taken = try await take(30, feed)
        for round in 0..<3 { #expect(Set(taken[(round * 10)..<(round * 10 + 10)]).count == 10) }
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("A new batch is fetched when the old batch is nearly used up")
    func refill() async throws {
        let repository = PreparedRepository("r", batch(0..<8), batch(8..<16))
        let feed = feed(repository)
        _ = try await take(4, feed)
        #expect(repository.queries.count == 1)
        _ = try await take(1, feed)
        #expect(repository.queries.count == 2)
        _ = try await take(6, feed)
        #expect(repository.queries.count == 3 || repository.queries.count == 2)
    }

    @Test("If the network is unavailable, the feed repeats the known GIFs")
    func offline() async throws {
        let offline = Failure.exhausted([Failure.outage.of("commons")])
        let repository = PreparedRepository("r", batch(0..<4), .failure(offline))
        let feed = feed(repository)
        let taken = try await take(12, feed)
        #expect(Set(taken).count == 4)
        #expect(await feed.lastBatch.error == offline)
        #expect(await feed.failures == [Failure.outage.of("commons")])
    }

    @Test("When the network is available again, new GIFs come first")
    func onlineAgain() async throws {
        let repository = PreparedRepository("r", batch(0..<4), .failure(.outage), .failure(.outage), batch(10..<14))
        let feed = feed(repository)
        let taken = try await take(40, feed)
        let first = try #require(taken.firstIndex { ["g10", "g11", "g12", "g13"].contains($0) })
        #expect(Set(taken[first..<(first + 4)]) == ["g10", "g11", "g12", "g13"])
        #expect(Set(taken[..<first]).count == 4)
        #expect(await feed.lastBatch.error == nil)
    }

    @Test("Batches are requested less often if they fail or contain no new GIFs")
    func rareRequests() async throws {
        for outcome in [batch(0..<50), batch(0..<2), .failure(.outage)] {
            let repository = PreparedRepository("r", batch(0..<50), outcome)
            let feed = feed(repository)
            _ = try await take(200, feed)
            #expect(repository.queries.count <= 1 + 160 / 10 && repository.queries.count > 4)
        }
    }

    @Test("If the feed has no GIF, it throws an error with the reason")
    func emptyFeed() async {
        for (outcome, expected) in [
            (Result<ResultPage, Failure>.failure(.outage), Failure.outage), (batch(0..<0), .nothingFound),
        ] {
            let feed = feed(PreparedRepository("r", outcome))
            await #expect(throws: expected) { try await feed.nextReference() }
        }
    }

    @Test("If the number of GIFs exceeds the limit, the feed forgets the oldest ones")
    func boundedMemory() async throws {
        let limit = RandomFeed.knownLimit
        let batches = (0..<3).map { batch($0 * limit..<($0 + 1) * limit) }
        let feed = feed(PreparedRepository("r", batches[0], batches[1], batches[2], .failure(.outage)))
        _ = try await take(3 * limit, feed)
        #expect(Set(try await take(limit, feed)) == Set((2 * limit..<3 * limit).map { "g\($0)" }))
    }

    @Test("With small batches, no GIF is repeated as long as new batches can be fetched")
    func smallBatches() async throws {
        let batches = (0..<5).map { batch($0 * 4..<$0 * 4 + 4) }
        let repository = PreparedRepository(
            "r", batches[0], batches[1], batches[2], batches[3], batches[4], .failure(.outage))
        #expect(Set(try await take(20, feed(repository))).count == 20)
        // After the five batches with GIFs, the feed requests at most one further batch in advance.
        #expect(repository.queries.count <= 6)
    }

    @Test("GIFs whose source cannot deliver files are returned later, and another batch is requested")
    func unusableSource() async throws {
        let repository = PreparedRepository(
            "r", batch(0..<6), .success(ResultPage(items: [reference("b", provider: "other")])), .failure(.outage))
        let health = SourceHealth()
        let feed = feed(repository, health: health)
        _ = try await take(1, feed)
        health.update { $0.setAsideFiles(of: "test", Failure("403"), at: $1) }
        #expect(try await feed.nextReference().id == "b")
        #expect(repository.queries.count == 2)
        health.update { coolDowns, _ in coolDowns.retryFiles() }
        #expect(try await feed.nextReference().provider == "test")
    }

    private static let unreachable = Failure.unreachable(host: "h", reason: "refused")

    /// Returns a page of built-in samples in place of results.
    private func samples(_ count: Int) -> Result<ResultPage, Failure> {
        var page = ResultPage(items: (0..<count).map { reference("s\($0)", provider: "samples") })
        for index in page.items.indices { page.items[index].cachePolicy = .embedded }
        page.sourceFailures = [Self.unreachable.of("commons")]
        return .success(page)
    }

    @Test("Without a connection, the feed queries again after 2, 5, 15, 30 and 30 s, until a service answers")
    func reconnects() async throws {
        let repository = PreparedRepository(
            "r", samples(20), samples(20), samples(20), samples(20), samples(20), batch(0..<6))
        let clock = GatedClock()
        let feed = RandomFeed(repository, reconnects: true, clock: clock)
        #expect(try await feed.nextReference().provider == "samples")
        for count in 1...5 {
            #expect(feed.retryTime != nil && repository.queries.count == count)
            clock.open()
            await feed.reconnection.wait?.value
            await feed.refillTask?.value
        }
        #expect(clock.waits == [2_000, 5_000, 15_000, 30_000, 30_000])
        #expect(feed.retryTime == nil)
        // The GIFs of the services come before the samples that were not shown yet.
        for _ in 0..<6 { #expect(try await feed.nextReference().provider == "test") }
        #expect(try await feed.nextReference().provider == "samples")
    }

    @Test("If a feed has no GIF and no connection, a call waits until a service answers; a retry ends the wait")
    func waitsForConnection() async throws {
        let repository = PreparedRepository("r", .failure(Self.unreachable), .failure(Self.unreachable), batch(0..<3))
        let clock = GatedClock()
        let feed = RandomFeed(repository, reconnects: true, clock: clock)
        let next = Task { try await feed.nextReference() }
        for count in 1...2 {
            await clock.waitForWaits(count)
            await feed.reconnectNow()
        }
        #expect(try await next.value.id.hasPrefix("g"))
        #expect(feed.retryTime == nil && repository.queries.count == 3)
        // Each retry by the user begins with the shortest wait again.
        #expect(clock.waits == [2_000, 2_000])
    }

    @Test(
        "After a file could not be fetched, the feed finds out whether there is a connection", arguments: [true, false])
    func checksConnection(isConnected: Bool) async throws {
        let repository = PreparedRepository("r", batch(0..<20), isConnected ? batch(20..<40) : samples(3))
        let feed = RandomFeed(repository, reconnects: true, clock: GatedClock())
        _ = try await feed.nextReference()
        await feed.checkConnection()
        await feed.refillTask?.value
        #expect(repository.queries.count == 2 && (feed.retryTime == nil) == isConnected)
    }

    @Test("A feed with a single GIF repeats this GIF")
    func singleGIF() async throws {
        #expect(try await take(3, feed(PreparedRepository("r", batch(0..<1)))) == ["g0", "g0", "g0"])
    }
}

/// A clock whose waits last until ``open()`` is called or their task is cancelled.
private final class GatedClock: WaitClock {
    private let state = Monitor<(waits: [Int], opened: Int)>(([], 0))

    /// The durations of all waits, in milliseconds.
    var waits: [Int] { state.withLock { $0.waits } }
    var milliseconds: Int { 0 }
    var unixSeconds: Int { 0 }

    /// Ends the next wait.
    func open() { state.withLock { $0.opened += 1 } }

    func waitForWaits(_ count: Int) async {
        while state.withLock({ $0.waits.count < count }) { await Task.yield() }
    }

    func wait(milliseconds: Int) async throws {
        let number = state.withLock { state in
            state.waits.append(milliseconds)
            return state.waits.count
        }
        while state.withLock({ $0.opened < number }) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
