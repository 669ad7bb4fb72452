import Base
import Catalog
import LoadingSupport
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Loader", .timeLimit(.minutes(5)))
struct GIFLoaderTests {
    private static let still = GIFBuilder(width: 2, height: 2).frame(1, delay: 10, width: 2, height: 2)
    private static let animation = still.frame(2, delay: 10, width: 2, height: 2)
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func loader(isOffline: Bool = true, _ additions: [String: String] = [:]) throws -> GIFLoader {
        let environment = additions.merging(["XDG_CACHE_HOME": folder.path]) { $1 }
        return GIFLoader(
            ServiceSession(try Settings(isOffline: isOffline, size: (80, 48), environment: environment)))
    }

    private func store(_ bytes: [UInt8], as url: String, in loader: GIFLoader) throws {
        let cache = try #require(loader.session.cache)
        let writer = try cache.writer(for: url)
        try bytes.withUnsafeBytes { try writer.append($0) }
        try writer.commit()
    }

    private func fetch(_ item: GIFReference, _ loader: GIFLoader) async throws -> FetchedItem {
        try await loader.fetch(try loader.files(of: item)[0], of: item, needsAllBytes: true, startRetries: nil) { _ in }
    }

    private func failure(_ item: GIFReference, _ loader: GIFLoader) async -> Failure? {
        do { _ = try await fetch(item, loader) } catch { return error as? Failure }
        return nil
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
        try store(Self.animation.trailer().bytes, as: "https://a.example/a.gif", in: loader)
        let fetched = try await fetch(.address("https://a.example/a.gif"), loader)
        #expect(fetched.content == Self.animation.trailer().bytes)
        let reference = GIFReference.titled("cat")
        #expect(await failure(reference, loader) == .notCached)
        try store(Self.still.trailer().bytes, as: GIFReference.url(titled: "cat"), in: loader)
        #expect(await failure(reference, loader) == .notAnimated)
    }

    @Test("At most four files of a GIF are tried, and a GIF without a usable file is refused with the reason")
    func files() async throws {
        let loader = try loader()
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: "0", alternatives: ["1", "2", "3", "4"])]
        #expect(try loader.files(of: reference).map(\.url) == ["0", "1", "2", "3"])
        reference.renditions = [Rendition(url: "0", bytes: 1 << 40)]
        #expect(await failure(reference, loader) == .tooLarge(limit: 64 << 20))
        reference.renditions = []
        #expect(await failure(reference, loader) == .noAddress)
    }

    @Test("Offline, a GIF is displayed with its credit if at least one of its files is cached")
    func bytes() async throws {
        let loader = try loader()
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: "0", alternatives: ["1", "2", "3", "4"])]
        try store([7], as: "4", in: loader)
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
        let clock = ManualClock()
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
            clock.advance(500)
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

    @Test("Offline, a built-in sample can be loaded, and a GIF that is not cached is refused with the reason")
    func bytesWithoutCache() async throws {
        let loader = try loader()
        let choice = loader.session.settings.renditions
        let samples = try SampleRepository().trending(ListingPreferences(), page: nil).items
        let bytes = try await loader.bytes(of: samples[0], choice: choice, arrived: { _ in })
        #expect(bytes == Array(Sample.all[0].bytes))
        let cases: [([Rendition], Failure)] = [
            ([Rendition(url: "https://a.example/a.gif")], .notCached), ([], .noAddress),
            ([Rendition(url: "https://a.example/a.gif", bytes: 1 << 40)], .tooLarge(limit: 64 << 20)),
        ]
        for (renditions, failure) in cases {
            let reference = GIFReference(
                provider: "commons", id: "1", title: "cat", attribution: "", renditions: renditions,
                cachePolicy: .persistent)
            do throws(Failure) {
                _ = try await loader.bytes(of: reference, choice: choice, arrived: { _ in })
                Issue.record("the GIF was loaded")
            } catch {
                #expect(error == failure)
            }
        }
    }

    @Test("A file that one loader has stored in memory is not available to another loader")
    func memory() throws {
        let loader = try loader()
        var reference = GIFReference.titled("cat")
        reference.cachePolicy = .sessionOnly
        let file = reference.renditions[0]
        #expect(!loader.isStored(file, of: reference))
        let writer = try loader.store(for: reference).writer(for: file.url)
        try Self.animation.trailer().bytes.withUnsafeBytes { try writer.append($0) }
        try writer.commit()
        #expect(loader.isStored(file, of: reference))
        #expect(try !self.loader().isStored(file, of: reference))
    }

    @Test("If no file of a GIF can be tried, the error names the reason: the size limit, a still or a missing address")
    func limit() throws {
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: "0", bytes: 1 << 40)]
        #expect(
            try loader().noFileError(of: reference).of("cat").message == "cat: all its files are larger than 64 MiB")
        reference.renditions = [Rendition(url: "0", frames: 1)]
        #expect(try loader().noFileError(of: reference).of("cat").message == "cat: not animated")
        reference.renditions = []
        #expect(
            try loader().noFileError(of: reference).of("cat").message == "cat: only its title and link are stored")
    }
}

/// A clock that only the test advances. Waits return immediately.
private final class ManualClock: WaitClock {
    private let time = Monitor(1_000_000)
    var milliseconds: Int { time.withLock { $0 } }
    var unixSeconds: Int { 0 }

    func advance(_ span: Int) { time.withLock { $0 += span } }

    func wait(milliseconds: Int) async throws {}
}
