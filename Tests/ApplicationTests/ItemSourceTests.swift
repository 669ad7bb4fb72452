import Catalog
import Fetching
import LoadingSupport
import TestServer
import Testing

@testable import Application

@Suite("Item source", .timeLimit(.minutes(5)))
struct ItemSourceTests {
    private typealias Outcome = Result<ResultPage, CatalogError>

    /// A query that is not similar to any word of the built-in samples.
    private static let query = "qqqqqqqqq"
    private static let token = PageToken(source: "commons", parameters: ["offset": "2"])
    private static let none = "nothing found for 'qqqqqqqqq'"
    private static let hint = "; 'gifplay samples' lists the built-in samples"
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var log: FailureLog { FailureLog(cacheDirectory: folder.path + "/media") }

    private func page(
        _ titles: String..., next: PageToken? = nil, failures: [SourceFailure] = []
    ) -> Outcome {
        .success(ResultPage(items: titles.map { .titled($0) }, next: next, sourceFailures: failures))
    }

    private func source(_ repository: any GIFRepository) -> SearchItemSource {
        SearchItemSource(repository, SearchQuery(Self.query), log: log)
    }

    private func names(_ source: some ItemSource) async throws -> [String] {
        try await source.nextBatch(avoiding: [], within: nil).items.map(\.name)
    }

