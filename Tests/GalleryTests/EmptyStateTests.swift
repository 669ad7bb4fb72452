import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Empty states and suggestions")
struct EmptyStateTests {
    /// Returns a search without results, and the queries that it suggests.
    private func failedSearch() -> (Session, offers: [String]) {
        let session = Session(.search(query: "dancng"), showing: [])
        return (session, session.state.phase == .noResults ? session.state.suggestedQueries : [])
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
        #expect(session.state.phase == .noResults && session.state.suggestedQueries == offers.filter { $0 != first })
        for query in ["zebra crossing", "heartx campfires"] {
            for offer in Listing.suggestions(for: query) { #expect(!(" " + query).contains(" " + offer), "\(offer)") }
        }
    }

    @Test("If all sources fail, all are named, and built-in GIFs and earlier queries are offered, also during a retry")
    func allFail() {
        let failures: [Failure] = [
            Failure.refused(status: 500, message: nil, retryAfterSeconds: nil).of("giphy"),
            Failure.timedOut(host: "h", milliseconds: 9_000).of("commons"),
            Failure.noKey(variable: "KLIPY_API_KEY").of("klipy"),
        ]
        var session = Session(.search(query: "cats"), CellSize(columns: 120, rows: 40), stored: nil)
        session.send(.asking(ticket: session.lastLoad ?? 0, source: "samples"))
        session.answer(.failure(.exhausted(failures)))
        #expect(session.text.contains("GIPHY: server error (500) · Wikimedia Commons: server timed out"))
        #expect(session.text.contains("built-in GIFs") && session.text.contains("r: try again"))
        #expect(session.tiles.count > 1 && !session.text.contains("KLIPY"))
        let request = session.all.lazy.compactMap { effect -> Int? in
            if case .suggest("", let ticket) = effect { ticket } else { nil }
        }.last
        session.send(.suggested(ticket: request ?? 0, ["octopus"]))
        #expect(session.text.contains("octopus"))
        session.press(.enter)
        #expect(session.state.mode.isFull)
        session.press(.escape, .character("r"))
        session.answer(.success(ResultPage(items: GIFReference.many(2))))
        #expect(session.tiles.count == 2)
    }

    @Test("Without a network, built-in GIFs are offered, and the repeated attempts do not close the large view")
    func noNetwork() {
        var session = Session(.search(query: "cats"), CellSize(columns: 120, rows: 40), stored: nil)
        let failure = Failure.unreachable(host: "h", reason: "r").of("giphy")
        session.answer(.failure(.exhausted([failure])))
        #expect(session.text.contains("no network · r: try again") && session.text.contains("built-in GIFs"))
        session.press(.enter)
        for _ in 0..<3 {
            session.wait(milliseconds: 40_000)
            #expect(session.state.listing.loading.ticket != nil && session.state.mode.isFull)
            session.answer(.failure(.exhausted([failure])))
        }
        #expect(session.state.mode.isFull)
    }

    @Test("A link that cannot be loaded is no search, so nothing else is offered")
    func link() {
        var session = Session(.search(query: "https://example.org/"), stored: nil)
        session.answer(.failure(Failure("the page has no GIF")))
        #expect(session.text.contains("the page has no GIF") && session.tiles.isEmpty)
    }

    @Test("A link whose server cannot be reached is loaded again later, and the words do not blame the network")
    func unreachableLink() {
        for language in Language.allCases {
            var session = Session(.search(query: "https://example.org/"), stored: nil) { $0.language = language }
            for _ in 0..<2 {
                session.answer(.failure(.unreachable(host: "example.org", reason: "Failed to connect")))
                let words = language(en: "server cannot be reached", de: "Server nicht erreichbar")
                #expect(session.text.contains(words) && session.tiles.isEmpty)
                session.wait(milliseconds: 40_000)
                #expect(session.state.listing.loading.ticket != nil)
                #expect(!session.text.contains(language(en: "no network", de: "kein Netz")))
            }
        }
    }

    @Test("The network, if it is the reason why a link cannot be loaded, is named")
    func linkWithoutNetwork() {
        var session = Session(.search(query: "https://example.org/"), stored: nil)
        let reason = "Could not resolve host: example.org"
        session.answer(.failure(.unreachable(host: "example.org", reason: reason, .noNetwork)))
        #expect(session.text.contains("no network") && !session.text.contains("resolve"))
        session.press(.character("r"))
        session.answer(.failure(.status(404, host: "example.org")))
        #expect(session.text.contains("no longer available") && session.tiles.isEmpty)
    }

    @Test("A community that was queried less than a minute ago is not queried again, and the status line says so")
    func askedRecently() {
        for language in Language.allCases {
            var session = Session(.community("gifs"), showing: GIFReference.many(3)) { $0.language = language }
            session.wait(milliseconds: 59_000)
            session.press(.character("r"))
            let text = language(en: "asked less than a minute ago; try later", de: "vor weniger als einer Minute")
            #expect(session.status.contains(text) && !session.effects.contains { $0.loadTicket != nil })
            session.wait(milliseconds: 2_000)
            session.press(.character("r"))
            #expect(session.effects.contains { $0.loadTicket != nil })
        }
    }

    @Test("An empty result names the query and the searched sources, and a key that helps")
    func emptyStates() {
        func text(_ feed: Feed, isOffline: Bool = false, _ failures: [Failure]) -> String {
            var session = Session(feed, CellSize(columns: 120, rows: 24)) { $0.isOffline = isOffline }
            session.send(.opened)
            session.answer(.success(ResultPage(items: [], sourceFailures: failures)))
            #expect(session.state.mode.isTyping && session.text.contains("Enter search"))
            return session.text
        }
        func failures(_ reason: Failure, _ sources: String...) -> [Failure] { sources.map { reason.of($0) } }
        let zeb = Feed.search(query: "zeb")
        let online = text(zeb, failures(.nothingFound, "giphy", "commons", "samples"))
        #expect(online.contains("nothing found for “zeb” in GIPHY, Wikimedia Commons and the built-in GIFs"))
        let offline = text(zeb, isOffline: true, failures(ScreenScenario.dead, "network"))
        #expect(offline.contains("nothing found for “zeb” in the built-in GIFs · offline mode"))
        let community = text(.community("zebras"), [])
        #expect(community.contains("no GIFs in r/zebras") && community.contains("Enter: try again"))
        let random = text(.random, failures(.notOffered, "openverse") + failures(.nothingFound, "commons"))
        #expect(random.contains("no GIFs in Random"))
        #expect(random.contains("openverse: feed not available · Wikimedia Commons: no playable GIFs"))
    }
}
