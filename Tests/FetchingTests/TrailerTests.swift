import Base
import Pixels
import TestServer
import Testing

@testable import Catalog

/// Tests that a GIF is complete at its trailer, whatever the server announces, and that no number of a server traps.
@Suite(.timeLimit(.minutes(15))) struct TrailerTests {
    private let bytes = gif()

    /// A response whose end the server does not send, and the bytes after the trailer.
    enum Lie: CaseIterable {
        case noLength, longLength, lastChunkMissing, chunkTooLong, rubbish, lengthAndChunked, closed

        func head(_ count: Int) -> String {
            switch self {
            case .noLength, .rubbish: "\r\n"
            case .longLength: "Content-Length: \(count + 1)\r\n\r\n"
            case .closed: "Content-Length: \(count + 100_000)\r\n\r\n"
            case .lastChunkMissing: "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n"
            case .chunkTooLong: "Transfer-Encoding: chunked\r\n\r\nffffffff\r\n"
            case .lengthAndChunked:
                "Content-Length: \(count)\r\nTransfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n"
            }
        }

        var tail: String {
            switch self {
            case .rubbish: "rubbish;" + String(repeating: "\u{0};", count: 100)
            case .lastChunkMissing, .lengthAndChunked: "\r\n"
            default: ""
            }
        }
    }

    @Test("A download ends at the trailer, is stored, and drops later bytes", arguments: Lie.allCases)
    func ends(lie: Lie) async throws {
        let bytes = bytes
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n" + lie.head(bytes.count))
            // In pieces, the last of which ends after the trailer.
            connection.send(Array(bytes[..<50_000]))
            connection.send(Array(bytes[50_000...]) + Array(lie.tail.utf8))
            if lie != .closed { connection.waitForHangUp() }
        }
        let store = SessionMediaStore()
        let download = CurlHTTPClient(options()).download(.init(url: server.base, store: store))
        let result = await outcome(download)
        #expect(result.state == .finished && result.bytes == bytes)
        #expect(store.read(server.base) == bytes)
        #expect(server.requests.count == 1 && download.progress.retries == 0)
    }

    @Test("A file without a trailer depends on the transport, and a trailer within a block does not end it")
    func needsTransport() async throws {
        let start = Array(bytes.dropLast())
        for (head, isStored) in [("Content-Length: \(start.count)\r\n\r\n", true), ("\r\n", false)] {
            let server = try RawServer { connection, _ in
                connection.readHead()
                connection.send("HTTP/1.1 200 OK\r\n" + head)
                connection.send(start)
            }
            let store = SessionMediaStore()
            let result = await outcome(CurlHTTPClient(options()).download(.init(url: server.base, store: store)))
            #expect(result.state == .finished && result.bytes == start)
            #expect((store.read(server.base) != nil) == isStored)
        }
        // The last byte is 0x3B, but it is in a comment.
        let open = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x21, 0xFE, 0x3B, 0x3B]
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.send(open)
        }
        let store = SessionMediaStore()
        let result = await outcome(CurlHTTPClient(options()).download(.init(url: server.base, store: store)))
        #expect(result.bytes == open && store.read(server.base) == nil)
    }

    @Test("Downloads of the announced length share a connection")
    func connectionReuse() async throws {
        let bytes = bytes
        let connections = Monitor(0)
        let server = try RawServer { connection, _ in
            connections.withLock { $0 += 1 }
            while !connection.readHead().isEmpty {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
                connection.send(bytes)
            }
        }
        let client = CurlHTTPClient(options())
        for number in 0..<3 {
            let result = await outcome(client.download(.init(url: server.base + "/\(number)")))
            #expect(result.state == .finished)
        }
        #expect(server.requests.count == 3 && connections.withLock { $0 } == 1)
    }

    @Test(
        "Any number in Content-Length and Content-Range ends a download with its bytes or an error",
        arguments: [
            "0", "-1", "2147483648", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308",
            "1000000000000000000000000000000", "NaN", "text",
        ])
    func numbers(number: String) async throws {
        let bytes = Array(bytes.dropLast())
        let heads = [
            "Content-Range: bytes 30000-99998/*\r\nContent-Length: \(number)\r\n",
            "Content-Range: bytes 30000-\(number)/*\r\nContent-Length: 69999\r\n",
            "Content-Range: bytes \(number)-99998/99999\r\nContent-Length: 69999\r\n",
            "Content-Range: bytes 30000-99998/\(number)\r\n", "Content-Range: bytes */\(number)\r\n",
            "Content-Range: \(number)\r\nContent-Length: \(number)\r\n",
        ]
        for head in heads {
            let server = try RawServer { connection, count in
                connection.readHead()
                let validator = "Accept-Ranges: bytes\r\nETag: \"v1\"\r\n"
                if count == 0 {
                    connection.send("HTTP/1.1 200 OK\r\n\(validator)Content-Length: 99999\r\n\r\n")
                    connection.send(Array(bytes[..<30_000]))
                    return connection.reset()
                }
                connection.send("HTTP/1.1 206 Partial\r\n\(validator)\(head)\r\n")
                connection.send(Array(bytes[30_000...]))
            }
            let download = CurlHTTPClient(options()).download(.init(url: server.base))
            let result = await outcome(download)
            #expect(bytes.starts(with: result.bytes))
            #expect(result.state != .running && (result.state != .finished || result.bytes == bytes), "\(head)")
            _ = download.progress
        }
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\nRetry-After: \(number)\r\n\r\n")
            connection.send(bytes)
        }
        let result = await outcome(CurlHTTPClient(options()).download(.init(url: server.base)))
        #expect(result.state != .running)
        _ = await outcome(CurlHTTPClient(options()), longTimeoutRequest(url: server.base))
    }

    @Test("A header that is too long is refused with this reason", arguments: ["line", "lines", "bytes", "interim"])
    func longHeader(kind: String) async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send(kind == "interim" ? "" : "HTTP/1.1 200 OK\r\n")
            let part =
                switch kind {
                case "line": "a"
                case "lines": "a:\r\n"
                case "bytes": "a: " + String(repeating: "b", count: 1_000) + "\r\n"
                default: "HTTP/1.1 100 Continue\r\n\r\n"
                }
            while connection.send(String(repeating: part, count: 100)) {}
        }
        let error = Failure.responseRefused(host: "127.0.0.1", reason: "an overlong response header")
        let client = CurlHTTPClient(options())
        #expect(await outcome(client.download(.init(url: server.base))).state == .failed(error))
        #expect(await outcome(client, longTimeoutRequest(url: server.base)) == .failure(error))
        #expect(server.requests.count == 2)
    }

    @Test("A redirect is followed even if its body is endless")
    func redirectBody() async throws {
        let bytes = bytes
        let server = try RawServer { connection, count in
            connection.readHead()
            guard count == 0 else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
                connection.send(bytes)
                return connection.waitForHangUp()
            }
            connection.send("HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n")
            while connection.send([UInt8](repeating: 65, count: 10_000)) {}
        }
        #expect(await outcome(CurlHTTPClient(options()).download(.init(url: server.base))).bytes == bytes)
    }

    @Test("The peer is checked for each host that no_proxy names, even if the environment has a proxy")
    func noProxy() async throws {
        let server = try await LoopbackServer { _, _ in .init(body: gif()) }
        func proxied(_ list: String) throws -> FetchOptions {
            let environment = ["http_proxy": "http://127.0.0.1:\(try closedPort())", "no_proxy": list]
            var options = FetchOptions(userAgent: "tests", environment: environment)
            (options.clock, options.retry) = (RecordingClock(), .never)
            return options
        }
        let address = try #require(ParsedURL("http://127.0.0.1/"))
        for (list, isDirect) in [("127.0.0.0/8", true), ("127.0.0.1", true), ("128.0.0.0/8", false), ("x.org", false)] {
            let options = try proxied(list)
            // The proxy refuses connections, so that only a direct request reaches the server.
            let state = await outcome(CurlHTTPClient(options).download(.init(url: server.base + "/a.gif"))).state
            #expect((state == .finished) == isDirect)
            let trail = RedirectTrail(from: address, mayBeLocal: false, usesProxy: { options.proxy(for: $0) != nil }) {
                LocalAddress.isLocal($0)
            }
            #expect(trail.allowsPeer("127.0.0.1") == !isDirect)
        }
    }
}
