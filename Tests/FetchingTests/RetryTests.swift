import Base
import Catalog
import Synchronization
import TestServer
import Testing

@testable import Fetching

@Suite(.timeLimit(.minutes(15))) struct RetryTests {
    @Test func `a 500 and then a good answer is a good answer`() async throws {
        let server = try await LoopbackServer { _, number in number == 0 ? .init(500) : .init(text: "good") }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(patientRequest(url: server.base))
        #expect(response.body == Array("good".utf8))
        #expect(clock.waits == [100])
    }

    @Test func `after three retries the last answer stands`() async throws {
        let server = try await LoopbackServer { _, number in .init(503, text: "\(number)") }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(patientRequest(url: server.base))
        #expect(response.status == 503)
        #expect(response.body == Array("3".utf8))
        #expect(clock.waits == [100, 200, 400])
    }

    @Test func `429 is asked again after the wait that it names`() async throws {
        let server = try await LoopbackServer { _, number in
            number == 0 ? .init(429, headers: ["Retry-After": "3"]) : .init(text: "good")
        }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(patientRequest(url: server.base))
        #expect(response.status == 200)
        #expect(clock.waits == [3_000])
    }

    @Test(arguments: [nil, "0", "soon", "Sun, 06 Nov 1994 08:00:00 GMT"])
    func `429 without a usable Retry-After is not repeated, neither as a listing nor as a download`(
        retryAfter: String?
    ) async throws {
        let server = try await LoopbackServer { _, _ in
            .init(429, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
        }
        let clock = RecordingClock()
        let client = CurlHTTPClient(options(clock))
        #expect(try await client.get(patientRequest(url: server.base)).status == 429)
        let download = client.download(.init(url: server.base))
        #expect(await download.end() == .failed(.status(429, host: "127.0.0.1")))
        #expect(server.requests.count == 2 && clock.waits.isEmpty)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:40 GMT", "Sunday, 06-Nov-94 08:49:40 GMT", "Sun Nov  6 08:49:40 1994",
    ])
    func `429 is repeated at the date that it names`(date: String) async throws {
        let server = try await LoopbackServer { _, number in
            number == 0 ? .init(429, headers: ["Retry-After": date]) : .init(body: gif())
        }
        let clock = RecordingClock()
        let download = CurlHTTPClient(options(clock)).download(.init(url: server.base))
        #expect(await download.end() == .finished)
        #expect(clock.waits == [3_000])
    }

    @Test func `each 429 is reported with its host`() async throws {
        let server = try await LoopbackServer { _, number in .init(number == 0 ? 429 : 503) }
        let hosts = Mutex<[String]>([])
        let client = CurlHTTPClient(options { $0.noteTooManyRequests = { host in hosts.withLock { $0.append(host) } } })
        for _ in 0..<2 { _ = try await client.get(patientRequest(url: server.base)) }
        #expect(hosts.withLock { $0 } == ["127.0.0.1"])
    }

    @Test(arguments: ["3600", "Sun, 06 Nov 1994 09:00:00 GMT"])
    func `429 with a wait beyond the whole time is the answer`(retryAfter: String) async throws {
        let server = try await LoopbackServer { _, _ in .init(429, headers: ["Retry-After": retryAfter]) }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(patientRequest(url: server.base))
        #expect(response.status == 429)
        #expect(response.headers["retry-after"] == retryAfter)
        #expect(clock.waits.isEmpty)
    }

    @Test(arguments: [401, 403, 404, 414])
    func `other errors are the answer at once`(status: Int) async throws {
        let server = try await LoopbackServer { _, _ in .init(status, text: "no") }
        let response = try await CurlHTTPClient(options()).get(patientRequest(url: server.base))
        #expect(response.status == status)
        #expect(server.requests.count == 1)
    }

    @Test func `a reset is tried again`() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            if number < 2 {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngo")
                return connection.reset()
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
        }
        let clock = RecordingClock()
        let response = try await CurlHTTPClient(options(clock)).get(patientRequest(url: server.base))
        #expect(response.body == Array("good".utf8))
        #expect(clock.waits == [100, 200])
    }

    @Test func `a body shorter than announced is no answer`() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nshort")
        }
        let clock = RecordingClock()
        let result = await outcome(CurlHTTPClient(options(clock)), patientRequest(url: server.base))
        #expect(result == .failure(.unreachable(host: "127.0.0.1", reason: "the answer broke off")))
        #expect(clock.waits.count == 3)
    }

    @Test func `cancelling ends the wait between retries`() async throws {
        let server = try await LoopbackServer { _, _ in .init(500) }
        let waits = Gate()
        let client = CurlHTTPClient(options(EndlessClock(waits: waits)))
        let url = server.base
        let task = Task { await outcome(client, patientRequest(url: url)) }
        await waiting { waits.wait() }
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
        // A stream without elements ends only when its task is cancelled.
        for await _ in AsyncStream<Never>.makeStream().stream {}
        try Task.checkCancellation()
    }
}
