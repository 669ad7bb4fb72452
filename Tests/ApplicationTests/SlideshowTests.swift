import Base
import Catalog
import Gallery
import LoadingSupport
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Slideshow", .timeLimit(.minutes(5)))
struct SlideshowTests {
    private static let samples = Array(Sample.all.prefix(3))
    private static let sampleTitles = samples.map(\.title)
    private static let titles = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    private static let twoFrames = GIFBuilder.square(1, 2, side: 8)

    /// Keeps the order of the titles: the ranking of a query would change it.
    private func feed(_ feed: FeedDouble, _ session: SlideshowSession) -> Playlist {
        Playlist(feed: feed, health: session.loader.health)
    }

    /// A loader that delivers an animation for each of these titles.
    private func loader(_ titles: some Sequence<String>) -> LoaderDouble {
        let bytes = LoaderDouble.Response.bytes(Self.twoFrames.trailer().bytes)
        return LoaderDouble(Dictionary(uniqueKeysWithValues: titles.map { (GIFReference.url(titled: $0), bytes) }))
    }

    @Test("With a single item, 'n' and 'p' report that there is no other, and 'r' plays random GIFs")
    func singleItem() async throws {
        var session = SlideshowSession()
        let keys = ["n", "p", "r", "r", "r", "q"].enumerated()
        session.script = keys.map { .key(Character($0.element), at: Int64($0.offset + 1) * 100) }
        let single = Playlist(listed: [.sample(Self.samples[0])])
        let run = try await session.play(single, titles: Sample.all.map(\.title))
        #expect(run.text.contains("no other GIF · r: random GIF") && run.titles.first == Self.sampleTitles[0])
        // Of three random samples, at most one is the same as the first.
        #expect(Set(run.titles).count >= 2 && run.status == .success && run.milliseconds == 600)
    }

    @Test("A damaged file plays, and the damage is reported but does not change the exit status")
    func damage() async throws {
        let url = "https://a.example/cut.gif"
        let session = SlideshowSession(
            loader: LoaderDouble([url: .bytes(Self.twoFrames.dropping(last: 8).bytes)]),
            script: [.key(" ", at: 1_000), .key("q", at: 9_000)])
        let run = try await session.play(Playlist(listed: [.address(url)]), titles: ["cut.gif"])
        #expect(run.titles == ["cut.gif"] && run.status == .success)
        #expect(run.text.contains("damaged played 1 of 1 · space replays"))
        #expect(run.messages.count == 1 && run.messages.first?.hasPrefix("\(url): damaged: ") == true)
    }

    @Test("A random feed plays the next GIF after each interval and skips failing items without a report")
    func feed() async throws {
        var session = SlideshowSession(options: ["--every", "2s"], loader: loader(Self.titles.filter { $0 != "beta" }))
        session.script = [.key("q", at: 7_000)]
        let feed = FeedDouble(Self.titles)
        let run = try await session.play(self.feed(feed, session), titles: Self.titles)
        #expect(run.titles == ["alpha", "gamma", "delta", "epsilon"])
        #expect(run.status == .success && run.messages.isEmpty)
    }

    @Test("If the first item of a random feed is late, a built-in sample plays until it arrives")
    func placeholder() async throws {
        var session = SlideshowSession(options: ["--every", "2s"], waitsForSearches: false)
        session.script = [.key("q", at: 9_000)]
        let feed = FeedDouble(isSilent: true)
        let run = try await session.play(self.feed(feed, session), titles: Sample.all.map(\.title))
        #expect(run.text.contains("looking around…") && !run.titles.isEmpty)
        #expect(run.status == .success && run.milliseconds == 9_000)
    }

    @Test("With '--duration', each item ends after this duration")
    func duration() async throws {
        let session = SlideshowSession(options: ["--duration", "1s", "--loop", "forever"])
        let run = try await session.play(Playlist(listed: Self.samples.map { .sample($0) }), titles: Self.sampleTitles)
        #expect(run.titles == Self.sampleTitles && run.milliseconds == 3_000 && run.status == .success)
    }

    @Test("Keys and signals end the slideshow while a GIF plays and while a GIF loads", arguments: [true, false])
    func endings(isLoading: Bool) async throws {
        let cases: [(TerminalEvent, [String], Application.ExitStatus)] = [
            (.key(.character("q")), [], .success), (.key(.character("/")), ["--screensaver"], .success),
            (.key(.left), ["--screensaver"], .success), (.key(.control("c")), [], .signal(2)),
            (.key(.control("c")), ["--screensaver"], .signal(2)), (.signal(15), [], .signal(15)),
            (.closed, [], .signal(1)),
        ]
        for (event, options, status) in cases {
            let session = SlideshowSession(options: options, script: [.at(500, event)], waitsForSearches: false)
            let list = isLoading ? Playlist(search: .silent) : Playlist(listed: [.sample(Self.samples[0])])
            let run = try await session.play(list, titles: Self.sampleTitles)
            #expect(run.status == status && run.milliseconds == 500 && run.messages.isEmpty, "\(event) \(options)")
            #expect(run.titles.isEmpty == isLoading)
        }
    }

