import Base
import Catalog
import Fetching
import LoadingSupport
import Testing

@testable import Application

@Suite("Candidate stream", .timeLimit(.minutes(5)))
struct CandidateStreamTests {
    private typealias Outcome = Result<ResultPage, CatalogError>

    /// A query that is not similar to any word of the built-in samples.
    private static let query = "qqqqqqqqq"
    private static let token = PageToken(source: "commons", parameters: ["offset": "2"])
    private static let none = "nothing found for 'qqqqqqqqq'"
    private static let hint = "; built-in GIFs: "
    private let health = SourceHealth()

    private func page(
        _ titles: String..., next: PageToken? = nil, failures: [SourceFailure] = []
    ) -> Outcome {
        .success(ResultPage(items: titles.map { .titled($0) }, next: next, sourceFailures: failures))
    }

    private func search(_ repository: any GIFRepository) -> SearchCandidates {
        SearchCandidates(repository, SearchQuery(Self.query), health: health)
    }

    private func random(_ repository: any GIFRepository) -> RandomCandidates {
        RandomCandidates(repository, ListingPreferences(), health: health)
    }

    private func names(_ stream: some CandidateStream) async throws -> [String] {
        try await stream.next(within: nil).items.map(\.name)
    }

    private func failure(_ stream: some CandidateStream) async -> String? {
        do throws(CommandError) {
            _ = try await stream.next(within: nil)
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: - Search

    @Test("A search returns one page at a time and omits the items that an earlier page contained")
    func pages() async throws {
        let repository = RepositoryDouble("commons", [page("a", "b", next: Self.token), page("b", "c")])
        let stream = search(repository)
        #expect(try await names(stream) == ["a", "b"])
        #expect(try await names(stream) == ["c"])
        #expect(try await names(stream).isEmpty)
        let query = SearchQuery(Self.query)
        #expect(repository.calls == [.search(query, page: nil), .search(query, page: Self.token)])
    }

    @Test("A page without new items is skipped")
    func repeatedPage() async throws {
        let stream = search(
            RepositoryDouble("commons", [page("a", next: Self.token), page("a", next: Self.token), page("b")]))
        #expect(try await names(stream) == ["a"])
        #expect(try await names(stream) == ["b"])
    }

    @Test("The same file from another source counts as a duplicate")
    func sameFile() async throws {
        var other = GIFReference.titled("b", from: "openverse")
        other.renditions = GIFReference.titled("a").renditions
        let repository = RepositoryDouble("commons", [.success(ResultPage(items: [.titled("a"), other]))])
        #expect(try await names(search(repository)) == ["a"])
    }

    @Test("The search continues with the next source if the present one cannot deliver files, or if the time is over")
    func nextSource() async throws {
        let next = PageToken(source: "openverse", parameters: [:])
        var first = ResultPage(items: [.titled("a")], next: Self.token)
        first.nextSource = next
        for isOver in [true, false] {
            let repository = RepositoryDouble("chain", [.success(first), page("b")])
            let stream = search(repository)
            _ = try await names(stream)
            if !isOver { health.setAsideFiles(of: "commons", "403") }
            #expect(try await stream.next(within: isOver ? TimeBudget(.zero) : nil).items.map(\.name) == ["b"])
            guard case .search(_, next)? = repository.calls.last else {
                Issue.record("\(repository.calls)")
                return
            }
        }
    }

    @Test("The time limit of a request is one second below the time budget, to leave time for a built-in sample")
    func budget() async throws {
        let repository = RepositoryDouble("commons", [page("a", next: Self.token), page("b")])
        let stream = search(repository)
        let start = ContinuousClock.now
        _ = try await stream.next(within: TimeBudget(.seconds(5), now: { start }))
        var query = SearchQuery(Self.query)
        query.preferences.budgetMilliseconds = 4_000
        #expect(repository.calls == [.search(query, page: nil)])
    }

    @Test("Failures of other sources are reported, but a missing API key is not")
    func failures() async throws {
        let failures = [
            SourceFailure(source: "giphy", reason: .outage),
            SourceFailure(source: "klipy", reason: .noKey(variable: "KLIPY_API_KEY")),
        ]
        for isRandom in [true, false] {
            let repository = RepositoryDouble("chain", [page("a", failures: failures)])
            let stream: any CandidateStream = isRandom ? random(repository) : search(repository)
            #expect(try await stream.next(within: nil).failures == ["giphy: reported an outage"])
        }
    }

    @Test("A search without results throws an error, and the next batch is empty")
    func nothingFound() async throws {
        let stream = search(RepositoryDouble("commons", [page(), page("a")]))
        #expect(await failure(stream)?.hasPrefix(Self.none + Self.hint) == true)
        #expect(try await names(stream).isEmpty)
    }

    @Test("A failure of the only source is reported with its name")
    func failedSource() async {
        #expect(
            await failure(search(RepositoryDouble("commons", [.failure(.outage)])))
                == "commons: reported an outage")
    }

    @Test("If all sources fail, the error names each service with a short reason")
    func exhausted() async {
        let failures = [
            SourceFailure(source: "giphy", reason: .refused(status: 503, message: "long", retryAfterSeconds: 9)),
            SourceFailure(source: "commons", reason: .nothingFound),
            SourceFailure(source: "samples", reason: .nothingFound),
        ]
        let stream = search(RepositoryDouble("chain", [.failure(.exhausted(failures))]))
        #expect(await failure(stream)?.hasPrefix(Self.none + " (giphy: HTTP 503)" + Self.hint) == true)
    }

    @Test("A failure after the first page ends the list and is not an error")
    func laterFailure() async throws {
        let stream = search(
            RepositoryDouble("commons", [page("a", next: Self.token), .failure(.outage), page("b")]))
        _ = try await names(stream)
        let batch = try await stream.next(within: nil)
        #expect(batch.items.isEmpty && batch.failures == ["commons: reported an outage"])
        #expect(try await names(stream).isEmpty)
    }

    @Test("A cancelled query does not end the list")
    func cancelled() async throws {
        let stream = search(RepositoryDouble("commons", [.failure(.cancelled), page("a")]))
        #expect(await failure(stream) == "commons: cancelled")
        #expect(try await names(stream) == ["a"])
    }

    @Test("Only a chain of several sources has alternative sources")
    func alternatives() {
        let (one, two) = (RepositoryDouble("commons"), RepositoryDouble("samples"))
        #expect(!search(one).hasAlternatives && !search(ServiceChain([.init(one)])).hasAlternatives)
        let chain = search(ServiceChain([.init(one), .init(two, isOnline: false)]))
        #expect(
            chain.hasAlternatives && !chain.isEndless && chain.waitingText(in: .english) == "looking for “qqqqqqqqq”…")
    }

    // MARK: - Random feed

    @Test("A random feed returns one GIF at a time and repeats the known ones if no more arrive")
    func feed() async throws {
        let stream = random(RepositoryDouble("commons", [page("a")]))
        #expect(try await names(stream) == ["a"])
        #expect(try await names(stream) == ["a"])
        #expect(stream.isEndless && stream.hasAlternatives)
    }

    @Test("A random feed leaves out the sources that cannot deliver files")
    func unusableSource() async throws {
        health.setAsideFiles(of: "commons", "403")
        let other = ResultPage(items: [.titled("b", from: "openverse")])
        #expect(try await names(random(RepositoryDouble("chain", [page("a"), .success(other)]))) == ["b"])
    }

    @Test("A random feed without any GIF reports the reason")
    func emptyFeed() async {
        let stream = random(RepositoryDouble("commons", [.failure(.outage)]))
        #expect(await failure(stream) == "reported an outage")
    }
}
