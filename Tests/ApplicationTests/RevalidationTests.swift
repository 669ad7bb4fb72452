import Base
import Catalog
import LoadingSupport
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import Application

/// Tests with a server that the GIF of a typed URL is asked again when it is stale, and only then.
@Suite("Revalidation", .timeLimit(.minutes(5)))
struct RevalidationTests {
    private let folder: TemporaryDirectory
    private let clock = ManualWaitClock()

    init() throws { folder = try TemporaryDirectory() }

    private static func gif(_ color: UInt8) -> [UInt8] { GIFBuilder.square(color, 3).trailer().bytes }

    private struct Played: Equatable {
        var color: UInt8?
        var age: Int?
        var isStale: Bool
    }

    /// Loads a URL in a run of its own.
    private func play(_ url: String, isOffline: Bool = false, reloads: Bool = false) async throws -> Played {
        let loader = try loader(isOffline: isOffline, reloads: reloads)
        defer { loader.session.close() }
        return try await play(url, loader)
    }

    private func play(_ url: String, _ loader: GIFLoader) async throws -> Played {
        let fetched = try await loader.fetch(
            Rendition(url: url), of: .address(url), needsAllBytes: true, startRetries: nil
        ) { _ in }
        let bytes = fetched.bytes(limit: .max)
        return Played(
            color: (0...2).first { Self.gif($0) == bytes }, age: fetched.staleness?.seconds,
            isStale: fetched.staleness != nil)
    }

    private func loader(isOffline: Bool = false, reloads: Bool = false) throws -> GIFLoader {
        var settings = try Settings(isOffline: isOffline, size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
        settings.fetch.clock = clock
        settings.fetch.retry = .never
        settings.reloads = reloads
        return GIFLoader(ServiceSession(settings))
    }

    private static let new = Played(color: 1, isStale: false)
    private static let old = Played(color: 0, isStale: false)

    /// A server whose GIF has changed after the first request. It confirms the validators of the present one.
    private func server(
        _ headers: [String: String], tag: String? = nil, changes: Bool = true
    ) async throws -> LoopbackServer {
        try await LoopbackServer { request, number in
            let color: UInt8 = changes && number > 0 ? 1 : 0
            var headers = headers
            if let tag { headers["ETag"] = "\(tag)\(color)\"" }
            if let tag, request.headers["if-none-match"] == "\(tag)\(color)\"" { return .init(304, headers: headers) }
            return .init(headers: headers, body: Self.gif(color))
        }
    }

    @Test(
        "A changed GIF is played once the old one is stale, and not before",
        arguments: [
            ([:], 60), (["Cache-Control": "max-age=1"], 1), (["Cache-Control": "max-age=3600"], 3_600),
            (["Cache-Control": "no-cache"], 0), (["Cache-Control": "max-age=0, must-revalidate"], 0),
            (["Expires": "0"], 0), (["Cache-Control": "max-age=100", "Age": "40"], 60),
            (["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Last-Modified": "Sun, 06 Nov 1994 07:49:37 GMT"], 360),
            (["Vary": "Accept-Encoding", "Cache-Control": "max-age=9"], 9),
        ] as [([String: String], Int)])
    func changes(headers: [String: String], seconds: Int) async throws {
        let server = try await server(headers)
        #expect(try await play(server.base) == Self.old)
        if seconds > 0 {
            clock.advance(seconds: seconds - 1)
            #expect(try await play(server.base) == Self.old)
            #expect(server.requests.count == 1)
            clock.advance(seconds: 1)
        }
        #expect(try await play(server.base) == Self.new)
        #expect(server.requests.count == 2)
    }

    @Test("A GIF that has not changed is confirmed without a body, and is then fresh again", arguments: ["\"", "W/\""])
    func notModified(tag: String) async throws {
        let server = try await server(["Cache-Control": "max-age=10"], tag: tag, changes: false)
        for request in 1...3 {
            for _ in 1...2 { #expect(try await play(server.base) == Self.old) }
            #expect(server.requests.count == request)
            clock.advance(seconds: 10)
        }
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, tag + "0\"", tag + "0\""])
        let changing = try await self.server([:], tag: tag)
        #expect(try await play(changing.base) == Self.old)
        clock.advance(seconds: 60)
        #expect(try await play(changing.base) == Self.new)
    }