    @Test("After 'p' in a random feed, 'n' shows the same GIF again, and 'r' shows one that was not shown yet")
    func unshown() async throws {
        var session = SlideshowSession(loader: loader(Self.titles))
        session.script = zip("nnppnpr", 1...).map { .key($0, at: 500 * Int64($1)) } + [.key("q", at: 4_000)]
        let feed = FeedDouble(Self.titles)
        let run = try await session.play(self.feed(feed, session), titles: Self.titles)
        #expect(run.titles == ["alpha", "beta", "gamma", "beta", "alpha", "beta", "alpha", "delta"])
        // The prefetched GIF was not fetched again.
        #expect(session.loader.requested.count { $0 == GIFReference.url(titled: "delta") } == 1)
    }

    @Test("Without a connection, a random feed says that 'r' tries again, and the key makes the next attempt at once")
    func connection() async throws {
        let health = SourceHealth()
        var session = SlideshowSession(loader: loader(Self.titles))
        session.script = [.key("r", at: 2_000), .key("q", at: 3_000)]
        let feed = FeedDouble(Self.titles, retryTime: health.now() + .seconds(600))
        let run = try await session.play(self.feed(feed, session), titles: Self.titles)
        #expect(run.text.contains("no network; r tries again") && run.titles == ["alpha", "beta"])
        #expect(feed.retryCount == 1)
    }

    @Test("The key '/' opens the gallery, and playback continues with the same GIF when the user leaves it")
    func gallery() async throws {
        var session = SlideshowSession()
        session.script = [.key("n", at: 300), .key("/", at: 500), .key("/", at: 600), .key("q", at: 800)]
        let run = try await session.play(Playlist(listed: Self.samples.map { .sample($0) }), titles: Self.sampleTitles)
        #expect(run.titles == Array(Self.sampleTitles.prefix(2)) && run.galleries == 2 && run.milliseconds == 800)
        #expect(run.status == .success && run.messages == Array(repeating: "message of the gallery", count: 2))
    }

    @Test("A search that takes long shows the waiting text, except with '--bare'", arguments: [true, false])
    func waitingText(isBare: Bool) async throws {
        let session = SlideshowSession(
            options: isBare ? ["--bare"] : [], script: [.key("q", at: 500)], waitsForSearches: false)
        let list = Playlist(search: .silent)
        let run = try await session.play(list, titles: [])
        #expect(run.text.contains("looking for “cat”…") != isBare && run.status == .success)
    }

    @Test("With '--bare', neither the title nor a hint is displayed")
    func bare() async throws {
        let session = SlideshowSession(options: ["--bare", "--loop", "1"])
        let run = try await session.play(Playlist(listed: [.sample(Self.samples[0])]), titles: Self.sampleTitles)
        #expect(run.titles.isEmpty && !run.text.isEmpty && run.status == .success)
    }

    @Test("If the gallery that was opened from the player could not store marks, the exit status is 1")
    func exitStatus() async throws {
        var session = SlideshowSession(script: [.key("/", at: 500), .key("q", at: 800)])
        session.losses = [Failure("not stored: 1 favourite")]
        let run = try await session.play(Playlist(listed: [.sample(Sample.all[0])]), titles: [])
        #expect(run.status == .failure && run.messages == ["not stored: 1 favourite", "message of the gallery"])
    }
}

@Suite("GIFs whose last frame a slideshow holds", .timeLimit(.minutes(5)))
struct HeldItemTests {
    @Test("A still that the user named is displayed until a key ends the slideshow; with '--loop 1', it ends by itself")
    func heldStill() async throws {
        let url = "https://a.example/still.gif"
        let still = GIFBuilder.square(1, side: 8).trailer().bytes
        var session = SlideshowSession(loader: LoaderDouble([url: .bytes(still)]))
        session.script = [.key("q", at: 5_000)]
        let held = try await session.play(Playlist(listed: [.address(url)]), titles: [])
        #expect(held.status == .success && held.milliseconds == 5_000 && held.messages.isEmpty)
        session.options = ["--loop", "1"]
        let once = try await session.play(Playlist(listed: [.address(url)]), titles: [])
        #expect(once.status == .success && once.milliseconds < 5_000 && once.messages.isEmpty)
    }

