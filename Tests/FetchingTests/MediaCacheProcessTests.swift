import Base
import Catalog
import Glibc
import TestServer
import Testing

/// Tests the media cache with concurrent processes, with a killed process, with a full disk, and with downloads.
@Suite(.timeLimit(.minutes(15))) struct MediaCacheProcessTests {
    private let root: TemporaryDirectory
    private let helper = ChildProcess.product("fetch-helper")

    init() throws { root = try TemporaryDirectory() }

    private func content(_ number: Int) -> [UInt8] {
        Array("GIF89a".utf8) + (0..<20_000 + number).map { UInt8(truncatingIfNeeded: $0 &* (number + 7)) }
    }

    private func url(_ number: Int) -> String { "http://example.org/\(number)" }

    @Test("Entries are not corrupted if two processes and two threads fill the cache concurrently")
    func concurrentWrites() async throws {
        let path = root.path
        let children = try (0..<2).map { _ in try ChildProcess(helper, ["fill", path, "60"]) }
        let cache = try MediaCache(directory: path)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for number in 0..<60 {
                        try? cache.store(content(number), for: url(number))
                        let stored = cache.read(url(number))
                        #expect(stored == content(number))
                    }
                }
            }
        }
        for child in children { #expect(child.readLine() == "filled" && child.wait() == 0) }
        for number in 0..<60 { #expect(cache.read(url(number)) == content(number)) }
        #expect(root.names().count == 60)
    }

    @Test("Two processes that evict entries at the same time respect the size limit")
    func concurrentEviction() async throws {
        let path = root.path
        let child = try ChildProcess(helper, ["fill", path, "60"])
        let cache = try MediaCache(directory: path, limit: 200_000)
        for number in 100..<140 {
            try cache.store(content(number), for: url(number))
            #expect(cache.read(url(number)).map { $0 == content(number) } != false)
        }
        #expect(child.readLine() == "filled")
        try cache.store(content(200), for: url(200))
        #expect(cache.read(url(200)) == content(200))
        #expect(try cache.statistics().bytes <= 200_000)
    }

    @Test("After a process is killed during a write, reopening the cache removes only the temporary file")
    func killedProcess() throws {
        let cache = try MediaCache(directory: root.path)
        try cache.store(content(0), for: url(0))
        let child = try ChildProcess(helper, ["begin", root.path, url(0)])
        #expect(child.readLine() == "begun")
        #expect(root.names().count == 2)
        // The process that writes the temporary file is still alive, so opening the cache does not remove the file.
        _ = try MediaCache(directory: root.path)
        #expect(root.names().count == 2)
        child.kill()
        #expect(cache.read(url(0)) == content(0))
        _ = try MediaCache(directory: root.path)
        #expect(root.names().count == 1)
        #expect(cache.read(url(0)) == content(0))
    }

    @Test("A write that exceeds the process's file size limit fails and does not change the old entry")
    func fileSizeLimit() throws {
        let cache = try MediaCache(directory: root.path)
        try cache.store(content(0), for: url(0))
        for bytes in ["10", "48", "10000"] {
            let child = try ChildProcess(helper, ["store-limited", root.path, url(0), bytes])
            #expect(child.readLine() == "the media cache failed: File too large (write)")
        }
        #expect(cache.read(url(0)) == content(0))
        #expect(root.names().count == 1)
    }

    @Test(
        "A write to a full disk fails and does not change the stored entries",
        .enabled(if: SmallDisk.isPossible, "no file system may be mounted here"))
    func fullDisk() throws {
        let disk = try SmallDisk(root.path + "/disk", bytes: 256 << 10)
        let cache = try MediaCache(directory: disk.path + "/media")
        var stored = 0
        var failure: Failure?
        while failure == nil, stored < 100 {
            do throws(Failure) {
                try cache.store(content(stored), for: url(stored))
                stored += 1
            } catch {
                failure = error
            }
        }
        #expect(failure == .cache("write", ENOSPC))
        #expect(stored > 3)
        #expect(try cache.statistics().entries == stored)
        #expect(root.names(in: "disk/media").count == stored)
        for number in 0..<stored { #expect(cache.read(url(number)) == content(number)) }
        withExtendedLifetime(disk) {}
    }

    @Test("A complete download is cached")
    func completeDownload() async throws {
        let server = try await LoopbackServer { _, _ in .init(body: gif()) }
        let cache = try MediaCache(directory: root.path)
        let client = CurlHTTPClient(options())
        let download = client.download(.init(url: server.base + "/a", store: cache))
        #expect(await download.waitForEnd() == .finished)
        #expect(download.storeFailure == nil)
        #expect(cache.read(server.base + "/a") == gif())
    }

    @Test(
        "A truncated download is not cached",
        arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"])
    func cutDownload(head: String) async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send(head)
            connection.send(Array(gif()[..<50_000]))
        }
        let cache = try MediaCache(directory: root.path)
        let download = CurlHTTPClient(options()).download(.init(url: server.base, store: cache))
        let result = await outcome(download)
        #expect(result.bytes == Array(gif()[..<50_000]))
        #expect(cache.read(server.base) == nil)
        #expect(root.names().isEmpty)
    }

    @Test("A download that is not a GIF is not cached")
    func notGIF() async throws {
        let server = try await LoopbackServer { _, _ in .init(text: "<html></html>") }
        let cache = try MediaCache(directory: root.path)
        _ = await CurlHTTPClient(options()).download(.init(url: server.base, store: cache)).waitForEnd()
        #expect(root.names().isEmpty)
    }

    @Test("A download succeeds even if the cache fails")
    func cacheFailure() async throws {
        let server = try await LoopbackServer { _, _ in .init(body: gif()) }
        let cache = try MediaCache(directory: root.path, limit: 1_000)
        let download = CurlHTTPClient(options()).download(.init(url: server.base, store: cache))
        let result = await outcome(download)
        #expect(result.state == .finished && result.bytes == gif())
        #expect(download.storeFailure == .tooLargeForCache(limit: 1_000))
        #expect(root.names().isEmpty)
    }
}
