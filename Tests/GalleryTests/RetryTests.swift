import Catalog
import Gallery
import Playback
import Testing

@Suite("Trying again")
struct RetryTests {
    private static let cats = Feed.search(words: "cats")
    private static let cooling = CatalogError.exhausted([
        SourceFailure(source: "commons", reason: .coolingDown(seconds: 60))
    ])

    /// A gallery whose first query failed.
    private func failed(_ error: CatalogError, _ feed: Feed = cats) -> Session {
        var session = Session(feed)
        session.send(.opened)
        session.answer(.failure(error))
        return session
    }

    @Test("r tries again and lifts the cool-downs wherever the screen offers it", arguments: [cooling, Scene.dead])
    func retries(_ error: CatalogError) {
        var session = failed(error)
        #expect(session.text.contains(" r: try again"))
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && $0.isRetry })
        session.answer(.success(ResultPage(items: GIFReference.many(3), next: .page(1))))
        session.answer(.failure(error))
        #expect(session.status.contains(" r: try again"))
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: Self.cats, page: .page(1)) && $0.isRetry })
    }

    @Test("r beside good results lifts no cool-down")
    func refreshes() {
        var session = Session(Self.cats)
        session.open(GIFReference.many(3))
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && !$0.isRetry })
    }

    @Test("In the search field, where r is a letter, Enter tries again")
    func retriesFromField() {
        var session = failed(Self.cooling)
        session.press(.character("/"))
        #expect(session.text.contains("Enter: try again") && !session.text.contains(" r: try again"))
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && $0.isRetry })
        session.answer(.failure(Self.cooling))
        session.press(.character("/"), .character("s"), .enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(words: "catss")) && !$0.isRetry })
    }

    @Test("The wait of a service counts down by itself, once a second, to its end")
    func countsDown() {
        var session = failed(Self.cooling)
        #expect(session.text.contains("Wikimedia Commons: rests after a failure; again in 60 s"))
        for left in stride(from: 59, through: 1, by: -1) {
            session.wait(milliseconds: 1000)
            #expect(session.text.contains("again in \(left) s"), "\(left)")
        }
        session.wait(milliseconds: 1000)
        #expect(session.text.contains("Wikimedia Commons: can be queried again"))
        #expect(session.state.nextDeadline == nil)
    }

    @Test("The wait that a service asked for counts down too, in the status line beside results")
    func countsDownInStatus() {
        var session = Session(Self.cats)
        session.open(GIFReference.many(3), next: .page(1))
        session.answer(.failure(.refused(status: 429, message: nil, retryAfterSeconds: 30)))
        session.wait(milliseconds: 2500)
        #expect(session.status.contains("asked too often; again in 28 s"))
    }

    @Test("Nothing wakes the gallery for a wait that is not displayed, or for an error without one")
    func sleeps() {
        #expect(failed(.outage).state.nextDeadline == nil)
        #expect(failed(Scene.dead).state.nextDeadline == nil)
        var session = Session(Self.cats)
        session.open(GIFReference.many(3), next: .page(1))
        session.answer(.failure(Self.cooling))
        #expect(session.state.nextDeadline != nil)
        session.press(.enter)
        #expect(session.state.nextDeadline == nil)
        session.wait(milliseconds: 20_000)
        session.press(.escape)
        #expect(session.status.contains("again in 40 s"))
    }

    @Test("Where no service can be reached the gallery says offline; where one only cools down it does not")
    func offline() {
        let dead = ["commons", "gifcities"].map { SourceFailure(source: $0, reason: Scene.dead) }
        #expect(failed(.exhausted(dead)).state.phase == .offline)
        #expect(failed(.exhausted(dead)).text.contains("offline"))
        let mixed = [dead[0], SourceFailure(source: "gifcities", reason: .coolingDown(seconds: 60))]
        #expect(failed(.exhausted(mixed)).text.contains("Wikimedia Commons: commons.wikimedia.org cannot be reached"))
    }

    @Test("A tab of built-in samples is called so, also after the user turned to another")
    func builtIn() {
        var session = Session()
        session.open(GIFReference.many(3, source: "samples"))
        #expect(session.lines[1].contains("[Built-in]"))
        session.press(.tab)
        #expect(session.lines[1].contains(" Built-in ") && !session.lines[1].contains("Trending"))
        session.press(.backTab, .character("r"))
        session.answer(.success(ResultPage(items: GIFReference.many(3))))
        #expect(session.lines[1].contains("[Trending]"))
    }
}
