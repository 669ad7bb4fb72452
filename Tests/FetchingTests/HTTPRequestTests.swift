import Base
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct HTTPRequestTests {
    @Test("A request is sent with its headers; the response has a status, lower-case header names and a body")
    func completeResponse() async throws {
        let server = try await LoopbackServer { _, _ in .init(headers: ["X-Thing": "a b"], text: "hello") }
        let client = CurlHTTPClient(options())
        let response = try await client.get(longTimeoutRequest(url: server.base + "/a?q=1", headers: ["Accept": "x/y"]))
        #expect(response.status == 200)
        #expect(response.headers["x-thing"] == "a b")
        #expect(response.body == Array("hello".utf8))
        let request = try #require(server.requests.first)
        #expect(request.path == "/a" && request.query == ["q": "1"])
        let agent = try #require(request.headers["user-agent"])
        #expect(agent == client.userAgent)
        #expect(
            agent.wholeMatch(of: /gifplay-tests\/1 \(tests@example\.org\) libcurl\/[0-9]+\.[0-9]+\.[0-9]+.*/) != nil)
        #expect(request.headers["accept"] == "x/y")
        #expect(request.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test("Connections are reused")
    func connectionReuse() async throws {
        let server = try RawServer { connection, number in
            while !connection.readHead().isEmpty {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
            }
        }
        let client = CurlHTTPClient(options())
        for _ in 0..<3 {
            let response = try await client.get(longTimeoutRequest(url: server.base))
            #expect(response.body == Array("0".utf8))
        }
    }

    @Test("A line break in a header value adds no header")
    func headerInjection() async throws {
        let server = try await LoopbackServer { _, _ in .init() }
        let request = longTimeoutRequest(url: server.base, headers: ["X-A": "b\r\nX-Evil: c", "X-B": "d"])
        _ = try await CurlHTTPClient(options()).get(request)
        #expect(server.requests.first?.headers["x-evil"] == nil)
        #expect(server.requests.first?.headers["x-b"] == "d")
    }

    @Test(
        "An address that is not a web URL is invalid",
        arguments: ["", "cat", "file:///etc/passwd", "ftp://example.org/a", "http://", "http://a b/"])
    func invalidURL(url: String) async {
        #expect(await outcome(CurlHTTPClient(options()), longTimeoutRequest(url: url)) == .failure(.invalidURL))
    }

    // MARK: - Connections, certificates and proxies

    @Test("A refused connection is reported with the transport's reason and is not retried")
    func refusedConnection() async throws {
        let clock = RecordingClock()
        let url = "http://127.0.0.1:\(try closedPort())/secret-key"
        let result = await outcome(CurlHTTPClient(options(clock)), longTimeoutRequest(url: url))
        guard case .failure(let error) = result, error.kind == .unreachable else {
            Issue.record("\(result)")
            return
        }
        #expect(error.message.hasPrefix("127.0.0.1 cannot be reached: ") && !error.message.contains("secret-key"))
        #expect(clock.waits.isEmpty)
    }

    @Test("A host name that does not exist is unreachable")
    func unknownHost() async {
        let request = longTimeoutRequest(url: "http://nobody.invalid/secret-key", timeoutMilliseconds: 5_000)
        let result = await outcome(CurlHTTPClient(options { $0.connectMilliseconds = 2_000 }), request)
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.kind == .unreachable || error == .timedOut(host: "nobody.invalid", milliseconds: 2_000))
        #expect(!"\(error)".contains("secret-key"))
    }

    @Test("An unknown certificate is accepted only if the configured certificate file contains it")
    func certificate() async throws {
        let server = try TLSServer(files: ["page": "HTTP/1.0 200 OK\r\n\r\nhello"])
        defer { withExtendedLifetime(server) {} }
        let request = longTimeoutRequest(url: server.base + "/page")
        let result = await outcome(CurlHTTPClient(options()), request)
        guard case .failure(let error) = result, error.kind == .unreachable else {
            Issue.record("\(result)")
            return
        }
        #expect(error.message.contains("certificate"))
        let trusting = CurlHTTPClient(options { $0.caFile = server.certificate })
        #expect(try await trusting.get(request).body == Array("hello".utf8))
    }

    @Test("Requests use the proxy that the environment variables specify")
    func proxy() async throws {
        let proxy = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
        }
        let child = try ChildProcess(
            ChildProcess.product("fetch-helper"), ["get", "http://example.invalid/page"],
            environment: ["http_proxy": proxy.base])
        #expect(child.readLine() == "200 proxy")
        #expect(proxy.requests.first?.hasPrefix("GET http://example.invalid/page HTTP/1.1") == true)
    }

    @Test("A missing libcurl is reported with the name of the library and its package")
    func missingLibrary() throws {
        let child = try ChildProcess(
            ChildProcess.product("fetch-helper"), ["get", "https://user@example.org:1/key", "libnothing.so.9"])
        let line = child.readLine()
        #expect(
            line.hasPrefix("example.org cannot be reached: libcurl cannot be loaded: libnothing.so.9"))
        #expect(line.hasSuffix("; install the package libcurl4"))
        #expect(!line.contains("key"))
    }

    // MARK: - Timeouts, size limits and cancellation

    @Test("Each attempt of a stalled request ends after the stall timeout")
    func stallTimeout() async throws {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            gate.wait()
        }
        let clock = RecordingClock()
        let client = CurlHTTPClient(options(clock) { $0.stallMilliseconds = 60 })
        let result = await outcome(client, longTimeoutRequest(url: server.base, timeoutMilliseconds: 200_000))
        gate.open()
        #expect(result == .failure(.timedOut(host: "127.0.0.1", milliseconds: 60)))
        #expect(clock.waits == [100, 200, 400])
    }

    @Test("Until a response begins, the total timeout applies instead of the stall timeout")
    func totalTimeout() async throws {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            gate.wait()
        }
        let client = CurlHTTPClient(
            options {
                $0.stallMilliseconds = 20
                $0.retry = .never
            })
        let result = await outcome(client, longTimeoutRequest(url: server.base, timeoutMilliseconds: 300))
        gate.open()
        #expect(result == .failure(.timedOut(host: "127.0.0.1", milliseconds: 300)))
    }

    @Test("A connection attempt has its own timeout")
    func connectTimeout() async throws {
        let gate = Gate()
        let server = try RawServer { _, _ in gate.wait() }
        let client = CurlHTTPClient(
            options {
                $0.connectMilliseconds = 60
                $0.retry = .never
            })
        let result = await outcome(client, longTimeoutRequest(url: "https://127.0.0.1:\(server.port)/"))
        gate.open()
        #expect(result == .failure(.timedOut(host: "127.0.0.1", milliseconds: 60)))
    }

    @Test("The total timeout limits a slow response")
    func slowResponse() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            while connection.send("a") { sched() }
        }
        let request = longTimeoutRequest(url: server.base, maximumBytes: 100_000_000, timeoutMilliseconds: 150)
        let result = await outcome(CurlHTTPClient(options()), request)
        #expect(result == .failure(.timedOut(host: "127.0.0.1", milliseconds: 150)))
    }

    @Test("Reading an endless body ends at the size limit")
    func endlessBody() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send([UInt8](repeating: 65, count: 10_000)) {}
        }
        let request = longTimeoutRequest(url: server.base, maximumBytes: 100_000)
        let result = await outcome(CurlHTTPClient(options()), request)
        #expect(result == .failure(.tooLarge(host: "127.0.0.1", limit: 100_000)))
    }

    @Test("Reading a gzip bomb ends at the limit for the decompressed size")
    func gzipBomb() async throws {
        let bomb = try ChildProcess("sh", ["-c", "head -c 50000000 /dev/zero | gzip -9"]).readAll()
        #expect(bomb.count < 100_000)
        let server = try await LoopbackServer { _, _ in .init(headers: ["Content-Encoding": "gzip"], body: bomb) }
        let client = CurlHTTPClient(options())
        let small = await outcome(client, longTimeoutRequest(url: server.base, maximumBytes: 1 << 20))
        #expect(small == .failure(.tooLarge(host: "127.0.0.1", limit: 1 << 20)))
        let large = try await client.get(longTimeoutRequest(url: server.base, maximumBytes: 50_000_000))
        #expect(large.body.count == 50_000_000)
    }

    @Test("A request fails if its response has endless headers")
    func endlessHeaders() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-A: " + String(repeating: "a", count: 1_000) + "\r\n") {}
        }
        let result = await outcome(CurlHTTPClient(options()), longTimeoutRequest(url: server.base))
        #expect(throws: Failure.self) { try result.get() }
    }

    @Test("Cancellation ends a request immediately")
    func cancellation() async throws {
        let gate = Gate()
        let requested = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            requested.open()
            gate.wait()
        }
        let client = CurlHTTPClient(options())
        let url = server.base
        let task = Task { await outcome(client, longTimeoutRequest(url: url, timeoutMilliseconds: 60_000)) }
        try await onOwnThread { requested.wait() }
        let start = Instant.monotonic.milliseconds
        task.cancel()
        #expect(await task.value == .failure(.cancelled))
        #expect(Instant.monotonic.milliseconds - start < 100_000)
        gate.open()
    }

    @Test("Closing the client cancels pending requests")
    func closing() async throws {
        let gate = Gate()
        let requested = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            requested.open()
            gate.wait()
        }
        let client = CurlHTTPClient(options())
        let url = server.base
        let task = Task { await outcome(client, longTimeoutRequest(url: url)) }
        try await onOwnThread { requested.wait() }
        client.close()
        #expect(await task.value == .failure(.cancelled))
        gate.open()
    }
}
