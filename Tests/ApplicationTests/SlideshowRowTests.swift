import Base
import Catalog
import Gallery
import LoadingSupport
import Playback
import Testing

@testable import Application

/// Each line is an event and what the slideshow does then. No terminal, no thread and no clock takes part.
@Suite("Slideshow: what is next") struct SlideshowRowTests {
    /// A slideshow with the events of a test.
    private struct Script {
        var slideshow: Slideshow
        private var opened: FetchedItem?
        private var candidates = 0

        init(_ list: Playlist, _ options: [String]) throws {
            slideshow = Slideshow(list, try playbackSettings(options))
        }

        /// - Parameter line: a key, the end of a GIF or of a search, or `?` with a key and the state of the prefetch.
        mutating func perform(_ line: String) -> String {
            let (event, reason) = split(line, " because ")
            let (name, later) = split(event, " then ")
            let words = name.split(separator: " ").map(String.init)
            switch words[0] {
            case "start": return text(.begun)
            case "late": return text(.late)
            case "broken": return text(.cannotOpen(opened?.item ?? .standardInput, .empty))
            case "found", "nothing":
                let found = words.count > 1 ? FetchedItem(.titled(words[1]), content: []) : nil
                let next = NextItem(
                    candidates: candidates, fetched: found,
                    remaining: later.split(separator: " ").map { .titled(String($0)) },
                    failures: reason.isEmpty ? [] : [Failure(reason)])
                return text(.found(next))
            case "wait": return text(.waitEnded(Self.ends[words[1]] ?? .closed))
            case "gallery": return text(.browsed(.success((Self.galleryEnds[words[1]] ?? .quit, [], []))))
            case "refused": return text(.browsed(.failure(Failure("no gallery"))))
            case "list": return text(.randomList(Playlist(shuffling: [.file("random")])))
            case "?":
                let kind: PlaybackEnd.ItemSwitch =
                    if case .switchItem(let kind)? = Self.ends[words[1]] { kind } else { .next }
                return slideshow.refusal(of: kind, next: Self.states[words.last ?? ""]) ?? "-"
            case "time": return slideshow.mayEnd(next: Self.states[words[1]]) ? "ends" : "continues"
            default:
                guard let item = opened, let end = Self.ends[words[0]] else { return "unknown event" }
                if slideshow.shownItem != item.item { _ = slideshow.next(after: .opened(item.item)) }
                return text(.ended(end, of: item, damage: later.isEmpty ? nil : later))
            }
        }

        private static let ends: [String: PlaybackEnd] = [
            "n": .switchItem(.next), "p": .switchItem(.previous), "r": .switchItem(.random),
            "reload": .switchItem(.reload), "q": .quit, "/": .browse, "finished": .finished, "still": .still,
            "failed": .failed(.empty), "signal": .interrupted(signal: 15),
        ]
        private static let galleryEnds: [String: GalleryEnd] = [
            "quit": .quit, "signal": .interrupted(signal: 15), "closed": .closed,
        ]
        private static let states: [String: ItemSearch.State] = [
            "searching": .searching, "empty": .nothingFound, "ready": .ready,
        ]

        private func split(_ text: String, _ separator: String) -> (String, String) {
            let parts = text.components(separatedBy: separator)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }

        private mutating func text(_ event: Slideshow.Event) -> String {
            switch slideshow.next(after: event) {
            case .find(let request):
                candidates = request.candidates.count
                let names = request.candidates.map(\.name).joined(separator: " ")
                return (slideshow.awaitsNext ? "find next" : "find") + (names.isEmpty ? "" : " of \(names)")
            case .open(let fetched):
                opened = fetched
                return "open \(fetched.item.isBuiltIn ? "sample" : fetched.item.name)"
            case .play: return "play"
            case .again(let isFinished): return isFinished ? "hold" : "again"
            case .chooseRandomly: return "random"
            case .browse: return "browse"
            case .end(let end): return "end \(end)"
            }
        }
    }

    /// - Parameters:
    ///   - lines: an event and the expected action, separated by an arrow; `*` stands for any item.
    ///   - messages: those at the end.
    private func check(
        _ list: Playlist, _ lines: String, options: [String] = [], messages: [String] = [],
        status: Application.ExitStatus? = nil, location: SourceLocation = #_sourceLocation
    ) throws {
        var script = try Script(list, options)
        for line in lines.split(separator: "\n") {
            let parts = line.components(separatedBy: " → ")
            let action = script.perform(parts[0])
            let isExpected = parts[1].hasSuffix("*") ? action.hasPrefix(parts[1].dropLast()) : action == parts[1]
            #expect(isExpected, "\(line): \(action)", sourceLocation: location)
        }
        let result = script.slideshow.result(.finished, errors: [], remarks: [])
        #expect(result.1 == messages, sourceLocation: location)
        #expect(result.0 == (status ?? (messages.isEmpty ? .success : .failure)), sourceLocation: location)
    }

    private func files(_ names: String) -> Playlist {
        Playlist(listed: names.split(separator: " ").map { .file(String($0)) })
    }

    private func shuffled(_ names: String) -> Playlist {
        Playlist(shuffling: names.split(separator: " ").map { .file(String($0)) })
    }

