import Base
import Catalog
import LoadingSupport
import Testing

@testable import Application

/// What a search knows, and what it does next. No clock, no server and no task takes part.
@Suite("Search: further pages, lists and feeds") struct SearchPagesTests {
    /// A player that has played the only result of the first page of GIPHY, which has a second page.
    private func played() -> SearchScript {
        var script = SearchScript.player()
        _ = script.next(0)
        script.answer("giphy", "cat 1", next: true, at: 1)
        #expect(script.next(1) == "download cat 1")
        return script
    }

    @Test("A later page that arrives between two runs is used by the next one")
    func latePage() {
        var script = played()
        #expect(script.next(3.5) == "ask giphy again")
        script.fetched(1, at: 4)
        script.answer("giphy", "cat 2", at: 5)
        script.search.begin([], at: SearchScript.time(6))
        #expect(script.next(6) == "download cat 2")
    }

    @Test("The results of a cancelled run are candidates of the next one")
    func cancelledRun() {
        var script = SearchScript.player()
        _ = script.next(0)
        script.answer("giphy", "cat 1", "cat 2", at: 1)
        #expect(script.next(1) == "download cat 1")
        script.search.cancel()
        script.search.begin([], at: SearchScript.time(2))
        #expect(script.search.candidates.map(\.item.name) == ["cat 1", "cat 2"])
    }

    @Test("While a later page is silent, another source is asked")
    func silentPage() {
        var script = played()
        script.fail(1, at: 1)
        #expect(script.next(1) == "ask giphy again")
        #expect(script.next(1) == "wait 3.5")
        #expect(script.next(3.5) == "ask commons")
    }

    @Test("While the files of a source cannot be fetched, its next page waits, and other sources are asked")
    func pageOfUnusableFiles() {
        var script = played()
        script.fail(1, at: 1)
        script.search.coolDowns.setAsideFiles(of: "giphy", Failure("403"), at: SearchScript.time(1))
        #expect(script.next(1) == "ask commons")
        script.answer("commons", at: 2)
        script.search.begin([], at: SearchScript.time(62))
        #expect(script.next(62) == "ask giphy again")
    }

    @Test("A source ends after three pages in succession without a new GIF")
    func repeatedPages() {
        var script = played()
        script.fail(1, at: 1)
        for _ in 0..<3 {
            #expect(script.next(1) == "ask giphy again")
            script.answer("giphy", "cat 1", next: true, at: 1)
        }
        #expect(script.next(1) == "ask commons")
    }

    @Test("A page that was not requested for lack of time is requested by the next run")
    func pageOutOfTime() {
        var script = played()
        script.fail(1, at: 9.5)
        #expect(script.next(9.5).hasPrefix("ask samples"))
        script.search.begin([], at: SearchScript.time(20))
        #expect(script.next(20) == "ask giphy again")
    }

    // MARK: - Feeds

    @Test("A feed is asked for one item at a time, and after several failures with longer and longer pauses")
    func feed() {
        var script = SearchScript.feed
        for _ in 0..<4 {
            #expect(script.next(0) == "ask feed")
            script.answer("feed", .failure(.outage), at: 0)
        }
        #expect(script.next(0) == "wait 4.0")
        #expect(script.next(4) == "ask feed")
        script.answer("feed", .failure(.outage), at: 4)
        #expect(script.next(4) == "wait 12.0")
        #expect(script.next(12) == "ask feed")
        script.answer("feed", "a", at: 12)
        #expect(script.next(12) == "download a")
        // Another GIF plays meanwhile, so the competitor comes later than in a search.
        #expect(script.next(12) == "wait 20.0")
        #expect(script.next(20) == "ask feed")
        script.answer("feed", .success(ResultPage(items: [SampleRepository.allReferences[0]])), at: 20)
        #expect(script.next(20) == "wait 28.0")
        script.fetched(1, at: 21)
        #expect(script.next(21) == "play a")
    }
}
