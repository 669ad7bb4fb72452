import Base
import FoundationEssentials
import LoadingSupport
import Synchronization
import Testing

@testable import Application
@testable import Catalog

/// Tests the order of the hits and the choice of the source. In each listing in Tests/Fixtures/ranking, one hit is
/// marked as the hit that must come first.
@Suite struct ResultRankingTests {
    private struct SyntheticListing {
        var query: String
        var hits: [GIFReference] = []
        var wanted = ""
    }

    /// Reads the listings. A listing is a line `query: TERMS`, followed by one line for each hit:
    /// `* title | 320x240 | bytes | frames`. `*` marks the hit that must come first, and `-` marks the other hits. `?`
    /// means that the source does not report the value.
    private func listings() throws -> [SyntheticListing] {
        var listings: [SyntheticListing] = []
        for line in String(decoding: try Fixture.bytes("ranking/listings.txt"), as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("query: ") {
                listings.append(SyntheticListing(query: String(line.dropFirst(7))))
                continue
            }
            let fields = line.dropFirst(2).split(separator: " | ").map(String.init)
            try #require(fields.count == 4 && !listings.isEmpty, "\(line)")
            let sides = fields[1].split(separator: "x").map { Int($0) }
            let frames = Int(fields[3])
            let number = listings[listings.count - 1].hits.count
            var hit = reference("\(number)")
            hit.title = fields[0]
            hit.renditions = [
                Rendition(
                    url: "https://example.org/\(number).gif", width: sides.first ?? nil, height: sides.last ?? nil,
                    bytes: Int(fields[2]), frames: frames, mayBeStill: frames == nil)
            ]
            listings[listings.count - 1].hits.append(hit)
            if line.hasPrefix("*") { listings[listings.count - 1].wanted = fields[0] }
        }
        return listings
    }

    @Test("The expected hit comes first in at least 38 of 40 synthetic listings")
    func syntheticListings() throws {
        let listings = try listings()
        #expect(listings.count == 40 && listings.allSatisfy { !$0.wanted.isEmpty && $0.hits.count >= 3 })
        let missed = listings.filter { ResultRanking($0.query).sorted($0.hits).first?.title != $0.wanted }
        #expect(missed.count <= 2, "\(missed.map { ($0.query, ResultRanking($0.query).sorted($0.hits).map(\.title)) })")
        let unranked = listings.filter { $0.hits.first?.title != $0.wanted }
        #expect(unranked.count >= 30, "in their source's order the wanted ones are mostly not first")
    }

    @Test("The expected hit comes first in the response fixtures of the services")
    func fixtures() async throws {
        let lines = String(decoding: try Fixture.bytes("ranking/fixtures.txt"), as: UTF8.self).split(separator: "\n")
        for line in lines where !line.hasPrefix("#") {
            let fields = line.split(separator: " | ").map(String.init)
            let client = ScriptedHTTPClient(.success(try Fixture.response("\(fields[0])/\(fields[1])")))
            let chain = try ServiceChain(only: fields[0], client)
            let found = try await chain.search(SearchQuery(fields[2]), page: nil)
            #expect(found.items.first?.title == fields[3], "\(line): \(found.items.map(\.title))")
        }
        #expect(lines.count >= 5)
    }

    @Test("A term matches only whole words, regardless of case, plural endings and trailing digits")
    func words() {
        func fits(_ query: String, _ title: String) -> Bool {
            ResultRanking(query).bestScore(of: [reference(title)]) > 0
        }
        #expect(fits("cats", "A cat") && fits("cat", "Three CATS") && fits("puppy", "Puppies") && fits("fox", "foxes"))
        #expect(fits("cat", "cat01") && fits("bus", "Bus") && fits("glass", "glass") && fits("猫", "踊る猫"))
        #expect(!fits("cat", "Catalogue") && !fits("cat", "Concatenation") && !fits("dance", "Map"))
    }

    // MARK: - Choice of the source