    private func feed(retryTime: ContinuousClock.Instant? = nil) -> Playlist {
        Playlist(feed: FeedDouble(retryTime: retryTime), health: SourceHealth())
    }

    @Test("The files of a list play in order, and the last one holds its last frame if it should")
    func listed() throws {
        for (options, last) in [([], "hold"), (["--loop", "1"], "end finished"), (["--screensaver"], "end finished")] {
            try check(files("a b"), "start → open a\nfinished → open b\nfinished → \(last)", options: options)
        }
    }

    @Test("After the last file that can be played, the last one that has finished is held; each failure is reported")
    func heldBeforeFailures() throws {
        try check(
            files("a b c"), "start → open a\nfinished → open b\nbroken → open c\nfailed → hold",
            messages: ["b: the file is empty", "c: the file is empty"])
    }

    @Test("'p' passes a file that cannot be played, which is reported once")
    func backwards() throws {
        try check(
            files("x a b c"),
            """
            start → open x
            broken → open a
            finished → open b
            broken → open c
            p → open b
            failed → open a
            p → open x
            broken → open a
            """, messages: ["x: the file is empty", "b: the file is empty"])
    }

    @Test("The keys switch within a list; at its end, 'n' shows the last file again")
    func keys() throws {
        try check(
            files("a b"),
            """
            start → open a
            ? p → first GIF
            ? n → -
            n → open b
            ? n → last GIF
            n → again
            p → open a
            p → open a
            r → open b
            reload → open b
            / → browse
            gallery quit → again
            q → end quit
            """)
    }

    @Test("Of a single file, there is no other one, and 'r' continues with random GIFs")
    func single() throws {
        let note = "no other GIF · r: random GIF"
        try check(
            files("a"),
            "start → open a\n? n → \(note)\n? p → \(note)\n? r → -\nr → random\nlist → open random\n? n → -\nn → open *"
        )
    }

    @Test("An endless list ends if none of its items can be played, and goes on if one has been")
    func endless() throws {
        try check(
            shuffled("a a"), "start → open a\nbroken → open a\nbroken → end finished",
            messages: ["a: the file is empty"])
        try check(
            shuffled("a b"), "start → open *\nfinished → open *\nstill → open *\nfinished → open *\nstill → open *")
    }

    @Test("Of search results, one plays; the keys change it, and stills and failing files are skipped")
    func results() throws {
        try check(
            Playlist(search: .silent),
            """
            start → find next
            found a then b c → open a
            still → find next of b c
            found c because b: no response → open c
            p → find of a
            found a → open a
            n → find next of c
            found c → open c
            ? n searching → -
            ? n empty → last GIF
            n → find next
            nothing → again
            finished → end finished
            """)
        try check(
            Playlist(search: .silent), "start → find next\nnothing because a: no response → end finished",
            messages: ["a: no response"])
    }

    @Test("After 'p' in a feed, 'n' shows the same item again, and 'r' one that was not shown yet")
    func feedKeys() throws {
        try check(
            feed(),
            """
            start → find next
            found a → open a
            n → find next
            found b → open b
            p → find of a
            found a → open a
            n → find of b
            nothing → find next
            found c → open c
            p → find of b
            found b → open b
            r → find next
            """)
    }

    @Test("If an item of a feed is late, a sample plays before the first one; offline, the present one later")
    func late() throws {
        let start = "start → find next\nlate → open sample\nfinished → find next\nlate → "
        try check(feed(), start + "find next\nwait q → end quit")
        try check(feed(retryTime: SourceHealth().now()), start + "again\n? r searching → no network; r tries again")
    }

    @Test("A time limit ends an item of a feed when the next one is ready, and of a list at once")
    func timeLimit() throws {
        let start = "start → find next\nfound a → open a\n"
        try check(feed(), start + "time searching → continues\ntime empty → continues\ntime ready → ends")
        try check(Playlist(search: .silent), start + "time searching → ends")
    }

    @Test("Ctrl-R loads a GIF again, but not standard input")
    func reload() throws {
        try check(
            Playlist(results: [.titled("a")]), "start → find next of a\nfound a → open a\nreload → find of a")
        try check(Playlist(listed: [.standardInput]), "start → open standard input\nreload → again")
    }

    @Test("The gallery interrupts a wait, which goes on after it; a failure, a signal and a hang-up are the end")
    func gallery() throws {
        let start = "start → find next\nwait / → browse\n"
        try check(Playlist(search: .silent), start + "gallery quit → find next\nfound a → open a")
        try check(Playlist(search: .silent), start + "gallery signal → end interrupted(signal: 15)")
        try check(Playlist(search: .silent), start + "gallery closed → end closed\nwait signal → end interrupted*")
        try check(files("a"), "start → open a\n/ → browse\nrefused → end quit", messages: ["no gallery"])
    }

    @Test("The damage of a file that plays twice is reported once, and does not change the exit status")
    func damage() throws {
        try check(
            files("a b"), "start → open a\nfinished then damaged → open b\np then damaged → open a\nn then damaged → *",
            messages: ["a: damaged", "b: damaged"], status: .success)
    }
}
