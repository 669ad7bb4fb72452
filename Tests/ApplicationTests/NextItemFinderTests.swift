import Base
import Catalog
import Fetching
import LoadingSupport
import Testing

@testable import Application

@Suite("Next item", .timeLimit(.minutes(5)))
struct NextItemFinderTests {
    /// Timers that never fire.
    private static let patient = HedgedAttempts { _ in
        await waitUntilCancelled()
        throw CancellationError()
    }
    /// Timers that fire immediately.
    private static let impatient = HedgedAttempts(silence: .zero) { _ in }

    private func items(_ titles: String..., from provider: String = "commons") -> [PlayItem] {
        titles.map { PlayItem(.titled($0, from: provider)) }
    }

    /// Returns a loader that delivers the files with these titles. It sends no data for the files in `silent`.
    private func loader(_ titles: String..., silent: [String] = [], stored: [String] = []) -> LoaderDouble {
        var responses: [String: LoaderDouble.Response] = [:]
        for title in titles { responses[GIFReference.url(titled: title)] = .bytes([1]) }
        for title in silent { responses[GIFReference.url(titled: title)] = .silence }
        return LoaderDouble(responses, stored: Set(stored.map { GIFReference.url(titled: $0) }))
    }

    private func find(
        _ candidates: [PlayItem], _ loader: LoaderDouble, _ stream: StreamDouble? = nil, choice: ResultChoice = .first,
        hedge: HedgedAttempts = Self.patient
    ) async -> NextItem {
        await NextItemFinder(candidates: candidates, stream: stream, choice: choice, hedge: hedge).run(loader)
    }

    @Test("The first playable item is chosen; failures are reported and later items stay in the list")
    func first() async {
        let next = await find(items("a", "b", "c"), loader("b", "c"))
        #expect(next.fetched?.item.name == "b")
        #expect(next.failures == ["a: no response"])
        #expect(next.remaining.map(\.name) == ["c"] && next.skipped.isEmpty && next.candidates == 3)
    }

    @Test("If no item can be played, all failures are reported")
    func none() async {
        let stream = StreamDouble([CandidateBatch(items: items("b"), failures: ["giphy: down"])])
        let next = await find(items("a"), loader(), stream)
        #expect(next.fetched == nil && next.remaining.isEmpty)
        #expect(next.failures == ["a: no response", "giphy: down", "b: no response"])
    }

    @Test("If the thumbnail is a still, the original is tried; if the original is a still, the next item is tried")
    func stills() async {
        let still = LoaderDouble.Response.failure(CommandError("x: not animated", mediaFailure: .notAnimated))
        var reference = GIFReference.titled("x")
        reference.renditions = [Rendition(url: "thumbnail", mayBeStill: true), Rendition(url: "original")]
        let thumbnail = LoaderDouble(["thumbnail": still, "original": .bytes([1])])
        #expect(await find([PlayItem(reference)], thumbnail).fetched != nil)
        #expect(thumbnail.requested == ["thumbnail", "original"])
        reference.renditions.reverse()
        let original = LoaderDouble(["original": still, "thumbnail": .bytes([1])])
        let next = await find([PlayItem(reference)], original)
        #expect(next.fetched == nil && next.failures == ["x: not animated"] && original.requested == ["original"])
    }

    @Test("After four failures of a source, its other items are tried only after the items of the other sources")
    func failingSource() async {
        let loader = loader("f", "other")
        let next = await find(
            items("a", "b", "c", "d", "e", "f") + items("other", from: "openverse"), loader)
        #expect(next.fetched?.item.name == "other" && loader.requested.count == 5)
        #expect(next.remaining.map(\.name) == ["e", "f"])
    }

    @Test("If no item is left, the stream is asked for more items, but not from failing sources")
    func pages() async {
        let stream = StreamDouble([CandidateBatch(items: items("e", from: "openverse"))])
        let loader = loader("e")
        let next = await find(items("a", "b", "c", "d"), loader, stream)
        #expect(next.fetched?.item.name == "e")
        #expect(!loader.health.isUsable(.files("commons")) && loader.health.isUsable(.files("openverse")))
        #expect(await stream.spentBudgets == [false])
    }

    @Test("A result that the user chose is not replaced by another one", arguments: [true, false])
    func number(isPlayable: Bool) async {
        let stream = StreamDouble([CandidateBatch(items: items("a", "b")), CandidateBatch(items: items("c", "d"))])
        let next = await find([], isPlayable ? loader("c", "d") : loader("d"), stream, choice: .number(3))
        #expect(next.fetched?.item.name == (isPlayable ? "c" : nil))
        #expect(next.skipped.map(\.name) == ["a", "b"] && next.remaining.map(\.name) == ["d"])
        #expect(next.failures == (isPlayable ? [] : ["c: no response"]))
    }

    @Test("A chosen number beyond the last result is reported")
    func numberTooLarge() async {
        let next = await find(
            [], loader("a"), StreamDouble([CandidateBatch(items: items("a", "b"))]),
            choice: .number(9))
        #expect(next.fetched == nil && next.failures == ["--pick 9: there are only 2 results"])
    }

    @Test("If a file sends no data, its host is avoided, its result stays in the list, and the next result is chosen")
    func silence() async {
        let loader = loader("fast", silent: ["slow"])
        let next = await find(items("slow", "fast"), loader, StreamDouble(), hedge: Self.impatient)
        #expect(next.fetched?.item.name == "fast" && next.remaining.map(\.name) == ["slow"])
        #expect(loader.health.coolDownMessage(of: GIFReference.url(titled: "slow")) == "slow.example sent no data")
    }

    @Test("A host in cool-down is not queried, but a cached file from this host is chosen", arguments: [true, false])
    func coolDown(isStored: Bool) async {
        let loader = loader("a", "b", stored: isStored ? ["a"] : [])
        loader.health.recordFailure(.status(429, host: "a.example"), of: GIFReference.url(titled: "a"))
        let next = await find(items("a") + items("b", from: "openverse"), loader)
        #expect(next.fetched?.item.name == (isStored ? "a" : "b"))
        #expect(next.remaining.map(\.name) == (isStored ? ["b"] : ["a"]) && next.failures.isEmpty == isStored)
    }

    @Test("If no data arrives within the time budget, a built-in sample is chosen, and its label states the reason")
    func budget() async {
        let stream = StreamDouble([CandidateBatch(items: [.sample(Sample.all[0])])], hasAlternatives: true)
        // Only the timer of the budget fires.
        let hedge = HedgedAttempts(silence: .seconds(2)) { span in
            guard span < .seconds(5) else { return }
            await waitUntilCancelled()
            throw CancellationError()
        }
        let next = await find(items("slow"), loader(silent: ["slow"]), stream, hedge: hedge)
        #expect(next.fetched?.item.name == Sample.all[0].name)
        #expect(next.fetched?.label(in: .english).detail == "built-in; slow.example sent no data")
        #expect(await stream.spentBudgets == [true])
    }
}
