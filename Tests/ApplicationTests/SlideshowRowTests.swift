import Base
import Catalog
import Gallery
import LoadingSupport
import Playback
import Testing

@testable import Application

/// Each line is an event and what the slideshow does then. No terminal, no thread and no clock takes part.
@Suite("Slideshow: what is next") struct SlideshowRowTests {
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
            try checkSlideshow(files("a b"), "start → open a\nfinished → open b\nfinished → \(last)", options: options)
        }
    }

    @Test("After the last file that can be played, the last one that has finished is held; each failure is reported")
    func heldBeforeFailures() throws {
        try checkSlideshow(
            files("a b c"), "start → open a\nfinished → open b\nbroken → open c\nfailed → hold",
            messages: ["b: the file is empty", "c: the file is empty"])
    }

    @Test("'p' passes a file that cannot be played, which is reported once")
    func backwards() throws {
        try checkSlideshow(
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
        try checkSlideshow(
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
        try checkSlideshow(
            Playlist(listed: ["a", "b"].map { .titled($0) }),
            "start → find next of a b\nwait q because a: no response → end quit", messages: ["a: no response"])
        let note = "no other GIF · r: random GIF"
        try checkSlideshow(
            files("a"),
            "start → open a\n? n → \(note)\n? p → \(note)\n? r → -\nr → random\nlist → open random\n? n → -\nn → open *"
        )
    }

    @Test("An endless list ends if none of its items can be played, and goes on if one has been")
    func endless() throws {
        try checkSlideshow(
            shuffled("a a"), "start → open a\nbroken → open a\nbroken → end finished",
            messages: ["a: the file is empty"])
        try checkSlideshow(
            shuffled("a b"), "start → open *\nfinished → open *\nstill → open *\nfinished → open *\nstill → open *")
    }

    @Test("Of search results, one plays; the keys change it, and stills and failing files are skipped")
    func results() throws {
        try checkSlideshow(
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
        try checkSlideshow(
            Playlist(search: .silent), "start → find next\nnothing because a: no response → end finished",
            messages: ["a: no response"])
    }

    @Test("After 'p' in a feed, 'n' shows the same item again, and 'r' one that was not shown yet")
    func feedKeys() throws {
        try checkSlideshow(
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
        try checkSlideshow(feed(), start + "find next\nwait q → end quit")
        try checkSlideshow(
            feed(retryTime: SourceHealth().now()), start + "again\n? r searching → no network; r tries again")
    }

    @Test("What keeps the next GIF of a feed away is not said about a GIF to which the user has returned")
    func noteOfFeed() throws {
        var script = try SlideshowScript(feed(retryTime: SourceHealth().now()), [])
        for line in ["start", "found a", "n", "found b", "p", "found a", "n", "found b"] {
            _ = script.perform(line)
            guard line.hasPrefix("found") else { continue }
            let item = FetchedItem(.titled("a"), content: [])
            let note = script.slideshow.note(on: item, nil, next: nil, TerminalGraphics(), at: Instant(nanoseconds: 0))
            #expect((note == "no network; r tries again") == !script.slideshow.goesBack, "\(note ?? "")")
        }
    }

    @Test("Without any GIF of a followed URL or file, the end reports the problem, except for a wait")
    func nothingFollowed() throws {
        for (problem, messages) in [
            (.status(404, host: "h"), ["--follow: h answered 404, not found"]),
            (Failure("not a GIF").of("x.gif"), ["x.gif: not a GIF"]), (FollowedGIF.awaited(in: "pics"), []),
        ] as [(Failure, [String])] {
            let feed = FeedDouble(problem: problem)
            try checkSlideshow(
                Playlist(feed: feed, health: SourceHealth()), "start → find next\nwait q → end quit", messages: messages
            )
            let shown = "start → find next\nfound a → open a\nq → end quit"
            try checkSlideshow(Playlist(feed: feed, health: SourceHealth()), shown)
        }
    }

    @Test("While an item is waited for, 'n' passes it, 'p' plays the one before it, and each can be returned to")
    func waitKeys() throws {
        try checkSlideshow(
            Playlist(listed: ["a", "b", "c"].map { .titled($0) }),
            """
            start → find next of a b c
            ?? p → first GIF
            ?? n → -
            wait n → find next of b c
            found b then c → open b
            finished → find next of c
            ?? n → last GIF
            wait p → again
            n → find next of c
            found c → open c
            p → find of b
            wait p → find of a
            ?? p → first GIF
            wait n → find next of b c
            wait r → find of *
            """)
        let note = "no other GIF · r: random GIF"
        try checkSlideshow(
            Playlist(listed: [.titled("a")]),
            "start → find next of a\n?? n → \(note)\n?? p → \(note)\nwait r → random\nlist → open random")
    }

    @Test("While a search or a feed waits for a download, 'n' goes on with another one; 'p' plays the present item")
    func waitKeysOfSearch() throws {
        try checkSlideshow(
            Playlist(search: .silent),
            """
            start → find next
            ?? p → first GIF
            wait n → skip
            wait r → skip
            found a then b → open a
            n → find next of b
            wait p → again
            finished → end finished
            """)
        try checkSlideshow(feed(), "start → find next\nwait r → skip\nfound a → open a\nn → find next\nwait n → skip")
    }

    @Test("A file of a list that is not loaded within the time of '--every' is passed, unless it is the last one")
    func lateFile() throws {
        try checkSlideshow(
            Playlist(listed: ["a", "b"].map { .titled($0) }),
            "start → find next of a b\nlate → find next of b\nfound b → open b\np → find of a",
            options: ["--every", "5s"],
            messages: ["a: not loaded within 5.0 s"])
        let slideshow = Slideshow(Playlist(listed: [.titled("a")]), try playbackSettings([]))
        #expect(slideshow.timeout(NextItem(remaining: [.titled("a")])) == nil)
    }

    @Test("A time limit ends an item of a feed when the next one is ready, and of a list at once")
    func timeLimit() throws {
        let start = "start → find next\nfound a → open a\n"
        try checkSlideshow(feed(), start + "time searching → continues\ntime empty → continues\ntime ready → ends")
        try checkSlideshow(Playlist(search: .silent), start + "time searching → ends")
    }

    @Test("Ctrl-R loads a GIF again, but not standard input")
    func reload() throws {
        let result = Playlist(results: [.titled("a")])
        try checkSlideshow(result, "start → find next of a\nfound a → open a\nreload → find of a")
        try checkSlideshow(Playlist(listed: [.standardInput]), "start → open standard input\nreload → again")
    }

    @Test("The gallery interrupts a wait, which goes on after it; a failure, a signal and a hang-up are the end")
    func gallery() throws {
        let start = "start → find next\nwait / → browse\n"
        try checkSlideshow(Playlist(search: .silent), start + "gallery quit → find next\nfound a → open a")
        try checkSlideshow(Playlist(search: .silent), start + "gallery signal → end interrupted(signal: 15)")
        try checkSlideshow(
            Playlist(search: .silent), start + "gallery closed → end closed\nwait signal → end interrupted*")
        try checkSlideshow(files("a"), "start → open a\n/ → browse\nrefused → end quit", messages: ["no gallery"])
    }

    @Test("The damage of a file that plays twice is reported once, and does not change the exit status")
    func damage() throws {
        try checkSlideshow(
            files("a b"), "start → open a\nfinished then damaged → open b\np then damaged → open a\nn then damaged → *",
            messages: ["a: damaged", "b: damaged"], status: .success)
    }
}
