import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Search as you type")
struct SearchAsYouTypeTests {
    @Test(
        "A query is sent after a typing pause of 0.6 s, or of 1 s if it has fewer than six characters",
        arguments: [("cat", 1_000), ("danci", 1_000), ("dancin", 600), ("dancing cat", 600)] as [(String, Int64)])
    func debounce(words: String, milliseconds: Int64) {
        var session = Session(showing: GIFReference.many(3))
        session.type("/" + words)
        session.wait(milliseconds: milliseconds - 1)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        session.wait(milliseconds: 1)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: words)) })
    }

    @Test("A query of fewer than three characters is sent only by Enter", arguments: ["d", "da", " da"])
    func tooFew(words: String) {
        var session = Session(showing: GIFReference.many(3))
        session.type("/" + words)
        session.wait(milliseconds: 5_000)
        #expect(session.all.allSatisfy { !$0.isLoad(of: .search(query: words.trimmed)) })
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: words.trimmed)) })
    }

    @Test("Each typed letter restarts the pause before the query is sent")
    func restarts() {
        var session = Session(showing: GIFReference.many(3))
        session.type("/kitt")
        session.wait(milliseconds: 900)
        session.type("en")
        session.wait(milliseconds: 500)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        session.wait(milliseconds: 100)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "kitten")) })
    }

    @Test("Enter searches immediately and leaves the search field")
    func enter() {
        var session = Session(showing: GIFReference.many(3))
        session.type("/cat")
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "cat")) })
        #expect(session.state.view().cursor == nil && session.state.nextDeadline == nil)
    }

    @Test("Typing a letter cancels the running search, and late results of that search are not shown")
    func cancels() {
        var session = Session(.search(query: "cat"))
        session.send(.opened)
        let old = session.lastLoad ?? 0
        session.press(.character("/"))
        session.type("s")
        #expect(session.effects.contains(.cancel(ticket: old)))
        session.send(.loaded(ticket: old, .success(ResultPage(items: GIFReference.many(3)))))
        #expect(session.state.grid.items.isEmpty)
        session.wait(milliseconds: 1_000)
        session.send(.loaded(ticket: old, .success(ResultPage(items: GIFReference.many(3)))))
        #expect(session.state.grid.items.isEmpty && session.state.phase == .searching)
    }

    @Test("Typing and deleting a letter during a search sends the same query again")
    func deletedLetter() {
        var session = Session(.search(query: "cat"))
        session.send(.opened)
        session.press(.character("/"), .end, .character("s"), .backspace)
        session.wait(milliseconds: 1_000)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "cat")) })
    }

    @Test("Typing and deleting a letter after a completed search sends no query")
    func unchanged() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.press(.character("/"), .end, .character("s"), .backspace)
        session.wait(milliseconds: 5000)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        #expect(session.tiles.count == 3)
    }

    @Test("Typing a space at the end of a query sends no query")
    func spaces() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.press(.character("/"), .end, .character(" "))
        #expect(session.state.nextDeadline == nil)
    }

    @Test("An empty query shows the trending feed")
    func emptied() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.press(.character("/"), .control("u"), .enter)
        #expect(session.effects.contains { $0.isLoad(of: .trending(source: nil)) })
    }

    @Test("Stored results are shown immediately, and the services' results follow them")
    func localFirst() {
        var session = Session(.search(query: "cat"))
        session.send(.opened)
        #expect(session.effects.prefix(2).map { $0.isStoreLoad } == [true, false])
        session.answerStore(StoredListing(items: GIFReference.many(3), seconds: 0))
        #expect(session.shown.map { $0.reference.id }.sorted() == ["0", "1", "2"])
        #expect(session.status.contains("refreshing"))
        session.answer(.success(ResultPage(items: GIFReference.many(4, from: 10))))
        #expect(session.state.grid.items.map(\.id) == ["0", "1", "2", "10", "11", "12", "13"])
        #expect(session.selected == "0")
    }

    @Test("New results that would move the visible tiles are shown only after the key 'r' is pressed")
    func heldBack() {
        var session = Session(.community("cats"), stored: GIFReference.many(20))
        session.press(.down, .down)
        let before = session.state.view()
        let selected = session.selected
        session.answer(.success(ResultPage(items: GIFReference.many(20, from: 10))))
        #expect(session.state.view().tiles == before.tiles && session.selected == selected)
        #expect(session.status.contains("r: new results"))
        session.press(.character("r"))
        #expect(session.selected == "10" && session.effects.allSatisfy { $0.loadTicket == nil })
    }

    @Test("Results that begin with the same GIFs as the stored listing move no tile")
    func renewed() {
        var session = Session(.community("cats"), stored: GIFReference.many(20), next: .page(2))
        session.press(.down)
        let before = session.state.view().tiles
        session.answer(.success(ResultPage(items: GIFReference.many(5), next: .page(1), total: 90)))
        #expect(session.state.view().tiles == before)
        #expect(!session.status.contains("new results") && session.status.contains("of 90"))
    }

    @Test("A failed tile of a stored listing is requested again when the services' results arrive")
    func retriedTile() {
        var session = Session(.search(query: "cat"), stored: GIFReference.many(3))
        session.send(.tile(GIFKey(provider: "commons", id: "1"), .failed(.noAddress)))
        session.send(.tile(GIFKey(provider: "commons", id: "0"), .failed(.notCached)))
        #expect(session.text.contains("failed: "))
        session.answer(.success(ResultPage(items: GIFReference.many(3))))
        #expect(!session.text.contains("failed") && session.shown.contains { $0.reference.id == "1" })
    }

    @Test("If stored GIFs have no URLs, the services' first page replaces the stored listing")
    func missingURLs() {
        var session = Session(.search(query: "cat"))
        session.send(.opened)
        let kept = GIFReference.many(20).map { reference in
            var reference = reference
            reference.renditions = []
            return reference
        }
        session.answerStore(StoredListing(items: kept, seconds: 0))
        session.answer(.success(ResultPage(items: GIFReference.many(10), next: .page(1))))
        #expect(session.shown.allSatisfy { !$0.reference.renditions.isEmpty })
        #expect(session.state.phase == .moreComing && !session.status.contains("new results"))
    }

    @Test("Stored results that arrive after the services' results are not shown")
    func lateStore() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.answerStore(StoredListing(items: GIFReference.many(9, from: 20), seconds: 0))
        #expect(session.selected == "0" && session.shown.count == 3)
    }

    @Test("Stored results that arrive after a failure of the services are shown")
    func failedFirst() {
        var session = Session(.search(query: "cat"), failing: ScreenScenario.dead)
        #expect(session.state.phase == .offline && session.text.contains("no network"))
        session.answerStore(StoredListing(items: GIFReference.many(3), seconds: 0))
        #expect(session.shown.count == 3 && session.state.phase == .offline)
    }

    @Test("While offline, built-in samples do not replace stored results")
    func storedBeforeSamples() {
        var session = Session(.search(query: "cat"), stored: GIFReference.many(3))
        let failures = [ScreenScenario.dead.of("commons")]
        session.answer(.success(ResultPage(items: GIFReference.many(2, source: "samples"), sourceFailures: failures)))
        #expect(session.shown.allSatisfy { $0.reference.provider == "commons" } && session.state.phase == .offline)
    }

    @Test("The status line states why built-in samples are shown")
    func samplesInstead() {
        func status(_ reason: Failure) -> String {
            var session = Session(.search(query: "cat"))
            session.send(.opened)
            let failures = [reason.of("commons")]
            let items = GIFReference.many(2, source: "samples")
            session.answer(.success(ResultPage(items: items, sourceFailures: failures)))
            return session.status
        }
        #expect(status(ScreenScenario.dead).contains("no network: built-in GIFs; r tries again"))
        #expect(
            status(.refused(status: 429, message: nil, retryAfterSeconds: nil))
                .contains("Wikimedia Commons: too many requests: built-in GIFs; r tries again"))
        #expect(!status(.nothingFound).contains("built-in GIFs") && !status(.nothingFound).contains("tries"))
    }

    @Test("If the user has turned the network off, the gallery shows 'offline mode' and does not offer to try again")
    func offlineMode() {
        let failures = [ScreenScenario.dead.of("network")]
        for items in [GIFReference.many(2, source: "samples"), []] {
            var session = Session(.search(query: "cat")) { $0.isOffline = true }
            session.send(.opened)
            session.answer(.success(ResultPage(items: items, sourceFailures: failures)))
            #expect(session.text.contains("offline mode") && !session.text.contains("try again"))
        }
    }

    @Test("Two messages about services are shown one after the other")
    func reports() {
        var session = Session(.search(query: "cat"), showing: GIFReference.many(3))
        session.send(.reported(.keyRefused(variable: "K")), .reported(.contactRequired))
        #expect(session.status.contains("the key in K was refused"))
        session.wait(milliseconds: 4_000)
        #expect(session.status.contains("Wikimedia limits requests without a contact"))
        session.wait(milliseconds: 4_000)
        #expect(!session.status.contains("Wikimedia limits"))
    }
}

extension GalleryEffect {
    var isStoreLoad: Bool { if case .loadStored = self { true } else { false } }

    func isLoad(of feed: Feed, page: PageToken? = nil) -> Bool {
        if case .load(feed, page, _, _) = self { true } else { false }
    }

    var isRetry: Bool { if case .load(_, _, _, true) = self { true } else { false } }
}

extension String {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
