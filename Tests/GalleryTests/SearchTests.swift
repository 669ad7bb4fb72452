import Catalog
import Gallery
import Pixels
import Playback
import Testing

@Suite("Search as you type")
struct SearchTests {
    @Test(
        "words are searched when typing pauses for 0.6 s, and for 1 s below six characters",
        arguments: [
            ("cat", 1_000), ("danci", 1_000), ("dancin", 600), ("dancing cat", 600),
        ] as [(String, Int64)])
    func debounce(words: String, milliseconds: Int64) {
        var session = Session()
        session.open(GIFReference.many(3))
        session.type("/" + words)
        session.wait(milliseconds: milliseconds - 1)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        session.wait(milliseconds: 1)
        #expect(session.effects.contains { $0.isLoad(of: .search(words: words)) })
    }

    @Test("fewer than three characters are searched by Enter alone", arguments: ["d", "da", " da "])
    func tooFew(words: String) {
        var session = Session()
        session.open(GIFReference.many(3))
        session.type("/" + words)
        session.wait(milliseconds: 5_000)
        #expect(session.all.allSatisfy { !$0.isLoad(of: .search(words: words.trimmed)) })
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(words: words.trimmed)) })
    }

    @Test("another letter begins the wait anew")
    func restarts() {
        var session = Session()
        session.open(GIFReference.many(3))
        session.type("/kitt")
        session.wait(milliseconds: 900)
        session.type("en")
        session.wait(milliseconds: 500)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        session.wait(milliseconds: 100)
        #expect(session.effects.contains { $0.isLoad(of: .search(words: "kitten")) })
    }

    @Test("Enter searches at once and leaves the field")
    func enter() {
        var session = Session()
        session.open(GIFReference.many(3))
        session.type("/cat")
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(words: "cat")) })
        #expect(session.state.view().cursor == nil && session.state.nextDeadline == nil)
    }

    @Test("a newer word cancels the search under way, and its late answer is not shown")
    func cancels() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        let old = session.lastLoad ?? 0
        session.press(.character("/"))
        session.type("s")
        #expect(session.effects.contains(.cancel(ticket: old)))
        session.send(.loaded(ticket: old, .success(ResultPage(items: GIFReference.many(3)))))
        #expect(session.tiles.isEmpty)
        session.wait(milliseconds: 1_000)
        session.send(.loaded(ticket: old, .success(ResultPage(items: GIFReference.many(3)))))
        #expect(session.tiles.isEmpty && session.state.phase == .searching)
    }

    @Test("a letter typed and taken back while a search is under way searches the same words again")
    func takenBack() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        session.press(.character("/"), .character("s"), .backspace)
        session.wait(milliseconds: 1_000)
        #expect(session.effects.contains { $0.isLoad(of: .search(words: "cat")) })
    }

    @Test("a letter typed and taken back beside finished results asks nobody")
    func unchanged() {
        var session = Session(.search(words: "cat"))
        session.open(GIFReference.many(3))
        session.press(.character("/"), .character("s"), .backspace)
        session.wait(milliseconds: 5000)
        #expect(session.effects.allSatisfy { $0.loadTicket == nil })
        #expect(session.tiles.count == 3)
    }

    @Test("a space at the end is no other search")
    func spaces() {
        var session = Session(.search(words: "cat"))
        session.open(GIFReference.many(3))
        session.press(.character("/"), .character(" "))
        #expect(session.state.nextDeadline == nil)
    }

    @Test("an emptied field shows what is trending")
    func emptied() {
        var session = Session(.search(words: "cat"))
        session.open(GIFReference.many(3))
        session.press(.character("/"), .control("u"), .enter)
        #expect(session.effects.contains { $0.isLoad(of: .trending(source: nil)) })
    }

    @Test("what the store kept is shown at once, and the services' answer takes its place from the top")
    func localFirst() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        #expect(session.effects.prefix(2).map { $0.isRecall } == [true, false])
        session.remember(KeptListing(items: GIFReference.many(3), seconds: 0))
        #expect(session.shown.map { $0.reference.id }.sorted() == ["0", "1", "2"])
        #expect(session.status.contains("refreshing"))
        session.answer(.success(ResultPage(items: GIFReference.many(4, from: 10))))
        #expect(session.selected == "10" && session.shown.count == 4)
    }

    @Test("the services' answer waits where it would move what is looked at; r shows it")
    func heldBack() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        session.remember(KeptListing(items: GIFReference.many(20), seconds: 0))
        session.press(.down, .down)
        let before = session.state.view()
        let selected = session.selected
        session.answer(.success(ResultPage(items: GIFReference.many(20, from: 10))))
        #expect(session.state.view().tiles == before.tiles && session.selected == selected)
        #expect(session.status.contains("new results: r"))
        session.press(.character("r"))
        #expect(session.selected == "10" && session.effects.allSatisfy { $0.loadTicket == nil })
    }

    @Test("an answer that begins as the kept listing does moves nothing and loses nothing behind it")
    func renewed() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        session.remember(KeptListing(items: GIFReference.many(20), next: .page(2), seconds: 0))
        session.press(.down)
        let before = session.state.view().tiles
        session.answer(.success(ResultPage(items: GIFReference.many(5), next: .page(1), total: 90)))
        #expect(session.state.view().tiles == before)
        #expect(!session.status.contains("new results") && session.status.contains("of 90"))
    }

    @Test("a tile that failed out of the store has another chance once the services have told of its GIF")
    func lentAgain() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        session.remember(KeptListing(items: GIFReference.many(3), seconds: 0))
        session.send(.tile(GIFKey(provider: "commons", id: "1"), .failed("no file")))
        #expect(session.text.contains("failed: no file"))
        session.answer(.success(ResultPage(items: GIFReference.many(3))))
        #expect(!session.text.contains("failed") && session.shown.contains { $0.reference.id == "1" })
    }

    @Test("of a kept listing without addresses the pages behind the first are asked for again")
    func lentPages() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        let kept = GIFReference.many(20).map { reference in
            var reference = reference
            reference.renditions = []
            return reference
        }
        session.remember(KeptListing(items: kept, seconds: 0))
        session.answer(.success(ResultPage(items: GIFReference.many(10), next: .page(1))))
        #expect(session.shown.allSatisfy { !$0.reference.renditions.isEmpty })
        #expect(session.state.phase == .moreComing && !session.status.contains("new results"))
    }

    @Test("an answer of the store that comes after the services' is not shown")
    func lateStore() {
        var session = Session(.search(words: "cat"))
        session.open(GIFReference.many(3))
        session.remember(KeptListing(items: GIFReference.many(9, from: 20), seconds: 0))
        #expect(session.selected == "0" && session.shown.count == 3)
    }

    @Test("what the store kept is shown also when the services failed first")
    func failedFirst() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        session.answer(.failure(Scene.dead))
        #expect(session.state.phase == .offline && session.text.contains("offline"))
        session.remember(KeptListing(items: GIFReference.many(3), seconds: 0))
        #expect(session.shown.count == 3 && session.state.phase == .offline)
    }

    @Test("carried GIFs do not take the place of kept ones because the network is away")
    func makeshift() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        session.remember(KeptListing(items: GIFReference.many(3), seconds: 0))
        let failures = [SourceFailure(source: "commons", reason: Scene.dead)]
        session.answer(.success(ResultPage(items: GIFReference.many(2, source: "samples"), passedOver: failures)))
        #expect(session.shown.allSatisfy { $0.reference.provider == "commons" } && session.state.phase == .offline)
    }

    @Test("built-in samples in the place of services say why they are shown")
    func samplesInstead() {
        func status(_ reason: CatalogError) -> String {
            var session = Session(.search(words: "cat"))
            session.send(.opened)
            let failures = [SourceFailure(source: "commons", reason: reason)]
            session.answer(.success(ResultPage(items: GIFReference.many(2, source: "samples"), passedOver: failures)))
            return session.status
        }
        #expect(status(Scene.dead).contains("offline: showing built-in samples · r: try again"))
        #expect(
            status(.refused(status: 429, message: nil, retryAfterSeconds: nil))
                .contains("Wikimedia Commons: asked too often; showing built-in samples"))
        #expect(!status(.nothingFound).contains("built-in"))
    }

    @Test("two reports about the services stand one after the other")
    func reports() {
        var session = Session(.search(words: "cat"))
        session.open(GIFReference.many(3))
        session.send(.told(.keyRefused(variable: "K")), .told(.contactWanted))
        #expect(session.status.contains("the key in K was not taken"))
        session.wait(milliseconds: 4_000)
        #expect(session.status.contains("Wikimedia limits requests without a contact"))
        session.wait(milliseconds: 4_000)
        #expect(!session.status.contains("Wikimedia limits"))
    }

    @Test("r tries a failed search again, and a failed page from where it stopped")
    func retries() {
        var session = Session(.search(words: "cat"))
        session.send(.opened)
        session.answer(.failure(.outage))
        #expect(session.text.contains("out of order") && session.text.contains("r: try again"))
        session.press(.character("r"))
        session.answer(.success(ResultPage(items: GIFReference.many(3), next: .page(1))))
        session.answer(.failure(.outage))
        #expect(session.status.contains("out of order") && session.shown.count == 3)
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: .search(words: "cat"), page: .page(1)) })
    }

    @Test("nothing found offers words by number")
    func suggestions() {
        var session = Session(.search(words: "dancng"))
        session.open([])
        guard case .noResults(let offers) = session.state.phase, let first = offers.first else {
            Issue.record("no suggestions")
            return
        }
        session.press(.character("1"))
        #expect(session.effects.contains { $0.isLoad(of: .search(words: first)) })
    }
}

extension GalleryEffect {
    var isRecall: Bool { if case .recall = self { true } else { false } }

    func isLoad(of feed: Feed, page: PageToken? = nil) -> Bool {
        if case .load(feed, page, _, _) = self { true } else { false }
    }

    var isRetry: Bool { if case .load(_, _, _, true) = self { true } else { false } }
}

extension String {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
