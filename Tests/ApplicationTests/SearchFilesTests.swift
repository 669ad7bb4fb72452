import Base
import Catalog
import LoadingSupport
import Testing

@testable import Application

/// What a search knows, and what it does next. No clock, no server and no task takes part.
@Suite("Search: which file is downloaded") struct SearchFilesTests {
    @Test("The best result is downloaded and plays")
    func bestResult() {
        var script = SearchScript.player()
        #expect(script.next(0) == "ask giphy")
        script.answer("giphy", "Map of cat", "cat", at: 1)
        #expect(script.next(1) == "download cat")
        #expect(script.next(1) == "wait 3.5")
        script.fetched(1, at: 2)
        #expect(script.next(2) == "play cat")
        #expect(script.search.remaining.map(\.name) == ["Map of cat"])
        #expect(script.search.reports == [.playedFile(source: "giphy")])
    }

    @Test("A failed file is replaced by the next result, and a known result is tried before a source is asked")
    func failedFile() {
        var script = SearchScript.player(candidates: ["a", "b"])
        #expect(script.next(0) == "download a")
        script.fail(1, at: 1)
        #expect(script.next(1) == "download b")
        script.fail(2, at: 2)
        #expect(script.next(2) == "ask giphy")
        #expect(script.search.failures.map(\.message) == ["a: failed", "b: failed"] && script.search.remaining.isEmpty)
    }

    @Test("At most two downloads run; a silent one gets a competitor, and the oldest silent one is replaced")
    func silentDownloads() {
        var script = SearchScript.player(candidates: ["a", "b", "c", "d"])
        #expect(script.next(0) == "download a")
        #expect(script.next(0) == "wait 2.5")
        #expect(script.next(2.5) == "download b")
        #expect(script.next(2.5) == "wait 5.0")
        #expect(script.next(5) == "download c in place of 1")
        #expect(script.next(7.5) == "download d in place of 2")
        #expect(script.search.downloads.map(\.number) == [3, 4])
        #expect(script.search.failures.map(\.message) == ["a.example sent no data", "b.example sent no data"])
        #expect(Set(script.search.remaining.map(\.name)) == ["a", "b", "c", "d"])
    }

    @Test("After a silent download has failed, two downloads run, unless the other one makes progress")
    func lateFailure() {
        for isSilent in [true, false] {
            var script = SearchScript.player(candidates: ["a", "b", "c"])
            #expect(script.next(0) == "download a")
            #expect(script.next(2.5) == "download b")
            script.fail(1, at: 3)
            script.progress(2, isSilent: isSilent, at: 3)
            #expect(script.next(3) == (isSilent ? "download c" : "wait 5.0"))
        }
    }

    @Test("A slow download that makes progress gets no competitor, even when the time is over")
    func slowDownload() {
        var script = SearchScript.player(candidates: ["a", "b"])
        #expect(script.next(0) == "download a")
        for seconds in [2.5, 5, 7.5, 10, 12.5] {
            script.progress(1, isSilent: false, at: seconds)
            #expect(script.next(seconds) == (seconds == 7.5 ? "wait 10.0" : "wait \(seconds + 2.5)"))
        }
        script.progress(1, isSilent: true, at: 15)
        #expect(script.next(15) == "ask samples")
    }

    @Test("If no download makes progress after 10 s, a built-in sample plays")
    func timeLimit() {
        var script = SearchScript.player(candidates: ["a"])
        #expect(script.next(0) == "download a")
        #expect(script.next(2.5) == "ask giphy")
        script.answer("giphy", at: 3)
        #expect(script.next(3) == "ask commons")
        script.answer("commons", at: 4)
        #expect(script.next(10) == "ask samples")
        script.search.handle(
            .answered(step: 2, .success(ResultPage(items: [SampleRepository.allReferences[0]]))),
            at: SearchScript.time(10))
        #expect(script.next(10) == "play \(Sample.all[0].name)")
        #expect(script.search.failures.contains(.empty(host: "a.example")))
        #expect(script.search.remaining.map(\.name) == ["a"])
    }

    @Test("Requests end one second before the time limit")
    func reserve() {
        var script = SearchScript.player()
        guard case .ask(_, nil, 9_000) = script.search.next(at: SearchScript.start) else {
            Issue.record("no request of 9 s")
            return
        }
        script.answer("giphy", .failure(.outage), at: 9)
        #expect(script.next(9) == "ask samples")
    }

    @Test("If the user skips a download, the next candidate follows; the skipped one stays in the list")
    func skipped() {
        var script = SearchScript.player(candidates: ["a", "b", "c"], hasSamples: false)
        #expect(script.next(0) == "download a")
        script.search.handle(.skipped, at: SearchScript.start)
        #expect(script.next(0) == "download b" && script.search.remaining.map(\.name) == ["c", "a", "b"])
    }