    @Test("Without an entity tag, the date of modification is the validator; a 304 keeps the fields that it lacks")
    func modificationDate() async throws {
        let date = "Sun, 06 Nov 1994 08:39:37 GMT"
        let server = try await LoopbackServer { request, _ in
            request.headers["if-modified-since"] == date
                ? .init(304) : .init(headers: ["Last-Modified": date, "Cache-Control": "max-age=5"], body: Self.gif(0))
        }
        for request in 1...3 {
            for _ in 1...2 { #expect(try await play(server.base) == Self.old) }
            #expect(server.requests.count == request)
            clock.advance(seconds: 5)
        }
    }

    @Test(
        "A temporary redirect is asked again each time, a permanent one as its GIF",
        arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        let server = try await LoopbackServer { request, number in
            guard request.path == "/random" else {
                return .init(headers: ["ETag": "\"same\""], body: Self.gif(request.path == "/0" ? 0 : 1))
            }
            return .init(status, headers: ["Location": number == 0 ? "/0" : "/1"])
        }
        let isPermanent = [301, 308].contains(status)
        #expect(try await play(server.base + "/random") == Self.old)
        #expect(try await play(server.base + "/random") == (isPermanent ? Self.old : Self.new))
        clock.advance(seconds: 60)
        #expect(try await play(server.base + "/random") == Self.new)
        // The entity tag of one file says nothing about another one.
        #expect(server.requests.first { $0.path == "/1" }?.headers["if-none-match"] == nil)
        #expect(server.requests.filter { $0.path == "/random" }.count == (isPermanent ? 2 : 3))
    }

    @Test("A temporary redirect with max-age is followed for that time without a request")
    func cachedRedirect() async throws {
        let server = try await LoopbackServer { request, number in
            request.path == "/a"
                ? .init(302, headers: ["Location": "/\(number)", "Cache-Control": "max-age=30"])
                : .init(headers: ["Cache-Control": "max-age=3600"], body: Self.gif(request.path == "/0" ? 0 : 1))
        }
        #expect(try await play(server.base + "/a") == Self.old)
        clock.advance(seconds: 29)
        #expect(try await play(server.base + "/a") == Self.old)
        clock.advance(seconds: 1)
        #expect(try await play(server.base + "/a") == Self.new)
    }

    @Test(
        "If the request fails, the stored GIF plays with its age; not with must-revalidate",
        arguments: [(404, "max-age=5"), (503, "no-cache"), (200, "max-age=5"), (404, "max-age=5, must-revalidate")])
    func failures(status: Int, rule: String) async throws {
        let server = try await LoopbackServer { _, number in
            number == 0
                ? .init(headers: ["Cache-Control": rule], body: Self.gif(0))
                : .init(status, text: "<html>sign in</html>")
        }
        #expect(try await play(server.base) == Self.old)
        clock.advance(seconds: 90)
        let stale = Played(color: 0, age: 90, isStale: true)
        if rule.contains("must") {
            await #expect(throws: Failure.self) { try await play(server.base) }
            await #expect(throws: Failure.self) { try await play(server.base, isOffline: true) }
        } else {
            #expect(try await play(server.base) == stale)
            #expect(try await play(server.base, isOffline: true) == stale)
        }
    }

    @Test("A GIF that an older version has stored is asked for, and plays without an age if that fails")
    func olderVersion() async throws {
        let server = try await LoopbackServer { _, number in
            number == 0 ? .init(500) : .init(body: Self.gif(1))
        }
        let loader = try loader()
        try loader.session.store(Self.gif(0), as: server.base)
        #expect(try await play(server.base, isOffline: true) == Played(color: 0, isStale: true))
        let first = try await play(server.base)
        #expect(first.color == 0 || first == Self.new)
        #expect(try await play(server.base) == Self.new)
        loader.session.close()
    }

    @Test("With no-store, nothing stays on disk; with no-cache, the GIF and its response do")
    func storage() async throws {
        for (rule, count) in [("no-store", 0), ("no-cache", 1)] {
            let server = try await server(["Cache-Control": rule], changes: false)
            let loader = try loader()
            #expect(try await play(server.base, loader) == Self.old)
            #expect(try loader.session.cache?.statistics().entries == count)
            #expect(try loader.session.cache?.countDamagedEntries() == 0)
            try loader.session.cache?.clear()
            #expect(try loader.session.cache?.statistics().entries == 0)
            loader.session.close()
        }
    }

    @Test("A reload asks for a fresh GIF, once per URL with the option, each time with the key")
    func reload() async throws {
        let server = try await server(["Cache-Control": "max-age=3600"])
        #expect(try await play(server.base) == Self.old)
        let reloading = try loader(reloads: true)
        for _ in 1...2 { #expect(try await play(server.base, reloading) == Self.new) }
        #expect(server.requests.count == 2)
        #expect(server.requests.map { $0.headers["cache-control"] } == [nil, "no-cache"])
        for count in 3...4 {
            reloading.reload(.address(server.base))
            for _ in 1...2 { #expect(try await play(server.base, reloading) == Self.new) }
            #expect(server.requests.count == count)
        }
        reloading.session.close()
    }

    @Test("A download that ends early leaves the stored GIF and its validators")
    func truncated() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            let body = Self.gif(number == 0 ? 0 : 1)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nETag: \"\(number)\"\r\n\r\n")
            connection.send(number == 0 ? body : Array(body.prefix(20)))
        }
        #expect(try await play(server.base) == Self.old)
        clock.advance(seconds: 60)
        await #expect(throws: Failure.self) { try await play(server.base) }
        #expect(try await play(server.base, isOffline: true) == Played(color: 0, age: 60, isStale: true))
    }

    @Test("The GIF of a service is played without a request, however old it is")
    func service() async throws {
        let server = try await server(["Cache-Control": "max-age=1"])
        var reference = GIFReference.titled("cat")
        reference.renditions = [Rendition(url: server.base + "/cat.gif")]
        for _ in 1...3 {
            var settings = try Settings(
                size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path, "GIFPLAY_ENDPOINT_COMMONS": server.base])
            settings.fetch.clock = clock
            let loader = GIFLoader(ServiceSession(settings))
            let file = try loader.files(of: reference)[0]
            let fetched = try await loader.fetch(file, of: reference, needsAllBytes: true, startRetries: nil) { _ in }
            #expect(fetched.bytes(limit: .max) == Self.gif(0) && fetched.staleness == nil)
            clock.advance(seconds: 1_000_000)
            loader.session.close()
        }
        #expect(server.requests.count == 1)
    }
}
