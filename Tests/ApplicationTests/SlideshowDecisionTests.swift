import Base
import Catalog
import LoadingSupport
import Playback
import Testing

@testable import Application

/// What a slideshow knows, and what it does next. No terminal, no thread and no clock takes part.
@Suite("Slideshow: what is next") struct SlideshowDecisionTests {
    /// A slideshow with the events of a test. The text of each action is such as `open a`, `find next of b c`.
    private struct Script {
        var slideshow: Slideshow
        private var opened = FetchedItem(.standardInput)

        init(_ list: Playlist, holdsLast: Bool = false) { slideshow = Slideshow(list, holdsLast: holdsLast) }

        mutating func start() -> String { text(slideshow.start()) }

        /// Plays the opened item to this end.
        mutating func end(_ end: PlaybackEnd) -> String {
            slideshow.begin(opened.item)
            return text(slideshow.next(after: end, of: opened))
        }

        mutating func key(_ kind: PlaybackEnd.ItemSwitch) -> String { end(.switchItem(kind)) }

        mutating func cannotOpen() -> String { text(slideshow.next(after: .empty, of: opened.item)) }

        mutating func late() -> String { text(slideshow.nextIfLate()) }

        /// The end of a search with this number of candidates.
        mutating func found(
            _ title: String?, of candidates: Int = 0, remaining: [String] = [], failures: [String] = [],
            isNext: Bool = true
        ) -> String {
            let next = NextItem(
                candidates: candidates, fetched: title.map { FetchedItem(.titled($0), content: []) },
                remaining: remaining.map { .titled($0) }, failures: failures.map { Failure($0) })
            return text(slideshow.next(after: next, isNext: isNext))
        }

        private mutating func text(_ action: Slideshow.Action) -> String {
            switch action {
            case .find(let request, let isNext):
                let names = request.candidates.map(\.name).joined(separator: " ")
                return (isNext ? "find next" : "find") + (names.isEmpty ? "" : " of \(names)")
            case .open(let fetched):
                opened = fetched
                return "open \(fetched.item.isBuiltIn ? "sample" : fetched.item.name)"
            case .again(let isFinished): return isFinished ? "hold" : "again"
            case .browse: return "browse"
            case .end(let end): return "end \(end)"
            }
        }
    }

    private func files(_ names: String...) -> [GIFReference] { names.map { .file($0) } }

    private var feed: Script {
        Script(Playlist(feed: FeedDouble(), health: SourceHealth()))
    }

    @Test("The files of a list play in order, and the last one holds its last frame if it should")
    func listed() {
        for (holdsLast, last) in [(true, "hold"), (false, "end finished")] {
            var script = Script(Playlist(listed: files("a", "b")), holdsLast: holdsLast)
            #expect(script.start() == "open a" && script.slideshow.position == .inList)
            #expect(script.end(.finished) == "open b" && script.slideshow.position == .last)
            #expect(script.end(.finished) == last)
        }
    }

    @Test("After the last file that can be played, the last one that has finished is held")
    func heldBeforeFailures() {
        var script = Script(Playlist(listed: files("a", "b", "c")), holdsLast: true)
        #expect(script.start() == "open a")
        #expect(script.end(.finished) == "open b")
        #expect(script.cannotOpen() == "open c")
        #expect(script.end(.failed(.empty)) == "hold" && script.slideshow.position == .last)
        #expect(script.slideshow.report.failures.map(\.message) == ["b: the file is empty", "c: the file is empty"])
    }

    @Test("'p' passes a file that cannot be played, which is reported once")
    func backwards() {
        var script = Script(Playlist(listed: files("x", "a", "b", "c")), holdsLast: true)
        #expect(script.start() == "open x" && script.cannotOpen() == "open a")
        #expect(script.end(.finished) == "open b" && script.cannotOpen() == "open c")
        #expect(script.key(.previous) == "open b" && script.end(.failed(.empty)) == "open a")
        #expect(script.key(.previous) == "open x" && script.cannotOpen() == "open a")
        #expect(script.slideshow.report.failures.map(\.message) == ["x: the file is empty", "b: the file is empty"])
    }

