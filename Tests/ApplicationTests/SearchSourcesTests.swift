import Base
import Catalog
import LoadingSupport
import Testing

@testable import Application

/// What a search knows, and what it does next. No clock, no server and no task takes part.
@Suite("Search: which source is asked") struct SearchSourcesTests {
    private func page(_ sources: [String] = ["giphy", "commons"], query: String = "cat") throws -> SearchScript {
        var script = SearchScript(sources, query: query)
        try script.search.beginPage(after: ChainPosition(), milliseconds: 20_000, at: SearchScript.start)
        return script
    }

    @Test("The first source is asked alone; its page is the result")
    func firstSource() throws {
        var script = try page()
        #expect(script.next(0) == "ask giphy")
        #expect(script.next(0) == "wait 2.5")
        script.answer("giphy", "cat 1", "cat 2", at: 1)
        #expect(script.next(1) == "page of cat 1, cat 2")
    }

    @Test("After a failure or an empty page, the next source is asked at once, and the page names the failure")
    func failingSource() throws {
        for result in [.failure(.outage), .success(ResultPage(items: []))] as [Result<ResultPage, Failure>] {
            var script = try page()
            #expect(script.next(0) == "ask giphy")
            script.answer("giphy", result, at: 1)
            #expect(script.next(1) == "ask commons")
            script.answer("commons", "cat", at: 2)
            #expect(script.next(2) == "page of cat")
            #expect(script.search.sourceFailures.map(\.source) == ["giphy"])
        }
    }

    @Test("After 2.5 s of silence, the next source is asked in parallel; the late page needs no second request")
    func silentSource() throws {
        var script = try page()
        #expect(script.next(0) == "ask giphy")
        #expect(script.next(2.499) == "wait 2.5")
        #expect(script.next(2.5) == "ask commons")
        script.answer("commons", "cat 2", at: 3)
        #expect(script.next(3) == "page of cat 2")
        let timedOut = Failure.timedOut(host: "giphy", milliseconds: 2_500).of("giphy")
        #expect(script.search.reports == [.silentSource(timedOut)])
        let token = try #require(try script.search.page(from: ChainPosition()).get().next)
        script.answer("giphy", "cat 1", at: 4)
        try script.search.beginPage(after: ChainPosition(token), milliseconds: 20_000, at: SearchScript.time(5))
        #expect(script.next(5) == "page of cat 1")
    }

    @Test("After a source was silent, its late failure starts the next source at once")
    func lateFailure() throws {
        var script = try page(["giphy", "klipy", "commons", "openverse"])
        #expect(script.next(0) == "ask giphy")
        #expect(script.next(2.5) == "ask klipy")
        script.answer("giphy", .failure(.outage), at: 3)
        #expect(script.next(3) == "ask commons")
        #expect(script.next(3) == "wait 5.0")
        #expect(script.next(5) == "ask openverse")
    }

    @Test("A page without a match is used only if no source has a match")
    func poorMatch() throws {
        var script = try page()
        #expect(script.next(0) == "ask giphy")
        script.answer("giphy", "Unrelated", at: 1)
        #expect(script.next(1) == "ask commons")
        var other = script
        script.answer("commons", "cat", at: 2)
        #expect(script.next(2) == "page of cat")
        other.answer("commons", at: 2)
        #expect(other.next(2) == "page of Unrelated")
    }

    @Test("Sources are asked for any of the terms only after all of them were asked for all terms; samples come last")
    func widened() throws {
        var script = try page(["commons"], query: "dancing cat")
        script.search.steps.insert(Search.Step(source: "commons", matchesAnyTerm: true, group: 1), at: 1)
        #expect(script.next(0) == "ask commons")
        script.answer("commons", at: 1)
        #expect(script.next(1) == "ask any:commons")
        script.answer("any:commons", at: 2)
        #expect(script.next(2) == "ask samples")
        script.answer("samples", "cat", at: 2)
        #expect(script.next(2) == "page of cat")
        #expect(script.search.sourceFailures.map(\.source) == ["commons"])
    }

    @Test("A source in a cool-down is not asked, and its failure is named once")
    func coolDown() throws {
        var script = try page()
        script.search.coolDowns.recordFailure(.outage, of: "giphy", at: SearchScript.start)
        script.search.steps.insert(Search.Step(source: "giphy", matchesAnyTerm: true, group: 1), at: 2)
        #expect(script.next(0) == "ask commons")
        script.answer("commons", at: 1)
        #expect(script.next(1) == "ask samples")
        script.answer("samples", at: 1)
        #expect(script.next(1) == "end")
        #expect(script.search.sourceFailures.map(\.source) == ["giphy", "commons", "samples"])
    }

    @Test("A source that failed shortly before this run of the program is asked after the others, for that time only")
    func lateSource() throws {
        var script = try page()
        script.search.lateSources = ["giphy"]
        #expect(script.next(0) == "ask commons")
        script.answer("commons", at: 1)
        #expect(script.next(1) == "ask giphy")
        try script.search.beginPage(after: ChainPosition(), milliseconds: 20_000, at: SearchScript.time(60))
        script.search.lateSources = []
        script.search.cancel()
        #expect(script.next(60) == "ask giphy")
    }

    @Test("A source whose files cannot be fetched is not asked")
    func unusableFiles() throws {
        var script = try page()
        script.search.coolDowns.setAsideFiles(of: "giphy", Failure("403"), at: SearchScript.start)
        #expect(script.next(0) == "ask commons")
    }

    @Test("When the time for requests is over, only the sources that need no network are asked")
    func outOfTime() throws {
        var script = try page()
        #expect(script.next(0) == "ask giphy")
        script.answer("giphy", .failure(.outage), at: 20)
        #expect(script.next(20) == "ask samples")
        script.answer("samples", "cat", at: 20)
        #expect(script.next(20) == "page of cat")
        #expect(script.search.sourceFailures.last == Failure.outOfTime.of("commons"))
        // The next page asks it.
        let token = try #require(try script.search.page(from: ChainPosition()).get().next)
        #expect(token.source == "commons")
    }

    @Test("A later page comes from its own source; its failure is the result, and the page can be requested again")
    func laterPage() throws {
        var script = try page()
        _ = script.next(0)
        script.answer("giphy", "cat 1", next: true, at: 1)
        #expect(script.next(1) == "page of cat 1")
        let token = try #require(try script.search.page(from: ChainPosition()).get().next)
        for result in ["reported an outage", "page of cat 2"] {
            try script.search.beginPage(after: ChainPosition(token), milliseconds: 20_000, at: SearchScript.time(2))
            #expect(script.next(2) == "ask giphy again")
            if result.hasPrefix("page") {
                script.answer("giphy", "cat 2", at: 3)
            } else {
                script.answer("giphy", .failure(.outage), at: 3)
                script.search.coolDowns = CoolDowns()
            }
            #expect(script.next(3) == result)
        }
        let foreign = ChainPosition(PageToken(source: "elsewhere", parameters: [:]))
        #expect(throws: Failure.foreignPage(source: "elsewhere")) {
            try script.search.beginPage(after: foreign, milliseconds: 1, at: SearchScript.start)
        }
    }
}

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
