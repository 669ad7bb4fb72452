import Catalog
import Gallery
import LoadingSupport
import Playback
import TestSupport
import Testing

@testable import Application

@Suite("Slideshow", .timeLimit(.minutes(5)))
struct SlideshowTests {
    private static let samples = Array(Sample.all.prefix(3))
    private static let sampleTitles = samples.map(\.title)
    private static let titles = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    /// Two frames of 100 ms each.
    private static let twoFrames = GIFBuilder(width: 8, height: 8)
        .frame(1, delay: 10, width: 8, height: 8).frame(2, delay: 10, width: 8, height: 8)

    private func references(_ titles: String...) -> [GIFReference] { titles.map { .titled($0) } }

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

    @Test("A missing file of a list is skipped and reported at the end, and the exit status indicates a failure")
    func missingFile() async throws {
        let list = Playlist(
            listed: [.sample(Self.samples[0]), .file("/nonexistent/gone.gif"), .sample(Self.samples[1])])
        let session = SlideshowSession(options: ["--every", "1s"], script: [.key("q", at: 60_000)])
        let run = try await session.play(list, titles: Self.sampleTitles)
        #expect(run.titles == Array(Self.sampleTitles.prefix(2)))
        #expect(run.status == .failure && run.messages.count == 1)
        #expect(run.messages.first?.hasPrefix("/nonexistent/gone.gif: ") == true)
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

    @Test("Failing results are skipped; the key 'n' opens the next page or, at the end, repeats the last result")
    func results() async throws {
        var session = SlideshowSession(loader: loader(["beta", "gamma"]))
        session.script = [.key("n", at: 50), .key("n", at: 500), .key("q", at: 9_000)]
        let search = SearchLoop.results(references("alpha", "beta"), references("gamma"))
        let run = try await session.play(Playlist(search: search), titles: Self.titles)
        #expect(run.titles == ["beta", "gamma"] && session.loader.requested.count == 3)
        #expect(run.status == .success && run.messages.isEmpty)
        // The last result plays again from its first frame, and its last frame is held again.
        #expect(run.milliseconds == 9_000 && run.text.components(separatedBy: "played 1 of 1").count == 3)
    }

    @Test("If no result can be played, all failures are reported")
    func allResultsFail() async throws {
        let search = SearchLoop.results(references("alpha", "beta"))
        let run = try await SlideshowSession().play(Playlist(search: search), titles: Self.titles)
        #expect(run.status == .failure && run.titles.isEmpty)
        #expect(run.messages == ["alpha: no response", "beta: no response"])
    }

    @Test("A random feed plays the next GIF after each interval and skips failing items without a report")
    func feed() async throws {
        var session = SlideshowSession(
            options: ["--every", "2s"], loader: loader(Self.titles.filter { $0 != "beta" }))
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
            (.key(.character("q")), [], .success),
            (.key(.character("/")), ["--screensaver"], .success),
            (.key(.left), ["--screensaver"], .success), (.key(.control("c")), [], .signal(2)),
            (.key(.control("c")), ["--screensaver"], .signal(2)), (.signal(15), [], .signal(15)),
            (.closed, [], .signal(1)),
        ]
        for (event, options, status) in cases {
            let session = SlideshowSession(
                options: options, script: [.at(500, event)], waitsForSearches: false)
            let list =
                isLoading
                ? Playlist(search: .silent)
                : Playlist(listed: [.sample(Self.samples[0])])
            let run = try await session.play(list, titles: Self.sampleTitles)
            #expect(run.status == status && run.milliseconds == 500 && run.messages.isEmpty, "\(event) \(options)")
            #expect(run.titles.isEmpty == isLoading)
        }
    }