    private static let map = ResultPage(items: [reference("Map of cat distribution in Europe")])
    private static let unrelated = ResultPage(items: [reference("Unrelated")])
    private static let good = ResultPage(items: [reference("Dancing cat")])
    private static let empty = ResultPage(items: [])

    private func chain(_ repositories: PreparedRepository...) -> ServiceChain {
        let clock = ManualClock()
        return ServiceChain(
            repositories.map { .init($0) }, health: SourceHealth(now: { clock.now }), wait: waitUntilCancelled)
    }

    @Test("A source whose best hit matches poorly is used only if no other source has a better hit")
    func poorHits() async throws {
        for poor in [Self.map, Self.unrelated] {
            let first = PreparedRepository("first", .success(poor))
            let found = try await chain(first, PreparedRepository("second", .success(Self.good)))
                .search(SearchQuery("cat"), page: nil)
            #expect(found.items == Self.good.items)
            let none = try await chain(first, PreparedRepository("second", .success(Self.empty)))
                .search(SearchQuery("cat"), page: nil)
            #expect(none.items == poor.items)
        }
    }

    @Test("Later pages contain results of the sources that the first page did not use, good matches before poor ones")
    func otherSources() async throws {
        let first = PreparedRepository("first", .success(Self.map))
        let second = PreparedRepository("second", .success(Self.good))
        let third = PreparedRepository("third", .success(ResultPage(items: [reference("Another cat")])))
        let samples = PreparedRepository("samples", .success(ResultPage(items: [reference("Sample")])))
        let clock = ManualClock()
        let chain = ServiceChain(
            [.init(first), .init(second), .init(third), .init(samples, isOnline: false)],
            health: SourceHealth(now: { clock.now }), wait: waitUntilCancelled)
        var titles: [String] = []
        var page: PageToken?
        repeat {
            let found = try await chain.search(SearchQuery("cat"), page: page)
            titles += found.items.map(\.title)
            page = found.next
        } while page != nil && titles.count < 9
        #expect(titles == ["Dancing cat", "Another cat", "Map of cat distribution in Europe", "Sample"])
        #expect(first.queries.count == 1 && second.queries.count == 1 && third.queries.count == 1)
    }
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

    private func chain(_ clock: VirtualClock, _ repositories: any GIFRepository...) -> ServiceChain {
        let health = SourceHealth(
            now: { clock.now }, log: { [logged] failure in logged.withLock { $0.append(failure) } })
        return ServiceChain(repositories.map { .init($0) }, health: health, wait: clock.wait)
    }

    private func waitUntil(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("The next source is queried after 2.5 s without a response, and the first query continues")
    func hedges() async throws {
        let clock = VirtualClock()
        let silent = SilentRepository("silent", Self.page("cat late"))
        let second = PreparedRepository("second", .success(Self.page("cat soon")))
        let chain = chain(clock, silent, second)
        let search = Task { try await chain.search(SearchQuery("cat"), page: nil) }
        await waitUntil { silent.queryCount == 1 }
        await clock.advance(to: .milliseconds(2_499), timers: 1)
        #expect(second.queries.isEmpty)
        await clock.advance(to: .milliseconds(2_500), timers: 1)
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

    @Test("A random batch that arrives late is returned by the next call")
    func lateRandomBatch() async throws {
        let clock = VirtualClock()
        let silent = SilentRepository("silent", Self.page("late"))
        let second = PreparedRepository("second", .success(Self.page("soon")))
        let chain = chain(clock, silent, second)
        let batch = Task { try await chain.random(ListingPreferences()) }
        await waitUntil { silent.queryCount == 1 }
        await clock.advance(to: .milliseconds(2_500), timers: 1)
        #expect(try await batch.value.items.map(\.id) == ["soon"])
        silent.open()
        #expect(try await chain.random(ListingPreferences()).items.map(\.id) == ["late"])
        #expect(silent.queryCount == 1)
    }
}