    private func failure(_ source: some ItemSource) async -> String? {
        do throws(CommandError) {
            _ = try await source.nextBatch(avoiding: [], within: nil)
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: - Search

    @Test("A search returns one page at a time and omits the items that an earlier page contained")
    func pages() async throws {
        let repository = RepositoryDouble("commons", [page("a", "b", next: Self.token), page("b", "c")])
        let source = source(repository)
        #expect(try await names(source) == ["a", "b"])
        #expect(try await names(source) == ["c"])
        #expect(try await names(source).isEmpty)
        let query = SearchQuery(Self.query)
        #expect(repository.calls == [.search(query, page: nil), .search(query, page: Self.token)])
    }

    @Test("A page without new items is skipped")
    func repeatedPage() async throws {
        let source = source(
            RepositoryDouble("commons", [page("a", next: Self.token), page("a", next: Self.token), page("b")]))
        #expect(try await names(source) == ["a"])
        #expect(try await names(source) == ["b"])
    }

    @Test("The same file from another source counts as a duplicate")
    func sameFile() async throws {
        var other = GIFReference.titled("b", from: "openverse")
        other.renditions = GIFReference.titled("a").renditions
        let repository = RepositoryDouble("commons", [.success(ResultPage(items: [.titled("a"), other]))])
        #expect(try await names(source(repository)) == ["a"])
    }

    @Test("If the source of the latest page must be avoided, the search continues with the next source")
    func avoided() async throws {
        let next = PageToken(source: "openverse", parameters: [:])
        var first = ResultPage(items: [.titled("a")], next: Self.token)
        first.nextSource = next
        let repository = RepositoryDouble("chain", [.success(first), page("b")])
        let source = source(repository)
        _ = try await names(source)
        let batch = try await source.nextBatch(avoiding: ["commons"], within: nil)
        #expect(batch.items.map(\.name) == ["b"])
        var query = SearchQuery(Self.query)
        query.preferences.avoided = ["commons"]
        #expect(repository.calls.last == .search(query, page: next))
    }

    @Test("The time limit of a request is one second below the time budget, to leave time for a built-in sample")
    func budget() async throws {
        let repository = RepositoryDouble("commons", [page("a", next: Self.token), page("b")])
        let source = source(repository)
        let start = ContinuousClock.now
        for (seconds, milliseconds) in [(5, 4_000), (0, 0)] {
            let budget = TimeBudget(.seconds(seconds), now: { start })
            _ = try await source.nextBatch(avoiding: [], within: budget)
            guard case .search(let query, _)? = repository.calls.last else {
                Issue.record("the repository was not queried")
                return
            }
            #expect(query.preferences.budgetMilliseconds == milliseconds)
        }
    }

    @Test("Failures of other sources are reported and logged, but a missing API key is neither reported nor logged")
    func failures() async throws {
        let failures = [
            SourceFailure(source: "giphy", reason: .outage),
            SourceFailure(source: "klipy", reason: .noKey(variable: "KLIPY_API_KEY")),
        ]
        let batch = try await source(RepositoryDouble("chain", [page("a", failures: failures)]))
            .nextBatch(avoiding: [], within: nil)
        #expect(batch.failures == ["giphy: reported an outage"])
        #expect(log.entries.keys.sorted() == ["giphy"])
    }

    @Test("A search without results throws an error, and the next batch is empty")
    func nothingFound() async throws {
        let source = source(RepositoryDouble("commons", [page(), page("a")]))
        #expect(await failure(source) == Self.none + Self.hint)
        #expect(try await names(source).isEmpty)
    }

    @Test("A failure of the only source is reported with its name")
    func failedSource() async {
        #expect(
            await failure(source(RepositoryDouble("commons", [.failure(.outage)])))
                == "commons: reported an outage")
        #expect(log.entries.keys.sorted() == ["commons"])
    }

    @Test("If all sources fail, the error names each service with a short reason")
    func exhausted() async {
        let failures = [
            SourceFailure(source: "giphy", reason: .refused(status: 503, message: "long", retryAfterSeconds: 9)),
            SourceFailure(source: "commons", reason: .nothingFound),
            SourceFailure(source: "samples", reason: .nothingFound),
        ]
        let source = source(RepositoryDouble("chain", [.failure(.exhausted(failures))]))
        #expect(await failure(source) == Self.none + " (giphy: HTTP 503)" + Self.hint)
        #expect(log.entries.keys.sorted() == ["giphy"])
    }

    @Test("A failure after the first page ends the list and is not an error")
    func laterFailure() async throws {
        let source = source(
            RepositoryDouble("commons", [page("a", next: Self.token), .failure(.outage), page("b")]))
        _ = try await names(source)
        let batch = try await source.nextBatch(avoiding: [], within: nil)
        #expect(batch.items.isEmpty && batch.failures == ["commons: reported an outage"])
        #expect(try await names(source).isEmpty)
    }

    @Test("A cancelled query does not end the list")
    func cancelled() async throws {
        let source = source(RepositoryDouble("commons", [.failure(.cancelled), page("a")]))
        #expect(await failure(source) == "commons: cancelled")
        #expect(try await names(source) == ["a"])
    }

    @Test("Only a chain of several sources has alternative sources")
    func alternatives() {
        let (one, two) = (RepositoryDouble("commons"), RepositoryDouble("samples"))
        #expect(!source(one).hasAlternatives && !source(ServiceChain([.init(one)])).hasAlternatives)
        let chain = source(ServiceChain([.init(one), .init(two, isOnline: false)]))
        #expect(chain.hasAlternatives && !chain.isEndless && chain.waitingText == "looking for “qqqqqqqqq”…")
    }

    // MARK: - Random feed

    @Test("A random feed returns one GIF at a time and repeats the known ones if no more arrive")
    func feed() async throws {
        let source = FeedItemSource(
            RepositoryDouble("commons", [page("a")]), ListingPreferences(), log: log)
        #expect(try await names(source) == ["a"])
        #expect(try await names(source) == ["a"])
        #expect(source.isEndless && source.hasAlternatives)
    }

    @Test("A random feed reports failed services, and tells the repository which sources to avoid")
    func feedFailures() async throws {
        let failures = [SourceFailure(source: "giphy", reason: .outage)]
        let repository = RepositoryDouble("chain", [page("a", failures: failures)])
        let source = FeedItemSource(repository, ListingPreferences(), log: log)
        let batch = try await source.nextBatch(avoiding: ["openverse"], within: nil)
        #expect(batch.failures == ["giphy: reported an outage"] && log.entries.keys.sorted() == ["giphy"])
        var preferences = ListingPreferences()
        preferences.avoided = ["openverse"]
        #expect(repository.calls == [.random(preferences)])
    }

    @Test("A random feed without any GIF reports the reason")
    func emptyFeed() async {
        let source = FeedItemSource(
            RepositoryDouble("commons", [.failure(.outage)]), ListingPreferences(), log: log)
        #expect(await failure(source) == "reported an outage")
    }
}
