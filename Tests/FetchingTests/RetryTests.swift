import Base
import Synchronization
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct RetryTests {
    @Test("A request is retried after status 500")
    func serverError() async throws {
        let server = try await LoopbackServer { _, number in number == 0 ? .init(500) : .init(text: "good") }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(longTimeoutRequest(url: server.base))
        #expect(response.body == Array("good".utf8))
        #expect(clock.waits == [100])
    }

    @Test("After three failed retries, the last response is returned")
    func lastResponse() async throws {
        let server = try await LoopbackServer { _, number in .init(503, text: "\(number)") }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(longTimeoutRequest(url: server.base))
        #expect(response.status == 503)
        #expect(response.body == Array("3".utf8))
        #expect(clock.waits == [100, 200, 400])
    }

    @Test("After status 429, a request is retried when the time in Retry-After is over")
    func retryAfterSeconds() async throws {
        let server = try await LoopbackServer { _, number in
            number == 0 ? .init(429, headers: ["Retry-After": "3"]) : .init(text: "good")
        }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(longTimeoutRequest(url: server.base))
        #expect(response.status == 200)
        #expect(clock.waits == [3_000])
    }

    @Test(
        "After status 429 without a usable Retry-After, a request is not retried",
        arguments: [nil, "0", "soon", "Sun, 06 Nov 1994 08:00:00 GMT"])
    func unusableRetryAfter(
        retryAfter: String?
    ) async throws {
        let server = try await LoopbackServer { _, _ in
            .init(429, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
        }
        let clock = RecordingClock()
        let client = CurlHTTPClient(options(clock))
        #expect(try await client.get(longTimeoutRequest(url: server.base)).status == 429)
        let download = client.download(.init(url: server.base))
        #expect(await download.waitForEnd() == .failed(.status(429, host: "127.0.0.1")))
        #expect(server.requests.count == 2 && clock.waits.isEmpty)
    }

    @Test(
        "After status 429, a request is retried at the date in Retry-After",
        arguments: [
            "Sun, 06 Nov 1994 08:49:40 GMT", "Sunday, 06-Nov-94 08:49:40 GMT", "Sun Nov  6 08:49:40 1994",
        ])
    func retryAfterDate(date: String) async throws {
        let server = try await LoopbackServer { _, number in
            number == 0 ? .init(429, headers: ["Retry-After": date]) : .init(body: gif())
        }
        let clock = RecordingClock()
        let download = CurlHTTPClient(options(clock)).download(.init(url: server.base))
        #expect(await download.waitForEnd() == .finished)
        #expect(clock.waits == [3_000])
    }

    @Test("The callback for status 429 receives the host, and is not called for status 503")
    func reportedHost() async throws {
        let server = try await LoopbackServer { _, number in .init(number == 0 ? 429 : 503) }
        let hosts = Mutex<[String]>([])
        let client = CurlHTTPClient(options { $0.onTooManyRequests = { host in hosts.withLock { $0.append(host) } } })
        for _ in 0..<2 { _ = try await client.get(longTimeoutRequest(url: server.base)) }
        #expect(hosts.withLock { $0 } == ["127.0.0.1"])
    }

    @Test(
        "Status 429 is returned if its Retry-After exceeds the timeout",
        arguments: ["3600", "Sun, 06 Nov 1994 09:00:00 GMT"])
    func longRetryAfter(retryAfter: String) async throws {
        let server = try await LoopbackServer { _, _ in .init(429, headers: ["Retry-After": retryAfter]) }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(longTimeoutRequest(url: server.base))
        #expect(response.status == 429)
        #expect(response.headers["retry-after"] == retryAfter)
        #expect(clock.waits.isEmpty)
    }

    @Test("A client error such as status 404 is returned without retries", arguments: [401, 403, 404, 414])
    func clientError(status: Int) async throws {
        let server = try await LoopbackServer { _, _ in .init(status, text: "no") }
        let response = try await CurlHTTPClient(options()).get(longTimeoutRequest(url: server.base))
        #expect(response.status == status)
        #expect(server.requests.count == 1)
    }

    @Test("A request is retried after a connection reset")
    func connectionReset() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            if number < 2 {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngo")
                return connection.reset()
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
        }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(longTimeoutRequest(url: server.base))
        #expect(response.body == Array("good".utf8))
        #expect(clock.waits == [100, 200])
    }

    @Test("A body that is still shorter than announced after three retries is an error")
    func shortBody() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nshort")
        }
        let clock = RecordingClock()
        let result = await outcome(CurlHTTPClient(options(clock)), longTimeoutRequest(url: server.base))
        #expect(result == .failure(.brokenResponse(host: "127.0.0.1", reason: "it ended early")))
        #expect(clock.waits.count == 3)
    }

    @Test("Cancellation ends the wait between retries")
    func cancellation() async throws {
        let server = try await LoopbackServer { _, _ in .init(500) }
        let waits = Gate()
        let client = CurlHTTPClient(options(EndlessClock(waits: waits)))
        let url = server.base
        let task = Task { await outcome(client, longTimeoutRequest(url: url)) }
        try await onOwnThread { waits.wait() }
        task.cancel()
        #expect(await task.value == .failure(.cancelled))
    }
}

/// A clock whose waits end only when they are cancelled.
private struct EndlessClock: WaitClock {
    let waits: Gate
    var milliseconds: Int { Instant.monotonic.milliseconds }
    var unixSeconds: Int { 0 }

    func wait(milliseconds: Int) async throws {
        waits.open()
        // This stream yields nothing, so the loop ends only when the task is cancelled.
        for await _ in AsyncStream<Never>.makeStream().stream {}
        try Task.checkCancellation()
    }
}
