import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Retries")
struct ListingRetryTests {
    private static let cats = Feed.search(query: "cats")
    private static let cooling = Failure.exhausted([Failure.coolingDown(seconds: 60).of("commons")])

    /// Returns a gallery whose first query failed.
    private func failed(_ error: Failure, _ feed: Feed = cats) -> Session { Session(feed, failing: error) }

    @Test(
        "If the screen offers a retry, 'r' ends the cool-downs and retries", arguments: [cooling, ScreenScenario.dead])
    func retries(_ error: Failure) {
        var session = failed(error)
        #expect(session.text.contains(" r: try again"))
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && $0.isRetry })
        session.answer(.success(ResultPage(items: GIFReference.many(3), next: .page(1))))
        session.answer(.failure(error))
        #expect(session.status.contains("; r tries again"))
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: Self.cats, page: .page(1)) && $0.isRetry })
    }

    @Test("If the results loaded without a failure, the key 'r' does not end the cool-downs")
    func refreshes() {
        var session = Session(Self.cats, showing: GIFReference.many(3))
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

    @Test("Without a countdown, the gallery sleeps until the end of a cool-down, and then queries again")
    func coolsDown() {
        var session = failed(Self.cooling)
        let screen = session.state.view()
        #expect(session.text.contains("Wikimedia Commons: paused after an error"))
        #expect(session.state.nextDeadline == session.now + 60 * Span.second)
        session.wait(milliseconds: 59_999)
        #expect(session.state.view() == screen && session.effects.isEmpty)
        session.wait(milliseconds: 1)
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && $0.isRetry })
        #expect(session.state.nextDeadline == nil && failed(.outage).state.nextDeadline == nil)
    }

    @Test("No failure has a countdown in the status line, whatever waiting time a service requested")
    func waitsInStatus() {
        for error in [.refused(status: 429, message: nil, retryAfterSeconds: 30), Self.cooling, ScreenScenario.dead]
            as [Failure]
        {
            var session = Session(Self.cats, CellSize(columns: 120, rows: 24))
            session.open(GIFReference.many(3), next: .page(1))
            session.answer(.failure(error))
            let status = session.status
            #expect(status.contains("; r tries again") && !status.contains(/[0-9] s|in [0-9]/), "\(status)")
            #expect(session.state.nextDeadline == session.state.retryTime)
        }
    }

    @Test("The gallery reports that it is offline only if no service can be reached")
    func offline() {
        let dead = ["commons", "gifcities"].map { ScreenScenario.dead.of($0) }
        #expect(failed(.exhausted(dead)).state.phase == .offline)
        #expect(failed(.exhausted(dead)).text.contains("no network"))
        let mixed = [dead[0], Failure.coolingDown(seconds: 60).of("gifcities")]
        #expect(failed(.exhausted(mixed)).text.contains("Wikimedia Commons: server cannot be reached"))
    }

    @Test("Without a connection, the gallery queries again after 2, 5, 15, 30 and 30 s")
    func reconnects() {
        var session = failed(ScreenScenario.dead)
        for wait in [2, 5, 15, 30, 30] as [Int64] {
            #expect(session.text.contains("no network") && session.text.contains("r: try again"))
            #expect(session.state.nextDeadline == session.now + wait * Span.second)
            session.wait(milliseconds: wait * 1_000)
            #expect(session.effects.contains { $0.isLoad(of: Self.cats) && $0.isRetry }, "\(wait)")
            #expect(session.text.contains("no network") && session.text.contains("searching for “cats”"))
            session.answer(.failure(ScreenScenario.dead))
        }
        session.wait(milliseconds: 30_000)
        session.answer(.success(ResultPage(items: GIFReference.many(3))))
        #expect(session.tiles.count == 3 && !session.text.contains("no network"))
        #expect(session.state.nextDeadline == nil)
    }

    @Test("The key 'r' queries again at once, and the next automatic query follows after 2 s")
    func retriesAtOnce() {
        var session = failed(ScreenScenario.dead)
        session.wait(milliseconds: 2_000)
        session.answer(.failure(ScreenScenario.dead))
        session.press(.character("r"))
        #expect(session.effects.contains { $0.isLoad(of: Self.cats) && $0.isRetry })
        session.answer(.failure(ScreenScenario.dead))
        #expect(session.state.nextDeadline == session.now + 2 * Span.second)
    }

    @Test("A later page is requested again by itself, and tiles that failed without a connection are loaded again")
    func reconnectsLaterPage() {
        var session = Session(Self.cats, showing: GIFReference.many(3), next: .page(1))
        session.send(.tile(GIFKey(provider: "commons", id: "1"), .failed(.tooLargeForCache(limit: 1))))
        session.answer(.failure(.exhausted([ScreenScenario.dead.of("commons")])))
        #expect(session.status.contains("no network; r tries again"))
        session.wait(milliseconds: 2_000)
        #expect(session.effects.contains { $0.isLoad(of: Self.cats, page: .page(1)) && $0.isRetry })
        session.answer(.success(ResultPage(items: GIFReference.many(3, from: 10))))
        #expect(session.state.grid.items.count == 6 && !session.text.contains("failed"))
    }

    @Test("The status line reports built-in GIFs in place of results, and the next automatic query replaces them")
    func samplesUntilConnected() {
        var session = Session(.random)
        let failures = [ScreenScenario.dead.of("commons")]
        session.send(.opened)
        session.answerStore(StoredListing(items: GIFReference.many(3, source: "samples"), seconds: 0))
        session.answer(.success(ResultPage(items: GIFReference.many(3, source: "samples"), sourceFailures: failures)))
        #expect(session.status.contains("no network: built-in GIFs; r tries again"))
        session.wait(milliseconds: 2_000)
        session.answer(.success(ResultPage(items: GIFReference.many(5, from: 10), sourceFailures: failures)))
        // The failure of one source does not matter if another source has answered.
        #expect(session.state.grid.items.count == 5 && session.state.phase == .results)
        #expect(!session.text.contains("network"))
    }

    @Test("If a service cannot be reached while another one is queried, the gallery reports it at once")
    func refusal() {
        var session = Session(Self.cats)
        session.send(.opened, .reported(.noConnection))
        #expect(session.text.contains("no network") && session.text.contains("searching for “cats”"))
        session.answer(.success(ResultPage(items: GIFReference.many(3), next: .page(1))))
        #expect(!session.text.contains("no network"))
        session.send(.reported(.noConnection))
        #expect(session.status.contains("no network"))
        session.answer(.failure(.outage))
        session.send(.reported(.noConnection))
        #expect(!session.text.contains("no network"))
    }

    @Test("In offline mode and while a search is scheduled, nothing is queried by itself")
    func noRetry() {
        let offline = Session(Self.cats, failing: ScreenScenario.dead) { $0.isOffline = true }
        #expect(offline.state.nextDeadline == nil && offline.text.contains("offline mode"))
        var typing = failed(ScreenScenario.dead)
        typing.wait(milliseconds: 1_500)
        typing.type("/xyz")
        typing.wait(milliseconds: 600)
        #expect(typing.effects.allSatisfy { !$0.isLoad(of: Self.cats) })
    }

    @Test("The name of a feed does not depend on its GIFs")
    func names() {
        let names: [(Feed, String)] = [
            (.trending(source: nil), "Trending"), (.random, "Random"), (.trending(source: "samples"), "Built-in"),
        ]
        for (feed, name) in names {
            for source in ["samples", "commons"] {
                var session = Session(feed) { $0.feeds = [feed, .favourites] }
                #expect(session.lines[1].contains("[\(name)]"))
                session.open(GIFReference.many(3, source: source))
                #expect(session.lines[1].contains("[\(name)]"))
            }
        }
    }
}