    @Test("A result that turns out to be a still is skipped without a message")
    func still() async throws {
        let still = GIFBuilder(width: 8, height: 8).frame(1, delay: 10, width: 8, height: 8).trailer().bytes
        let loader = LoaderDouble([
            GIFReference.url(titled: "alpha"): .bytes(still),
            GIFReference.url(titled: "beta"): .bytes(Self.twoFrames.trailer().bytes),
        ])
        let run = try await SlideshowSession(loader: loader, script: [.key("q", at: 9_000)])
            .play(Playlist(results: references("alpha", "beta")), titles: Self.titles)
        #expect(run.titles.last == "beta" && run.status == .success && run.messages.isEmpty)
    }

    @Test("If there is no result, the failures of the sources are reported")
    func failingSources() async throws {
        let giphy = ServiceChain([.init(RepositoryDouble("giphy", [.failure(.outage)]))])
        let list = Playlist(search: giphy.results(of: SearchQuery("cat")))
        let run = try await SlideshowSession().play(list, titles: [])
        #expect(run.messages == ["giphy: reported an outage"] && run.status == .failure)
    }

    @Test("The keys 'p' and 'n' switch to the results before and after the chosen one")
    func chosenResult() async throws {
        var session = SlideshowSession(options: ["--loop", "forever"], loader: loader(["alpha", "beta", "gamma"]))
        session.script = [.key("p", at: 500), .key("n", at: 1_000), .key("n", at: 1_500), .key("q", at: 2_000)]
        let search = SearchLoop.results(references("alpha", "beta", "gamma"))
        let list = Playlist(search: search, choice: .number(2))
        let run = try await session.play(list, titles: Self.titles)
        #expect(run.titles == ["beta", "alpha", "beta", "gamma"] && run.status == .success)
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

    @Test("The damage of a file that plays twice is reported once")
    func repeatedDamage() async throws {
        let url = "https://a.example/cut.gif"
        let session = SlideshowSession(
            options: ["--loop", "1"], loader: LoaderDouble([url: .bytes(Self.twoFrames.dropping(last: 8).bytes)]))
        let run = try await session.play(Playlist(listed: [.address(url), .address(url)]), titles: [])
        #expect(session.loader.requested.count == 2 && run.messages.count == 1 && run.status == .success)
    }

    @Test("The key '/' opens the gallery, and playback continues with the same GIF when the user leaves it")
    func gallery() async throws {
        var session = SlideshowSession()
        session.script = [.key("n", at: 300), .key("/", at: 500), .key("/", at: 600), .key("q", at: 800)]
        let run = try await session.play(Playlist(listed: Self.samples.map { .sample($0) }), titles: Self.sampleTitles)
        #expect(run.titles == Array(Self.sampleTitles.prefix(2)) && run.galleries == 2 && run.milliseconds == 800)
        #expect(run.status == .success && run.messages == Array(repeating: "message of the gallery", count: 2))
    }

    @Test("The key '/' opens the gallery during a wait, and the wait continues when the user leaves it")
    func galleryDuringWait() async throws {
        let session = SlideshowSession(script: [.key("/", at: 500), .key("q", at: 900)], waitsForSearches: false)
        let run = try await session.play(Playlist(search: .silent), titles: [])
        #expect(run.galleries == 1 && run.milliseconds == 900 && run.status == .success)
    }

    @Test(
        "If the gallery ends by a signal or with the terminal, or cannot be opened, the slideshow ends too",
        arguments: [
            (.interrupted(signal: 15), .signal(15), "message of the gallery"),
            (.closed, .signal(1), "message of the gallery"), (nil, .failure, "no gallery"),
        ] as [(GalleryEnd?, Application.ExitStatus, String)])
    func galleryEnds(end: GalleryEnd?, status: Application.ExitStatus, message: String) async throws {
        let session = SlideshowSession(script: [.key("/", at: 500)], galleryEnd: end)
        let run = try await session.play(Playlist(listed: [.sample(Self.samples[0])]), titles: Self.sampleTitles)
        #expect(run.status == status && run.messages == [message] && run.milliseconds == 500)
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
}
