import Base
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
    private static let animation = GIFBuilder.square(1, 2).trailer().bytes

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

@Suite("Search of a link") struct LinkSearchTests {
    private func search(_ url: String) -> LinkSearch { LinkSearch(url, of: .address(url)) }

    /// A GIF of KLIPY with these files.
    private func reference(_ urls: [String]) -> GIFReference {
        var reference = GIFReference.titled("Cat", from: "klipy")
        reference.renditions = urls.map { Rendition(url: $0) }
        return reference
    }

    /// The targets that remain, in their order.
    private func targets(_ search: LinkSearch) -> [LinkSearch.Target] {
        var search = search
        return Array(sequence(state: ()) { _ in search.next() })
    }

    @Test("A link without a row is tried as it is, and may be local, because the user typed it")
    func plain() throws {
        var search = search("http://192.168.1.2/a.gif")
        #expect(try search.start { _ in false } == nil)
        let found = targets(search)
        #expect(found.map(\.url) == ["http://192.168.1.2/a.gif"] && found.allSatisfy { $0.mayBeLocal })
    }

    @Test(
        "A link with a row is replaced by its targets, which may be local only if the link allows it",
        arguments: [
            (
                "https://giphy.com/gifs/cat-abc",
                ["https://i.giphy.com/abc.gif", "https://i.giphy.com/media/abc/giphy.gif"]
            ),
            ("https://imgur.com/abcdefg.gifv", ["https://i.imgur.com/abcdefg.gif"]),
            ("https://tenor.com/embed/12", ["https://tenor.com/view/12"]),
        ])
    func row(url: String, expected: [String]) throws {
        for mayBeLocal in [true, false] {
            var search = search(url)
            #expect(try search.start { _ in mayBeLocal } == nil)
            let found = targets(search)
            #expect(found.map(\.url) == expected && found.allSatisfy { $0.mayBeLocal == mayBeLocal })
        }
    }

    @Test("A link to videos is refused, and one of KLIPY is described by its API")
    func others() throws {
        var videos = search("https://redgifs.com/watch/x")
        let error = thrown(Failure.self) { try videos.start { _ in false } }
        #expect(error?.message.hasPrefix("redgifs.com has only videos") == true)
        var klipy = search("https://klipy.com/gifs/cat-1")
        #expect(try klipy.start { _ in false } == "cat-1")
        let urls = ["https://a.example/1.gif", "https://klipy.com/gifs/cat-1"]
        klipy.replaceTargets(by: reference(urls))
        #expect(targets(klipy).map(\.url) == urls)
    }

    @Test("No address is tried twice, and at most six are tried")
    func limit() {
        var search = search("https://a.example/page")
        let urls = (0..<4).flatMap { ["https://b.example/\($0).gif", "https://b.example/\($0 / 2).gif"] }
        search.replaceTargets(by: reference(urls))
        #expect(targets(search).map(\.url) == (0..<4).map { "https://b.example/\($0).gif" })
        search.replaceTargets(by: reference((0..<9).map { "https://b.example/\($0).gif" }))
        #expect(targets(search).count == 6)
    }

    @Test("A target that cannot be fetched leaves the others; the last error is the first one, with the other host")
    func failed() throws {
        var search = search("https://giphy.com/gifs/cat-abc")
        _ = try search.start { _ in false }
        for number in 1...2 {
            let next = search.next()
            let target = try #require(next)
            #expect(try search.addTargets(after: Failure("error \(number)"), at: target, nil) == nil)
        }
        #expect(search.next() == nil)
        let expected = "https://giphy.com/gifs/cat-abc (leads to https://i.giphy.com/media/abc/giphy.gif): error 1"
        #expect(search.error.message == expected)
    }

    @Test("A GIF has the link of the user, the address of its file and the title of the row")
    func found() throws {
        var search = search("https://giphy.com/gifs/dancing-cat-abc")
        _ = try search.start { _ in false }
        let next = search.next()
        let target = try #require(next)
        let item = search.found(FetchedItem(search.item), at: target).item
        #expect(item.pageURL == "https://giphy.com/gifs/dancing-cat-abc" && item.title == "dancing cat")
        #expect(item.renditions.map(\.url) == ["https://i.giphy.com/abc.gif"] && item.cachePolicy == .sessionOnly)
    }
}
