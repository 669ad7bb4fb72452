import Base
import Catalog
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Loader", .timeLimit(.minutes(5)))
struct GIFLoaderTests {
    private static let still = GIFBuilder.square(1)
    private static let animation = GIFBuilder.square(1, 2)
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func loader(isOffline: Bool = true, _ additions: [String: String] = [:]) throws -> GIFLoader {
        let environment = additions.merging(["XDG_CACHE_HOME": folder.path]) { $1 }
        return GIFLoader(ServiceSession(try Settings(isOffline: isOffline, size: (80, 48), environment: environment)))
    }

    private func fetch(_ item: GIFReference, _ loader: GIFLoader) async throws -> FetchedItem {
        try await loader.fetch(try loader.files(of: item)[0], of: item, needsAllBytes: true, startRetries: nil) { _ in }
    }

    private func failure(_ item: GIFReference, _ loader: GIFLoader) async -> Failure? {
        await thrown(Failure.self) { try await fetch(item, loader) }
    }

    @Test("The media cache is opened at its first use; a local item does not need it")
    func local() async throws {
        let loader = try loader(isOffline: false)
        let next = await ItemRequest(candidates: [.sample(Sample.all[0])]).run(loader)
        #expect(next.fetched?.bytes(limit: .max) == Array(Sample.all[0].bytes) && next.fetched?.content == nil)
        loader.session.close()
        #expect(folder.names().isEmpty)
        let other = try self.loader()
        #expect(other.session.cache != nil && folder.names() == ["gifplay"])
        other.session.close()
        #expect(other.session.cache == nil)
    }

    @Test("Offline, a cached GIF plays; a cached still and a file that is not cached are refused with the reason")
    func offline() async throws {
        let loader = try loader()
        #expect(await failure(.address("https://a.example/a.gif"), loader) == .notCached)
        try loader.session.store(Self.animation.trailer().bytes, as: "https://a.example/a.gif")
        let fetched = try await fetch(.address("https://a.example/a.gif"), loader)
        #expect(fetched.content == Self.animation.trailer().bytes)
        let reference = GIFReference.titled("cat")
        #expect(await failure(reference, loader) == .notCached)
        try loader.session.store(Self.still.trailer().bytes, as: GIFReference.url(titled: "cat"))
        #expect(await failure(reference, loader) == .notAnimated)
    }

