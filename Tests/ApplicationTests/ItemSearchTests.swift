import Catalog
import LoadingSupport
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Search for an item", .timeLimit(.minutes(5)))
struct ItemSearchTests {
    private static let animation = GIFBuilder(width: 2, height: 2)
        .frame(1, delay: 10, width: 2, height: 2).frame(2, delay: 10, width: 2, height: 2).trailer().bytes

    private func loader(_ bytes: [UInt8]) -> LoaderDouble {
        LoaderDouble([GIFReference.url(titled: "cat"): .bytes(bytes)])
    }

    /// Starts to prefetch the first item that is playable, and returns when an item is ready or all have failed.
    private func prefetch(_ titles: String..., loader: LoaderDouble, failure: GIFError? = nil) async -> ItemSearch {
        let (wakes, wake) = AsyncStream<Void>.makeStream()
        let prefetch = ItemSearch(
            ItemRequest(candidates: titles.map { GIFReference.titled($0) }), after: nil, loader: loader,
            work: ImmediateWork(failure: failure) { wake.finish() }, .file)
        for await _ in wakes {}
        return prefetch
    }

    @Test("If no download is running, the search starts immediately, and the found item is opened on request")
    func found() async {
        let prefetch = await prefetch("gone", "cat", loader: loader(Self.animation))
        #expect(prefetch.nextItem?.fetched?.item.name == "cat" && prefetch.openItem == nil)
        #expect(prefetch.nextItem?.failures.map(\.message) == ["gone: no response"])
        #expect(prefetch.state == .ready)
        guard case .success(let item)? = prefetch.openItem, case .frame = item.source.next() else {
            Issue.record("the item has no frame")
            return
        }
        #expect(item.item.name == "cat")
    }

    @Test("An item that cannot be opened counts as ready, so its failure is reported immediately")
    func failure() async {
        let prefetch = await prefetch("cat", loader: loader(Self.animation), failure: .outOfMemory)
        #expect(prefetch.state == .ready)
        guard case .failure(.outOfMemory)? = prefetch.openItem else {
            Issue.record("the failure is lost")
            return
        }
    }

    @Test("If the search finds no playable item, no item can be opened")
    func nothingFound() async {
        let prefetch = await prefetch("gone", loader: loader(Self.animation))
        #expect(prefetch.nextItem != nil && prefetch.nextItem?.fetched == nil)
        #expect(prefetch.state != .ready && prefetch.openItem == nil)
    }

    // MARK: - During the download of the current item

    /// Creates a prefetch during the download of the current item. Calls `body` with the prefetch, a closure that ends
    /// the download, and a stream that ends when the search has ended.
    private func duringDownload(
        _ loader: LoaderDouble, _ body: (ItemSearch, () -> Void, AsyncStream<Void>) async throws -> Void
    ) async throws {
        let gate = Gate()
        let server = try RawServer { connection, number in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nGIF89a")
            if number == 0 { gate.wait() }
            connection.send([0x3B])
        }
        let session = ServiceSession(try Settings(size: (80, 48), environment: [:]))
        defer { session.close() }
        let download = session.client.download(.init(url: server.base, mayBeLocal: true))
        _ = await download.waitForStart()
        let (wakes, wake) = AsyncStream<Void>.makeStream()
        let prefetch = ItemSearch(
            ItemRequest(candidates: [.titled("cat")]), after: download, loader: loader,
            work: ImmediateWork { wake.finish() }, .file)
        // If the search did not wait for the first download, it would have ended by the end of this second download.
        let second = session.client.download(.init(url: server.base + "/second", mayBeLocal: true))
        #expect(await second.waitForEnd() == .finished)
        #expect(prefetch.nextItem == nil && prefetch.state != .ready && loader.requested.isEmpty)
        try await body(prefetch, gate.open, wakes)
        gate.open()
        #expect(prefetch.state == .ready && loader.requested == [GIFReference.url(titled: "cat")])
    }

    @Test("The search for the next item starts when the download of the current item has ended")
    func afterDownload() async throws {
        try await duringDownload(loader(Self.animation)) { _, endDownload, wakes in
            endDownload()
            for await _ in wakes {}
        }
    }

    @Test("If the user waits for the next item, the search starts during the download of the current item")
    func startNow() async throws {
        try await duringDownload(loader(Self.animation)) { prefetch, _, wakes in
            prefetch.startNow()
            for await _ in wakes {}
        }
    }

    @Test("After 'p', 'n' continues with the results of a page that was requested in advance")
    func prefetchedPage() async throws {
        let titles = ["alpha", "beta", "gamma"]
        let responses = titles.map { (GIFReference.url(titled: $0), LoaderDouble.Response.bytes(Self.animation)) }
        var session = SlideshowSession(
            options: ["--loop", "forever"], loader: LoaderDouble(Dictionary(uniqueKeysWithValues: responses)))
        session.script = zip("pnnq", 1...).map { .key($0, at: 500 * Int64($1)) }
        let search = SearchLoop.results([.titled("alpha")], [.titled("beta"), .titled("gamma")])
        let run = try await session.play(Playlist(search: search), titles: titles)
        #expect(run.titles == ["alpha", "beta", "gamma"] && run.status == .success)
    }
}
