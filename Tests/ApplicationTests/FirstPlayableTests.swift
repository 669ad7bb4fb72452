import Base
import Catalog
import LoadingSupport
import Testing

@testable import Application

@Suite("First playable item", .timeLimit(.minutes(5)))
struct FirstPlayableTests {
    /// Timers that never fire.
    private static let patient = HedgedAttempts { _ in
        await waitUntilCancelled()
        throw CancellationError()
    }
    private static let still = LoaderDouble.Response.failure(
        CommandError("not animated", mediaFailure: .notAnimated))

    private func items(_ titles: String..., from provider: String = "commons") -> [PlayItem] {
        titles.map { PlayItem(.titled($0, from: provider)) }
    }

    /// A loader that delivers the files of these titles.
    private func loader(_ titles: String...) -> LoaderDouble {
        let responses = titles.map { (GIFReference.url(titled: $0), LoaderDouble.Response.bytes([1])) }
        return LoaderDouble(Dictionary(uniqueKeysWithValues: responses))
    }

    private func find(
        _ candidates: [PlayItem], _ loader: LoaderDouble, _ stream: StreamDouble? = nil, choice: ResultChoice = .first
    ) async -> NextItem {
        await NextItemFinder(candidates: candidates, stream: stream, choice: choice, hedge: Self.patient)
            .run(loader)
    }

    @Test("A local item needs no download")
    func local() async {
        let loader = loader()
        let next = await find([.file("/a.gif")] + items("b"), loader)
        #expect(next.fetched?.item.name == "/a.gif" && loader.requested.isEmpty)
        #expect(next.remaining.map(\.name) == ["b"])
    }

    @Test("An item without a file is reported and skipped")
    func noFile() async {
        var empty = GIFReference.titled("empty")
        empty.renditions = []
        let next = await find([.reference(empty)] + items("b"), loader("b"))
        #expect(next.fetched?.item.name == "b" && next.failures == ["empty: no file"])
    }

    @Test("After nine failed files, the stream provides an item that needs no network")
    func attemptLimit() async {
        let stream = StreamDouble([CandidateBatch(items: [.sample(Sample.all[0])])])
        let loader = loader()
        let candidates =
            items("a", "b", "c", "d", from: "giphy") + items("e", "f", "g", "h") + items("i", "j", from: "openverse")
        let next = await find(candidates, loader, stream)
        #expect(next.fetched?.item.name == Sample.all[0].name && next.fetched?.reason == "a: no response")
        #expect(loader.requested.count == 9)
        #expect(await stream.spentBudgets == [true])
        #expect(next.remaining.map(\.name) == ["j"])
    }

    @Test("When no other item is left, the items of a failing source are tried once more")
    func deferred() async {
        let loader = loader("e")
        let next = await find(items("a", "b", "c", "d", "e"), loader)
        #expect(next.fetched?.item.name == "e" && loader.requested.count == 5 && next.remaining.isEmpty)
    }

    @Test("If a source cannot tell which of its files are animated, a still image is not a failure of the source")
    func stills() async {
        var references = ["a", "b", "c", "d", "e", "f"].map { GIFReference.titled($0) }
        for index in references.indices { references[index].renditions[0].mayBeStill = true }
        var responses = Dictionary(uniqueKeysWithValues: references.map { ($0.renditions[0].url, Self.still) })
        responses[references[5].renditions[0].url] = .bytes([1])
        let loader = LoaderDouble(responses)
        let next = await find(references.map { PlayItem($0) } + items("other", from: "openverse"), loader)
        #expect(next.fetched?.item.name == "f" && loader.requested.count == 6)
        #expect(next.failures == ["not animated"])
    }

    @Test("Duplicates and the chosen GIF are removed from the list")
    func duplicates() async {
        let next = await find(items("a", "a", "b", "b"), loader("a"))
        #expect(next.fetched?.item.name == "a" && next.remaining.map(\.name) == ["b"])
    }

    @Test(
        "A random choice skips the items before the chosen one and leaves later ones in the list", arguments: 1...10)
    func anyItem(run: Int) async {
        let titles = ["a", "b", "c", "d"]
        let next = await find(items("a", "b", "c", "d"), loader("a", "b", "c", "d"), choice: .any)
        let chosen = next.fetched.map { [$0.item.name] } ?? []
        #expect(next.skipped.map(\.name) + chosen + next.remaining.map(\.name) == titles && !chosen.isEmpty)
    }

