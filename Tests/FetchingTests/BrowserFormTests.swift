import Base
import Foundation
import TestServer
import Testing

@testable import Catalog

/// Tests the forms of responses that browsers accept.
@Suite("Responses as in browsers", .timeLimit(.minutes(15))) struct BrowserFormTests {
    private func result(
        _ options: FetchOptions = options(), limit: Int = 64 << 20, path: String = "/a.gif", keepsPage: Bool = false,
        _ answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Response
    ) async throws -> (state: Download.State, bytes: [UInt8], requests: [LoopbackServer.Request], download: Download) {
        let server = try await LoopbackServer(answer)
        var request = Download.Request(url: server.base + path, limit: limit)
        request.keepsPage = keepsPage
        let download = CurlHTTPClient(options).download(request)
        let (state, bytes) = await outcome(download)
        return (state, bytes, server.requests, download)
    }

    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryDirectory()
        try folder.write(bytes, to: "a")
        return try ChildProcess("gzip", ["-9c", folder.path + "/a"]).readAll()
    }

    @Test("A compressed GIF is decompressed, and its announced length is not that of the GIF")
    func compressed() async throws {
        let small = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x21, 0xFE, 3] + Array("abc".utf8) + [0, 0x3B]
        let brotli = try #require(Data(base64Encoded: "CwqAR0lGODlhAQABAAAAACH+A2FiYwA7Aw=="))
        for (encoding, body, plain) in [
            ("gzip", try Self.gzip(gif()), gif()), ("GZIP", try Self.gzip(small), small), ("br", Array(brotli), small),
            ("binary", gif(), gif()),
        ] {
            let found = try await result { _, _ in .init(headers: ["Content-Encoding": encoding], body: body) }
            #expect(found.state == .finished && found.bytes == plain, "\(encoding)")
        }
    }

    @Test("The limit applies to the decompressed GIF")
    func bomb() async throws {
        let bomb = try Self.gzip(gif() + [UInt8](repeating: 0, count: 1 << 20))
        let body = try Self.gzip(
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x21, 0xFE] + [UInt8](repeating: 1, count: 1 << 20))
        #expect(bomb.count < 200_000 && body.count < 100_000)
        let found = try await result(limit: 100_000) { _, _ in .init(headers: ["Content-Encoding": "gzip"], body: body)
        }
        #expect(
            found.state == .failed(.tooLarge(host: "127.0.0.1", limit: 100_000, hint: "--max-bytes raises the limit")))
    }

    @Test("Cookies are sent to the targets of a redirect, and not with another request")
    func cookies() async throws {
        let server = try await LoopbackServer { request, _ in
            guard request.path == "/a" else { return .init(body: gif()) }
            return .init(302, headers: ["Location": "/b", "Set-Cookie": "pass=1; Path=/"])
        }
        let client = CurlHTTPClient(options())
        for path in ["/a", "/b"] {
            #expect(await client.download(.init(url: server.base + path)).waitForEnd() == .finished)
        }
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "pass=1", nil])
    }

    @Test(
        "The answer 206 to a request without a range is the whole file if its range says so",
        arguments: ["", "bytes 0-99999/100000"])
    func unaskedRange(range: String) async throws {
        let headers = range.isEmpty ? [:] : ["Content-Range": range]
        let found = try await result { _, _ in .init(206, headers: headers, body: gif()) }
        #expect(found.state == .finished && found.bytes == gif() && found.requests.count == 1)
    }

    @Test("Any success with a GIF plays", arguments: [200, 201, 202, 203, 226])
    func success(status: Int) async throws {
        let found = try await result { _, _ in .init(status, body: gif()) }
        #expect(found.state == .finished && found.bytes == gif())
    }

    @Test("A Location in Latin-1 or UTF-8 is followed")
    func location() async throws {
        let server = try RawServer { connection, _ in
            while true {
                let head = connection.readHead()
                guard !head.isEmpty else { return }
                let start = Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf".utf8)
                if head.contains("/latin") { connection.send(start + [0xE9] + Array("\r\n\r\n".utf8)) }
                if head.contains("/utf8") { connection.send(start + Array("é\r\n\r\n".utf8)) }
                if head.contains("/caf") { connection.send(RawServer.response(200, headers: "", body: gif())) }
            }
        }
        let client = CurlHTTPClient(options())
        for (path, target) in [("/latin", "/caf%E9"), ("/utf8", "/caf%C3%A9")] {
            #expect(await client.download(.init(url: server.base + path)).waitForEnd() == .finished)
            #expect(server.requests.last?.lowercased().hasPrefix("get \(target.lowercased()) ") == true)
        }
    }

    @Test("An international host is requested in its ASCII form, whatever the locale")
    func internationalHost() async throws {
        let server = try await LoopbackServer { _, _ in .init(body: gif()) }
        let client = CurlHTTPClient(options(environment: ["http_proxy": server.base]))
        for host in ["bücher.test", "BÜCHER.test", "b%C3%BCcher.test", "xn--bcher-kva.test"] {
            #expect(await client.download(.init(url: "http://\(host)/a.gif")).waitForEnd() == .finished, "\(host)")
        }
        #expect(Set(server.requests.compactMap { $0.headers["host"] }) == ["xn--bcher-kva.test"])
    }

    @Test("The wait that a server asks for is reported with the time of the next attempt")
    func wait() async throws {
        let clock = RecordingClock()
        let waits = Collected()
        let server = try await LoopbackServer { _, number in
            number == 0 ? .init(429, headers: ["Retry-After": "20"]) : .init(body: gif())
        }
        let download = CurlHTTPClient(options(clock)).download(.init(url: server.base))
        for await _ in download.changes() { waits.add(download.progress.wait) }
        #expect(clock.waits == [20_000] && download.progress.state == .finished)
        #expect(waits.all.allSatisfy { $0.reason == .status(429, host: "127.0.0.1", retryAfter: 20) })
    }

    @Test("A page is read up to its limit, and the address after redirects is known")
    func page() async throws {
        let html = "<!-- a --><html>" + String(repeating: "x", count: 1 << 20)
        let found = try await result(path: "/from") { request, _ in
            request.path == "/from" ? .init(302, headers: ["Location": "/to"]) : .init(text: html)
        }
        #expect(found.state == .failed(.notGIF(.html, host: "127.0.0.1")))
        #expect(found.download.page == nil)
        let kept = try await result(path: "/from", keepsPage: true) { request, _ in
            request.path == "/from" ? .init(302, headers: ["Location": "/to"]) : .init(text: html)
        }
        #expect(kept.download.page?.body.count == 512 << 10 && kept.download.page?.address.hasSuffix("/to") == true)
    }
}

private final class Collected: Sendable {
    private let list = Monitor<[Download.Wait]>([])
    var all: [Download.Wait] { list.withLock { $0 } }
    func add(_ wait: Download.Wait?) { if let wait { list.withLock { $0.append(wait) } } }
}
