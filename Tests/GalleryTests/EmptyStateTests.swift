import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Empty states and suggestions")
struct EmptyStateTests {
    /// Returns a search without results, and the queries that it suggests.
    private func failedSearch() -> (Session, offers: [String]) {
        var session = Session(.search(query: "dancng"))
        session.open([])
        guard case .noResults(let offers) = session.state.phase else { return (session, []) }
        return (session, offers)
    }

    @Test("After a search without results, the keys Down and Enter search for a suggested query")
    func suggestions() throws {
        let (initial, offers) = failedSearch()
        var session = initial
        let first = try #require(offers.first)
        session.press(.down, .enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: first)) })
    }

    @Test("A query that found nothing is not suggested again, and neither is a beginning of the query's own words")
    func triedSuggestions() throws {
        let (initial, offers) = failedSearch()
        var session = initial
        let first = try #require(offers.first)
        session.press(.down, .enter)
        session.answer(.success(ResultPage(items: [])))
        session.press(.character("/"), .control("u"))
        session.type("dancng")
        session.press(.enter)
        session.answer(.success(ResultPage(items: [])))
        #expect(session.state.phase == .noResults(suggestions: offers.filter { $0 != first }))
        for query in ["zebra crossing", "heartx campfires"] {
            for offer in Listing.suggestions(for: query) { #expect(!(" " + query).contains(" " + offer), "\(offer)") }
        }
    }

    @Test("An empty result names the query and the searched sources, and a key that helps")
    func emptyStates() {
        func text(_ feed: Feed, isOffline: Bool = false, _ failures: [SourceFailure]) -> String {
            var session = Session(feed, CellSize(columns: 120, rows: 24)) { $0.isOffline = isOffline }
            session.send(.opened)
            session.answer(.success(ResultPage(items: [], sourceFailures: failures)))
            #expect(session.state.mode.isTyping && session.text.contains("Enter search"))
            return session.text
        }
        func failures(_ reason: CatalogError, _ sources: String...) -> [SourceFailure] {
            sources.map { SourceFailure(source: $0, reason: reason) }
        }
        let zeb = Feed.search(query: "zeb")
        let online = text(zeb, failures(.nothingFound, "giphy", "commons", "samples"))
        #expect(online.contains("nothing found for “zeb” in GIPHY, Wikimedia Commons and the built-in GIFs"))
        let offline = text(zeb, isOffline: true, failures(ScreenScenario.dead, "network"))
        #expect(offline.contains("nothing found for “zeb” in the built-in GIFs · offline mode"))
        let community = text(.community("zebras"), [])
        #expect(community.contains("no GIFs in r/zebras") && community.contains("Enter: try again"))
    }
}
