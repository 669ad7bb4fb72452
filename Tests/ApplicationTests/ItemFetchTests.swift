import Base
import Catalog
import Gallery
import LoadingSupport
import Pixels
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Item fetch", .timeLimit(.minutes(5)))
struct ItemFetchTests {
    private static let stored = "https://a.example/stored.gif"
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Fetches all items of a list offline, on a thread of its own. Only ``stored`` is in the media cache.
    private func outcomes(_ list: Playlist) async throws -> [String] {
        try await onOwnThread { [folder] in
            let session = ServiceSession(
                try Settings(isOffline: true, size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path]))
            defer { session.close() }
            try session.store(GIFBuilder.square(1, 2).trailer().bytes, as: Self.stored)
            let loader = GIFLoader(session)
            var list = list
            var outcomes: [String] = []
            while outcomes.count < 10 {
                do throws(Failure) {
                    guard let fetched = try list.fetchNext(loader) else { break }
                    outcomes.append("fetched " + fetched.item.name)
                } catch {
                    outcomes.append(error.message)
                }
            }
            return outcomes
        }
    }

    private static let file = GIFReference.file("b.gif")
    private static let offline = "not in the media cache, and gifplay is offline"
    private static let alpha = result("alpha", "https://a.example/1.gif")
    private static let beta = result("beta", stored)
    private static let gamma = result("gamma", "https://a.example/2.gif")

    private static func result(_ title: String, _ url: String) -> GIFReference {
        var reference = GIFReference.titled(title)
        reference.renditions = [Rendition(url: url)]
        return reference
    }

    @Test("Local items are fetched in order; if a listed URL fails, that is reported, and the next item is fetched")
    func listed() async throws {
        let sample = GIFReference.sample(Sample.all[0])
        let local = Playlist(listed: [.file("/nonexistent/a.gif"), sample, Self.file])
        #expect(try await outcomes(local) == ["/nonexistent/a.gif", sample.name, "b.gif"].map { "fetched " + $0 })
        let url = "https://a.example/1.gif"
        let expected = ["\(url): \(Self.offline)", "fetched " + Self.stored, "fetched b.gif"]
        #expect(try await outcomes(Playlist(listed: [.address(url), .address(Self.stored), Self.file])) == expected)
        #expect(try await outcomes(Playlist(listed: [])).isEmpty)
    }

    @Test(
        "A failed search result is replaced by the next one, also of the next page; otherwise the last failure is reported"
    )
    func results() async throws {
        #expect(try await outcomes(Playlist(results: [Self.alpha, Self.beta])) == ["fetched beta"])
        #expect(try await outcomes(Playlist(search: .results([Self.alpha], [Self.beta]))) == ["fetched beta"])
        #expect(try await outcomes(Playlist(results: [Self.alpha, Self.gamma])) == ["gamma: " + Self.offline])
    }
}

@Suite("Fetched item", .timeLimit(.minutes(5)))
struct FetchedItemTests {
    private let session: ServiceSession

    init() throws { session = ServiceSession(try Settings(size: (80, 48), environment: [:])) }

    private func item(_ download: Download) -> FetchedItem {
        FetchedItem(.address("https://a.example/a.gif"), download: download)
    }

    @Test("The note on a running download shows the received and the expected size; a finished one has no note")
    func note() async throws {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\nGIF89a")
            gate.wait()
            connection.send([UInt8](repeating: 0, count: 2_994))
        }
        defer { session.close() }
        let download = session.client.download(.init(url: server.base, mayBeLocal: true))
        _ = await download.waitForStart()
        #expect(DownloadNote.text(download, in: .english)?.contains("6 B of 3 kB") == true)
        #expect(DownloadNote.text(download, in: .german)?.contains("6 B von 3 kB") == true)
        gate.open()
        #expect(await download.waitForEnd() == .finished)
        #expect(DownloadNote.text(download, in: .english) == nil && item(download).downloadFailure == nil)
    }

    @Test("A failed download has a reason; a cancelled one has none")
    func failures() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            if number == 0 { connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") }
            connection.waitForHangUp()
        }
        defer { session.close() }
        let missing = session.client.download(.init(url: server.base, mayBeLocal: true))
        _ = await missing.waitForEnd()
        #expect(item(missing).downloadFailure == .status(404, host: "127.0.0.1"))
        #expect(DownloadNote.text(missing, in: .english) == "the download failed")
        #expect(DownloadNote.text(missing, in: .german) == "Download fehlgeschlagen")
        let cancelled = session.client.download(.init(url: server.base, mayBeLocal: true))
        cancelled.cancel()
        _ = await cancelled.waitForEnd()
        #expect(item(cancelled).downloadFailure == nil)
    }
}

@Suite("Media of services", .timeLimit(.minutes(5)))
struct ServiceMediaTests {
    private let folder: TemporaryDirectory
    private let media: ServiceMedia

    init() throws {
        folder = try TemporaryDirectory()
        let settings = try Settings(isOffline: true, size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
        media = ServiceMedia(loader: GIFLoader(ServiceSession(settings)))
    }

    private func reference(_ renditions: [Rendition]) -> GIFReference {
        var reference = GIFReference.titled("cat")
        reference.renditions = renditions
        return reference
    }

    private func bytes(_ reference: GIFReference, isOriginal: Bool = false) async throws(Failure) -> [UInt8] {
        try await media.bytes(
            of: reference, filling: PixelSize(width: 20, height: 20), isOriginal: isOriginal, arrived: { _ in })
    }

    @Test("A tile gets the smallest file that fills it, and the large view gets the largest file")
    func sizes() async throws {
        let reference = reference([
            Rendition(url: "https://a.example/large.gif", width: 1_000, height: 1_000, bytes: 400_000),
            Rendition(url: "https://a.example/small.gif", width: 100, height: 100, bytes: 9_000),
        ])
        try media.loader.session.store([1], as: "https://a.example/small.gif")
        try media.loader.session.store([2], as: "https://a.example/large.gif")
        #expect(try await bytes(reference) == [1])
        #expect(try await bytes(reference, isOriginal: true) == [2])
    }

    @Test("A tile gets a file of few bytes, even if a file of many bytes would fill the tile better")
    func lightFile() async throws {
        let reference = reference([
            Rendition(url: "https://a.example/heavy.gif", width: 1_000, height: 1_000, bytes: 9_000_000),
            Rendition(url: "https://a.example/light.gif", width: 10, height: 10, bytes: 500_000),
        ])
        try media.loader.session.store([1], as: "https://a.example/light.gif")
        try media.loader.session.store([2], as: "https://a.example/heavy.gif")
        #expect(try await bytes(reference) == [1])
    }

    @Test("If the calling task is cancelled, the error is 'cancelled'")
    func cancelled() async {
        let (media, reference) = (media, reference([Rendition(url: "https://a.example/a.gif")]))
        let size = PixelSize(width: 20, height: 20)
        let task = Task {
            await waitUntilCancelled()
            return await thrown(Failure.self) {
                try await media.bytes(of: reference, filling: size, isOriginal: false, arrived: { _ in })
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
