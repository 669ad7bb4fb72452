import Base
import Catalog
import Gallery
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Plain listing", .timeLimit(.minutes(5)))
struct PlainBrowseTests {
    private static let token = PageToken(source: "commons", parameters: [:])

    private func listings(_ outcomes: [Result<ResultPage, Failure>]) throws -> ServiceListings {
        ServiceListings(
            ServiceSession(try Settings(size: (80, 48), environment: [:])),
            RepositoryDouble("commons", outcomes))
    }

    /// Returns the printed lines.
    private func lines(_ listings: ServiceListings, _ feed: Feed) async throws -> [String] {
        try await onOwnThread {
            var lines: [String] = []
            try PlainBrowse(listings: listings, listing: PlainListing(), write: { lines.append($0) }).print(feed)
            return lines
        }
    }

    @Test("At most three pages are printed, numbered continuously; the last line states that more GIFs are available")
    func pages() async throws {
        let titles = [["a", "b"], ["c"], ["d"], ["e"]]
        let pages = titles.map { titles -> Result<ResultPage, Failure> in
            .success(ResultPage(items: titles.map { .titled($0) }, next: Self.token))
        }
        let lines = try await lines(listings(pages), .trending(source: nil))
        #expect(lines.first == "Trending" && lines.last == "4 GIFs; more available")
        #expect(lines.filter { $0.contains(". ") && !$0.hasPrefix(" ") } == ["1. a", "2. b", "3. c", "4. d"])
    }

    @Test("If all pages are printed, only the heading contains the number of GIFs")
    func lastPage() async throws {
        let page = ResultPage(items: [.titled("a")], total: 1)
        let lines = try await lines(listings([.success(page)]), .search(query: "cat"))
        #expect(lines.filter { $0.hasSuffix("1 GIF") } == ["“cat”: 1 GIF"] && lines.contains("1. a"))
    }

    @Test("A search without results is an error")
    func noResults() async throws {
        let listings = try listings([.success(ResultPage(items: [], total: 0))])
        let error = await thrown(Failure.self) { try await lines(listings, .search(query: "qqqqq")) }
        #expect(error?.message.hasPrefix("nothing found for 'qqqqq'; ") == true && error?.status == .failure)
    }

    @Test("If a page cannot be loaded, the error contains the reason")
    func failure() async throws {
        let listings = try listings([.failure(.outage)])
        do {
            _ = try await lines(listings, .trending(source: nil))
            Issue.record("the listing did not fail")
        } catch {
            #expect((error as? Failure)?.message == "reported an outage")
        }
    }
}