    @Test("The keys switch within a list; at its end, 'n' shows the last file again")
    func keys() {
        var script = Script(Playlist(listed: files("a", "b")), holdsLast: true)
        #expect(script.start() == "open a")
        #expect(script.key(.next) == "open b")
        #expect(script.key(.next) == "again")
        #expect(script.key(.previous) == "open a")
        #expect(script.key(.previous) == "open a")
        #expect(script.key(.random) == "open b")
        #expect(script.key(.reload) == "open b")
        #expect(script.end(.browse) == "browse")
        #expect(script.end(.quit) == "end quit")
    }

    @Test("An endless list ends if none of its items can be played, and goes on if one has been")
    func endless() {
        var script = Script(Playlist(shuffling: files("a", "b")))
        #expect(script.start().hasPrefix("open ") && script.slideshow.position == .feed)
        #expect(script.cannotOpen().hasPrefix("open "))
        #expect(script.cannotOpen() == "end finished" && script.slideshow.report.failures.count == 2)
        var other = Script(Playlist(shuffling: files("a", "b")))
        _ = other.start()
        for end in [PlaybackEnd.finished, .still, .finished, .still] { #expect(other.end(end).hasPrefix("open ")) }
        #expect(other.slideshow.report.failures.isEmpty)
    }

    @Test("Of search results, one plays; the keys change it, and stills and failing files are skipped")
    func results() {
        var script = Script(Playlist(search: .silent))
        #expect(script.start() == "find next")
        #expect(script.found("a", remaining: ["b", "c"]) == "open a" && script.slideshow.position == .last)
        #expect(script.end(.still) == "find next of b c")
        #expect(script.found("c", of: 2, failures: ["b: no response"]) == "open c")
        #expect(script.key(.previous) == "find of a")
        #expect(script.found("a", isNext: false) == "open a")
        #expect(script.key(.next) == "find next of c")
        #expect(script.found("c", of: 1) == "open c")
        #expect(script.key(.next) == "find next")
        #expect(script.found(nil) == "again")
        #expect(script.end(.finished) == "end finished")
        #expect(script.slideshow.report.failures == [.notAnimated.of("a")] && !script.slideshow.reportsFailures)
        var other = Script(Playlist(search: .silent))
        _ = other.start()
        #expect(other.found(nil, failures: ["a: no response"]) == "end finished" && other.slideshow.reportsFailures)
    }

    @Test("After 'p' in a feed, 'n' shows the same item again, and 'r' one that was not shown yet")
    func feedKeys() {
        var script = feed
        _ = script.start()
        _ = script.found("a")
        #expect(script.key(.next) == "find next")
        _ = script.found("b")
        #expect(script.key(.previous) == "find of a")
        _ = script.found("a", isNext: false)
        #expect(script.key(.next) == "find of b")
        // Its file cannot be loaded again.
        #expect(script.found(nil, isNext: false) == "find next")
        _ = script.found("c")
        #expect(script.key(.previous) == "find of b")
        _ = script.found("b", isNext: false)
        #expect(script.key(.random) == "find next")
    }

    @Test("If an item of a feed is late, a sample plays before the first one, and later the present one plays again")
    func late() {
        var script = feed
        #expect(script.start() == "find next" && script.slideshow.timeout == Span.second)
        #expect(script.slideshow.mayEndWait && script.late() == "open sample")
        #expect(script.end(.finished) == "find next" && !script.slideshow.mayEndWait)
        #expect(script.late() == "again")
    }

    @Test("Ctrl-R loads a GIF again, but not standard input")
    func reload() {
        var script = Script(Playlist(results: [.titled("a")]))
        #expect(script.start() == "find next of a")
        #expect(script.found("a", of: 1) == "open a")
        #expect(script.key(.reload) == "find of a")
        var other = Script(Playlist(listed: [.standardInput]))
        #expect(other.start() == "open standard input")
        #expect(other.key(.reload) == "again")
    }
}