    @Test("If the list is empty, a random choice is made from the first batch of the stream")
    func anyOfBatch() async {
        let stream = StreamDouble([CandidateBatch(items: items("a")), CandidateBatch(items: items("b"))])
        let next = await find([], loader("a", "b"), stream, choice: .any)
        #expect(next.fetched?.item.name == "a")
        #expect(await stream.spentBudgets.count == 1)
    }

    @Test("Further pages are loaded to find the result with the chosen number, and only this result is fetched")
    func number() async {
        let stream = StreamDouble([CandidateBatch(items: items("a")), CandidateBatch(items: items("b"))])
        let loader = loader("a", "b")
        let next = await find([], loader, stream, choice: .number(2))
        #expect(next.fetched?.item.name == "b" && loader.requested == [GIFReference.url(titled: "b")])
    }

    @Test(
        "At most two downloads run at the same time: the oldest silent one is cancelled; after 10 s, a sample is used")
    func twoDownloads() async {
        let clock = VirtualClock()
        let urls = ["a", "b", "c", "d"].map(GIFReference.url)
        let loader = LoaderDouble(
            Dictionary(uniqueKeysWithValues: urls.map { ($0, LoaderDouble.Response.silence) }),
            health: SourceHealth(now: { clock.now }))
        let stream = StreamDouble([CandidateBatch(items: [.sample(Sample.all[0])])], hasAlternatives: true)
        let finder = NextItemFinder(
            candidates: items("a", "b", "c", "d"), stream: stream,
            // No multiple of this time is 10 s. Otherwise, two events at 10 s could come in either order.
            hedge: HedgedAttempts(silence: .milliseconds(2_600), wait: clock.wait))
        let search = Task { await finder.run(loader) }
        await clock.advance(to: .milliseconds(2_599), timers: 2)
        #expect(loader.requested == [urls[0]])
        for (milliseconds, count) in [(2_600, 2), (5_200, 3), (7_800, 4)] {
            await clock.advance(to: .milliseconds(milliseconds), timers: 2)
            while loader.requested.count < count || loader.waiting.count > 2 { await Task.yield() }
            #expect(loader.requested == Array(urls.prefix(count)))
            #expect(loader.waiting.isSubset(of: urls.prefix(count).suffix(2)))
        }
        await clock.advance(to: .seconds(10), timers: 2)
        let next = await search.value
        #expect(next.fetched?.item.name == Sample.all[0].name && loader.requested == urls)
        #expect(next.failures == ["a", "b", "c", "d"].map { "\($0).example sent no data" })
        #expect(Set(next.remaining.map(\.name)) == ["a", "b", "c", "d"])
        #expect(loader.health.coolDownMessage(of: urls[0]) == "a.example sent no data")
    }

    @Test("A cancelled search ends, and its items stay in the list")
    func cancelled() async {
        let loader = LoaderDouble([GIFReference.url(titled: "slow"): .silence])
        let candidates = items("slow", "later")
        let task = Task { await find(candidates, loader) }
        task.cancel()
        let next = await task.value
        #expect(next.fetched == nil)
        #expect(Set(next.remaining.map(\.name)) == ["slow", "later"])
    }

    @Test("An attempt that has received no data is silent, and it has stalled when the given time has passed")
    func attempt() async {
        let item = PlayItem(.titled("a"))
        let begun = ContinuousClock.now
        let attempt = MediaAttempt(MediaFile(item, url: GIFReference.url(titled: "a")), begun: begun)
        #expect(attempt.isSilent && attempt.hasStalled(for: .seconds(2), at: begun + .seconds(2)))
        #expect(!attempt.hasStalled(for: .seconds(2), at: begun + .milliseconds(1_999)))
        guard case .success(let fetched) = await attempt.run(loader("a"), needsAllBytes: true, startRetries: 1) else {
            Issue.record("the file was not fetched")
            return
        }
        #expect(fetched.item.name == "a")
        guard case .failure(let error) = await attempt.run(loader(), needsAllBytes: true, startRetries: 1) else {
            Issue.record("a missing file was fetched")
            return
        }
        #expect(error.message == "a: no response")
    }
}