    @Test("The last GIF of a list holds its last frame, also if the files after it cannot be opened")
    func heldLast() async throws {
        let urls = ["a", "b"].map { "https://a.example/\($0).gif" }
        let bytes = LoaderDouble.Response.bytes(GIFBuilder.square(1, 2, side: 8).trailer().bytes)
        var session = SlideshowSession(loader: LoaderDouble([urls[0]: bytes, urls[1]: bytes]))
        session.script = [.key("q", at: 9_000)]
        let lists = [(GIFReference.address(urls[1]), ["a.gif", "b.gif"]), (.file("/nonexistent/gone"), ["a.gif"])]
        for (last, titles) in lists {
            let run = try await session.play(Playlist(listed: [.address(urls[0]), last]), titles: ["a.gif", "b.gif"])
            #expect(run.titles == titles)
            #expect(run.milliseconds == 9_000 && run.text.components(separatedBy: "played 1 of 1").count == 2)
        }
        for options in [["--loop", "1"], ["--duration", "5s"], ["--inline"], ["--screensaver"]] {
            session.options = options
            let run = try await session.play(Playlist(listed: urls.map { .address($0) }), titles: [])
            #expect(run.milliseconds == 400 && run.status == .success, "\(options)")
        }
    }
}

/// Plays in both languages, as the locale says, and compares the texts on the screen.
@Suite("The player in German", .timeLimit(.minutes(5)))
struct GermanPlayerTests {
    private func texts(
        _ list: @autoclosure () -> Playlist, _ script: [VirtualTerminal.ScriptedEvent], waits: Bool = true
    ) async throws -> (english: Set<String>, german: Set<String>) {
        var texts: [Set<String>] = []
        for locale in ["en_GB.UTF-8", "de_DE.UTF-8"] {
            let session = SlideshowSession(script: script, environment: ["LANG": locale], waitsForSearches: waits)
            let text = try await session.play(list(), titles: []).text
            texts.append(words(text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: " ")))
        }
        return (texts[0], texts[1])
    }

    @Test("The status line, the help and the outcomes of keys have no English text")
    func playback() async throws {
        let sample = Sample.all[0]
        let keys = "?x+ n.y".enumerated().map { VirtualTerminal.ScriptedEvent.key($1, at: 300 + 300 * Int64($0)) }
        let (english, german) = try await texts(Playlist(listed: [.sample(sample)]), keys + [.key("q", at: 9_000)])
        #expect(english.isSuperset(of: ["keys", "quit", "built", "other", "page"]))
        #expect(german.isSuperset(of: ["Tasten", "beenden", "eingebaut", "anderes", "Seite"]))
        #expect(english.intersection(german).subtracting(words(sample.title)).subtracting(["Esc", "GIF"]).isEmpty)
    }

    @Test("The reasons why a file is not followed have no English text")
    func followed() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("text".utf8), to: "a.gif")
        try folder.write(Array("GIF89a".utf8), to: "b.gif")
        let problems = [
            FollowedGIF.awaited(in: "a"), FollowedGIF.problem(of: folder.path + "/a.gif", DecodeLimits()),
            FollowedGIF.problem(of: folder.path + "/b.gif", DecodeLimits()),
            FollowedGIF.problem(of: folder.path + "/b.gif", isClosed: false, DecodeLimits()),
            FollowedGIF.problem(of: folder.path, DecodeLimits()),
            FollowedGIF.problem(of: "https://a", DecodeLimits()),
        ]
        for problem in try problems.map({ try #require($0) }) {
            let (english, german) = (words(Language.english.line(problem)), words(Language.german.line(problem)))
            let names = words(folder.path).union(["GIF", "a", "b", "gif", "follow", "in", "https"])
            #expect(english.intersection(german).isSubset(of: names), "\(english) \(german)")
        }
    }

    @Test("The texts of a wait have no English text")
    func waits() async throws {
        for (locale, texts) in [("C.UTF-8", ["loading cat…", "loading…"]), ("de_DE.UTF-8", ["lädt cat …", "lädt …"])] {
            let settings = try Settings(Invocation([]), environment: ["LANG": locale])
            var slideshow = Slideshow(Playlist(listed: [.titled("cat")]), settings)
            _ = slideshow.next(after: .begun)
            #expect([[.titled("cat")], []].map { slideshow.waitingText(NextItem(remaining: $0), nil) } == texts)
        }
        let health = SourceHealth()
        #expect(SearchLoop.silent.waitingText(in: .german) == "suche „cat“ …")
        let random = RandomFeed(RepositoryDouble(), health: health, reconnects: true)
        #expect(random.waitingText(in: .german) == "suche ein GIF …")
    }

    @Test("Notices and the outcomes of link actions have no English text")
    func notices() {
        for notice in [Notices.Notice.keyRefused(variable: "KEY"), .contactRequired, .noConnection] {
            let english = words(Language.english.statusNote(notice))
            let german = words(Language.german.statusNote(notice))
            #expect(english.intersection(german).isSubset(of: ["KEY", "contact", "Wikimedia"]))
        }
    }
}