    @Test("After nine failed files, a built-in sample plays")
    func attempts() {
        var script = SearchScript.player()
        for number in 0..<10 {
            let provider = ["giphy", "commons", "openverse"][number / 4]
            script.search.candidates.append(.init(item: .titled("\(number)", from: provider)))
        }
        for number in 0..<9 {
            #expect(script.next(0) == "download \(number)")
            script.fail(number + 1, at: 0)
        }
        #expect(script.next(0) == "ask samples")
        #expect(script.search.remaining.map(\.name) == ["9"])
    }

    @Test("After four failed files of a source, its other items come after those of the other sources, once more")
    func failingFiles() {
        var script = SearchScript.player(candidates: ["a", "b", "c", "d", "e"], hasSamples: false)
        for number in 1...4 {
            #expect(script.next(0).hasPrefix("download "))
            script.fail(number, at: 0)
        }
        #expect(script.next(0) == "ask commons")
        script.answer("commons", at: 1)
        #expect(script.next(1) == "download e")
        #expect(script.search.reports.contains(.filesRetried))
    }

    @Test("A GIF whose host is in a cool-down comes last, unless its file is stored; four of them set a source aside")
    func blockedHost() {
        var script = SearchScript.player(candidates: ["a"])
        let url = GIFReference.url(titled: "a")
        let failure = Failure("a is down")
        script.search.coolDowns.recordFailure(ofHost: WebAddress.authority(url), failure, at: SearchScript.start)
        var stored = script
        #expect(script.next(0) == "ask giphy")
        #expect(script.search.failures == [failure])
        #expect(script.search.reports == [.failedFile(failure, source: "giphy")])
        _ = stored.search.next(at: SearchScript.start)
        stored.search.handle(
            .opened(candidate: 0, .success([Rendition(url: url)]), stored: [url]), at: SearchScript.start)
        #expect(stored.next(0) == "download a")
    }

    @Test("After a still, the original is tried; after an original that is a still, the next result")
    func stills() {
        var reference = GIFReference.titled("x")
        reference.renditions = [Rendition(url: "https://x/thumbnail", mayBeStill: true), Rendition(url: "https://x/a")]
        var script = SearchScript.player()
        script.search.candidates = [.init(item: reference), .init(item: .address("https://y/b.gif"))]
        #expect(script.next(0) == "download x")
        script.fail(1, .notAnimated, at: 0)
        #expect(script.next(0) == "download x")
        script.fail(2, .notAnimated, at: 0)
        #expect(script.next(0) == "download https://y/b.gif")
    }

    @Test("A number chooses exactly one result; further pages are requested to reach it")
    func number() {
        var script = SearchScript.player(["giphy"], choice: .number(2), hasSamples: false)
        #expect(script.next(0) == "ask giphy")
        script.answer("giphy", "cat 1", next: true, at: 1)
        #expect(script.next(1) == "ask giphy again")
        script.answer("giphy", "cat 2", "cat 3", at: 2)
        #expect(script.next(2) == "download cat 2")
        script.fail(1, at: 3)
        #expect(script.next(3) == "end")
        #expect(script.search.skipped.map(\.name) == ["cat 1"])
        #expect(script.search.remaining.map(\.name) == ["cat 3"])
    }

    @Test("A number beyond the last result is reported")
    func numberTooLarge() {
        var script = SearchScript.player(["giphy"], choice: .number(9), hasSamples: false)
        _ = script.next(0)
        script.answer("giphy", "cat 1", "cat 2", at: 1)
        #expect(script.next(1) == "end")
        #expect(script.search.failures.map(\.message) == ["--pick 9: there are only 2 results"])
        #expect(ErrorMessages.tooFew(1, for: 3).message == "--pick 3: there is only 1 result")
    }

    @Test("A random choice skips the results before it and leaves the later ones in the list", arguments: 0..<8)
    func anyResult(number: UInt64) {
        let titles = ["a", "b", "c", "d"]
        var script = SearchScript.player(choice: .any, candidates: titles, randomNumber: number)
        #expect(script.next(0) == "download \(titles[Int(number % 4)])")
        script.fetched(1, at: 1)
        let search = script.search
        #expect(search.skipped.map(\.name) == Array(titles.prefix(Int(number % 4))))
        #expect(search.remaining.map(\.name) == Array(titles.dropFirst(Int(number % 4) + 1)))
    }

    @Test("Several sources can list the same GIF: it becomes one candidate")
    func duplicates() {
        var script = SearchScript.player()
        script.search.begin(["a", "a", "b"].map { GIFReference.titled($0, from: "giphy") }, at: SearchScript.start)
        #expect(script.search.candidates.map(\.item.name) == ["a", "b"])
        script = SearchScript.player()
        _ = script.next(0)
        script.answer("giphy", "cat", "cat", next: true, at: 1)
        _ = script.next(1)
        #expect(script.search.candidates.count == 1)
        script.fail(1, at: 1)
        #expect(script.next(1) == "ask giphy again")
        var same = GIFReference.titled("cat 2", from: "openverse")
        same.renditions = GIFReference.titled("cat").renditions
        script.answer("giphy", .success(ResultPage(items: [same])), at: 2)
        #expect(script.next(2) == "ask commons")
    }
}
