import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Retries")
struct RetryTests {
    private static let cats = Feed.search(query: "cats")
    private static let cooling = CatalogError.exhausted([
        SourceFailure(source: "commons", reason: .coolingDown(seconds: 60))
    ])

    /// Returns a gallery whose first query failed.
    private func failed(_ error: CatalogError, _ feed: Feed = cats) -> Session {
        var session = Session(feed)
        session.send(.opened)
        session.answer(.failure(error))
        return session
    }

    @Test(
        "If the screen offers a retry, 'r' ends the cool-downs and retries", arguments: [cooling, ScreenScenario.dead])
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

    @Test("If the results loaded without a failure, the key 'r' does not end the cool-downs")
    func refreshes() {
        var session = Session(Self.cats)
        session.open(GIFReference.many(3))
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && !$0.isRetry })
    }

    @Test("In the search field, Enter retries, because the key 'r' types a letter")
    func retriesFromField() {
        var session = failed(Self.cooling)
        session.press(.character("/"))
        #expect(session.text.contains("Enter: try again") && !session.text.contains(" r: try again"))
        session.press(.enter)
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && $0.isRetry })
        session.answer(.failure(Self.cooling))
        session.press(.character("/"), .end, .character("s"), .enter)
        #expect(session.effects.contains { $0.isLoad(of: .search(query: "catss")) && !$0.isRetry })
    }

    @Test("The countdown of a cool-down changes every second until the cool-down ends")
    func countsDown() {
        var session = failed(Self.cooling)
        #expect(session.text.contains("Wikimedia Commons: paused after an error; retry in 60 s"))
        for left in stride(from: 59, through: 1, by: -1) {
            session.wait(milliseconds: 1000)
            #expect(session.text.contains("retry in \(left) s"), "\(left)")
        }
        session.wait(milliseconds: 1000)
        #expect(session.text.contains("Wikimedia Commons: ready to retry"))
        #expect(session.state.nextDeadline == nil)
    }

    @Test("The status line counts down the waiting time that a service requested")
    func countsDownInStatus() {
        var session = Session(Self.cats)
        session.open(GIFReference.many(3), next: .page(1))
        session.answer(.failure(.refused(status: 429, message: nil, retryAfterSeconds: 30)))
        session.wait(milliseconds: 2500)
        #expect(session.status.contains("too many requests; retry in 28 s"))
    }

    @Test("The gallery schedules no wake-up while no countdown is displayed")
    func sleeps() {
        #expect(failed(.outage).state.nextDeadline == nil)
        #expect(failed(ScreenScenario.dead).state.nextDeadline == nil)
        var session = Session(Self.cats)
        session.open(GIFReference.many(3), next: .page(1))
        session.answer(.failure(Self.cooling))
        #expect(session.state.nextDeadline != nil)
        session.press(.enter)
        #expect(session.state.nextDeadline == nil)
        session.wait(milliseconds: 20_000)
        session.press(.escape)
        #expect(session.status.contains("retry in 40 s"))
    }

    @Test("The gallery reports that it is offline only if no service can be reached")
    func offline() {
        let dead = ["commons", "gifcities"].map { SourceFailure(source: $0, reason: ScreenScenario.dead) }
        #expect(failed(.exhausted(dead)).state.phase == .offline)
        #expect(failed(.exhausted(dead)).text.contains("offline"))
        let mixed = [dead[0], SourceFailure(source: "gifcities", reason: .coolingDown(seconds: 60))]
        #expect(failed(.exhausted(mixed)).text.contains("Wikimedia Commons: commons.wikimedia.org cannot be reached"))
    }

    @Test("If the trending feed contains only built-in samples, its name is 'Built-in'")
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