    @Test("At most four files of a GIF are tried")
    func files() throws {
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: "0", alternatives: ["1", "2", "3", "4"])]
        #expect(try loader().files(of: reference).map(\.url) == ["0", "1", "2", "3"])
    }

    @Test(
        "Offline, a GIF is refused with the reason: no file, the size limit, a still, or not cached",
        arguments: [
            ([], .noAddress, "only its title and link are stored"),
            ([Rendition(url: "0", bytes: 1 << 40)], .tooLarge(limit: 64 << 20), "all its files are larger than 64 MiB"),
            ([Rendition(url: "0", frames: 1)], .notAnimated, "not animated"),
            ([Rendition(url: "0")], .notCached, "not in the media cache, and gifplay is offline"),
        ] as [([Rendition], Failure, String)])
    func refusals(renditions: [Rendition], reason: Failure, message: String) async throws {
        let loader = try loader()
        var reference = GIFReference.titled("cat")
        reference.renditions = renditions
        let choice = loader.session.settings.renditions
        let shown = await thrown(Failure.self) { [reference] in
            try await loader.bytes(of: reference, choice: choice, arrived: { _ in })
        }
        #expect(shown == reason && reason.of("cat").message == "cat: " + message)
        #expect(await failure(reference, loader) == reason)
    }

    @Test("Offline, a built-in sample can be loaded")
    func sample() async throws {
        let loader = try loader()
        let choice = loader.session.settings.renditions
        let bytes = try await loader.bytes(of: .sample(Sample.all[0]), choice: choice, arrived: { _ in })
        #expect(bytes == Array(Sample.all[0].bytes))
    }

    @Test("Offline, a GIF is displayed with its credit if at least one of its files is cached")
    func bytes() async throws {
        let loader = try loader()
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: "0", alternatives: ["1", "2", "3", "4"])]
        try loader.session.store([7], as: "4")
        let choice = loader.session.settings.renditions
        #expect(try await loader.bytes(of: reference, choice: choice, arrived: { _ in }) == [7])
        loader.cacheCredit(of: reference, url: "4")
        #expect(loader.session.cachedReferences.map(\.title) == ["cat"])
    }

    /// Returns a server that sends as many bytes of the file as are allowed.
    private func slowServer(_ file: [UInt8], allowed: Monitor<Int>, sent: Monitor<Int>) throws -> RawServer {
        try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\n\r\n")
            var start = 0
            while start < file.count {
                let end = allowed.wait { $0 > start ? min($0, file.count) : nil }
                guard connection.send(Array(file[start..<end])) else { return }
                start = end
                sent.withLock { $0 = end }
            }
            connection.waitForHangUp()
        }
    }

    @Test("The progress of a slow download is reported even while its bytes hardly grow")
    func progress() async throws {
        let padding = Array(repeating: [UInt8](repeating: 0x20, count: 255), count: 6_000)
        let file = Self.animation.block(0xFE, padding).trailer().bytes
        let (allowed, sent) = (Monitor(600), Monitor(0))
        let server = try slowServer(file, allowed: allowed, sent: sent)
        let clock = ManualWaitClock()
        var settings = try Settings(
            size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path, "GIFPLAY_ENDPOINT_COMMONS": server.base])
        settings.fetch.clock = clock
        let loader = GIFLoader(ServiceSession(settings))
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: server.base + "/cat.gif")]
        let reports = Monitor<[PartialFile]>([])
        let bytes = Task { [reference] in
            try await loader.bytes(
                of: reference, choice: loader.session.settings.renditions,
                arrived: { part in reports.withLock { $0.append(part) } })
        }
        while !reports.withLock({ $0.contains { $0.bytes == nil } }), allowed.withLock({ $0 < file.count }) {
            clock.advance(milliseconds: 500)
            let end = allowed.withLock {
                $0 += 600
                return min($0, file.count)
            }
            while sent.withLock({ $0 < end }) { await Task.yield() }
        }
        let report = try #require(reports.withLock { $0.first { $0.bytes == nil } })
        #expect(report.progress.expected == file.count && report.progress.received < file.count)
        allowed.withLock { $0 = .max }
        #expect(try await bytes.value == file)
    }

    @Test("Files of GIPHY and of services that forbid copies are stored only in memory")
    func copies() throws {
        let loader = try loader()
        var reference = GIFReference.titled("cat")
        #expect(loader.isCached(reference) && loader.isCached(.address("https://notgiphy.com/a.gif")))
        reference.cachePolicy = .sessionOnly
        #expect(!loader.isCached(reference) && !loader.isCached(.address("https://media.giphy.com/a.gif")))
    }

    @Test("A GIF with Cache-Control: no-store is fetched once per run, and neither it nor its credit is kept on disk")
    func noStore() async throws {
        let bytes = Self.animation.trailer().bytes
        let server = try await LoopbackServer { _, _ in .init(headers: ["Cache-Control": "no-store"], body: bytes) }
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: server.base + "/cat.gif")]
        for run in 1...2 {
            let loader = try loader(isOffline: false, ["GIFPLAY_ENDPOINT_COMMONS": server.base])
            let choice = loader.session.settings.renditions
            for _ in 1...2 { _ = try await fetch(reference, loader) }
            #expect(try await loader.bytes(of: reference, choice: choice, arrived: { _ in }) == bytes)
            #expect(server.requests.count == run && loader.session.cachedReferences.isEmpty)
            #expect(try loader.session.cache?.statistics().entries == 0)
            loader.session.close()
        }
    }

    @Test("A URL can lead to this machine only if the user typed it or if its service has a local endpoint")
    func localAddresses() throws {
        let url = "http://127.0.0.1:9/a.gif"
        let cat = GIFReference.titled("cat")
        #expect(try !loader().mayBeLocal(url, of: cat))
        #expect(try loader().mayBeLocal(url, of: .address(url)))
        #expect(try loader(["GIFPLAY_ENDPOINT_COMMONS": "http://127.0.0.1:8"]).mayBeLocal(url, of: cat))
        #expect(try !loader(["GIFPLAY_ENDPOINT_GIPHY": "http://127.0.0.1:8"]).mayBeLocal(url, of: cat))
    }

    @Test("A file that one loader has stored in memory is not available to another loader")
    func memory() throws {
        let loader = try loader()
        var reference = GIFReference.titled("cat")
        reference.cachePolicy = .sessionOnly
        let (file, bytes) = (reference.renditions[0], Self.animation.trailer().bytes)
        #expect(!loader.isStored(file, of: reference))
        try loader.store(for: reference).write(StoredGIF(bytes: bytes, response: nil), for: file.url)
        #expect(loader.isStored(file, of: reference))
        #expect(try !self.loader().isStored(file, of: reference))
    }
}
