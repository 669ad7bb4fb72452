import Base
import Pixels
import TestServer
import Testing

@testable import Catalog

/// Tests interrupted downloads, with servers that support range requests and with servers that do not.
@Suite(.timeLimit(.minutes(15))) struct ResumeTests {
    /// The way in which the server interrupts a response: it resets the connection, stops sending, or closes the
    /// connection.
    enum Break: CaseIterable {
        case reset, stall, end
    }

    private let bytes = gif()
    private let whole = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n"

    private func run(
        stallMilliseconds: Int = 200_000,
        _ script: @escaping @Sendable (RawConnection, Int, String) -> Void
    ) async throws -> (state: Download.State, bytes: [UInt8], requests: [String], progress: Download.Progress) {
        let server = try RawServer { connection, number in script(connection, number, connection.readHead()) }
        let client = CurlHTTPClient(options { $0.stallMilliseconds = stallMilliseconds })
        let download = client.download(.init(url: server.base + "/key"))
        let result = await outcome(download)
        return (result.state, result.bytes, server.requests, download.progress)
    }

    private func cut(_ connection: RawConnection, _ how: Break, head: String, _ part: ArraySlice<UInt8>) {
        connection.send(head + "\r\n")
        connection.send(Array(part))
        switch how {
        case .reset: connection.reset()
        case .stall: connection.waitForHangUp()
        case .end: break
        }
    }

    @Test(
        "An interrupted download resumes with a range request", arguments: Break.allCases,
        ["ETag: \"v1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"])
    func rangeRequest(how: Break, validator: String) async throws {
        let bytes = bytes
        let result = try await run(stallMilliseconds: how == .stall ? 1_000 : 200_000) { [self] connection, number, _ in
            if number == 0 {
                return cut(
                    connection, how, head: whole + "Accept-Ranges: bytes\r\n\(validator)\r\n", bytes[..<30_000])
            }
            connection.send(
                "HTTP/1.1 206 Partial\r\nContent-Range: bytes 30000-99999/100000\r\nContent-Length: 70000\r\n\r\n")
            connection.send(Array(bytes[30_000...]))
        }
        #expect(result.state == .finished && result.bytes == bytes)
        #expect(result.requests.count == 2 && result.progress.retries == 1)
        #expect(result.requests[1].contains("\r\nRange: bytes=30000-\r\n"))
        let value = validator.split(separator: ":", maxSplits: 1)[1].dropFirst()
        #expect(result.requests[1].contains("\r\nIf-Range: \(value)\r\n"))
    }

    @Test("A range request follows a redirect to another origin")
    func redirectedRange() async throws {
        let bytes = bytes
        let media = try RawServer { [self] connection, number in
            connection.readHead()
            if number == 0 {
                let head = whole + "Accept-Ranges: bytes\r\nETag: \"v1\"\r\n"
                return cut(connection, .reset, head: head, bytes[..<30_000])
            }
            connection.send("HTTP/1.1 206 P\r\nContent-Range: bytes 30000-99999/100000\r\n")
            connection.send("Content-Length: 70000\r\n\r\n")
            connection.send(Array(bytes[30_000...]))
        }
        let target = media.base
        let front = try await LoopbackServer { _, _ in .init(302, headers: ["Location": target]) }
        let download = CurlHTTPClient(options()).download(.init(url: front.base, headers: ["X-Key": "k"]))
        let result = await outcome(download)
        #expect(result.state == .finished && result.bytes == bytes)
        #expect(media.requests.map { $0.contains("\r\nRange: bytes=30000-\r\n") } == [false, true])
        #expect(media.requests.allSatisfy { !$0.contains("X-Key") })
    }

    @Test(
        "Without range support, the whole file is requested again, and the bytes received earlier are skipped",
        arguments: Break.allCases)
    func withoutRanges(how: Break) async throws {
        let bytes = bytes
        let result = try await run(stallMilliseconds: how == .stall ? 1_000 : 200_000) { [self] connection, number, _ in
            if number == 0 { return cut(connection, how, head: whole, bytes[..<30_000]) }
            connection.send(whole + "\r\n")
            connection.send(bytes)
        }
        #expect(result.state == .finished && result.bytes == bytes)
        #expect(result.requests.allSatisfy { !$0.contains("Range:") })
    }

    @Test("No range request is sent if the entity tag is weak")
    func weakEntityTag() async throws {
        let bytes = bytes
        let result = try await run { [self] connection, number, _ in
            let head = whole + "Accept-Ranges: bytes\r\nETag: W/\"v1\"\r\n"
            if number == 0 { return cut(connection, .reset, head: head, bytes[..<30_000]) }
            connection.send(head + "\r\n")
            connection.send(bytes)
        }
        #expect(result.state == .finished && result.bytes == bytes)
        #expect(result.requests.allSatisfy { !$0.contains("Range:") })
    }

    @Test(
        "If a retry sends other bytes or another entity tag, its bytes are not appended, and the download fails",
        arguments: [false, true])
    func changed(hasEntityTags: Bool) async throws {
        let bytes = bytes
        let result = try await run { [self] connection, number, _ in
            let head = whole + (hasEntityTags ? "Accept-Ranges: bytes\r\nETag: \"v\(number)\"\r\n" : "")
            if number == 0 { return cut(connection, .reset, head: head, bytes[..<30_000]) }
            connection.send(head + "\r\n")
            connection.send(gif(seed: 11))
        }
        #expect(result.state == .failed(.changed(host: "127.0.0.1")))
        #expect(result.bytes == Array(bytes[..<30_000]))
    }

    @Test(
        "A response with a wrong range is discarded, and the whole file is requested",
        arguments: [
            "bytes 0-99999/100000", "bytes 30001-99999/100000", "bytes 30000-99999/123456", "pages 1-2/3", "",
        ])
    func wrongRange(range: String) async throws {
        let bytes = bytes
        let result = try await run { [self] connection, number, head in
            let ranged = whole + "Accept-Ranges: bytes\r\nETag: \"v1\"\r\n"
            if number == 0 { return cut(connection, .reset, head: ranged, bytes[..<30_000]) }
            if head.contains("Range:") {
                connection.send("HTTP/1.1 206 Partial\r\nContent-Range: \(range)\r\nContent-Length: 70000\r\n\r\n")
                connection.send([UInt8](repeating: 1, count: 70_000))
                return
            }
            connection.send(whole + "\r\n")
            connection.send(bytes)
        }
        #expect(result.state == .finished && result.bytes == bytes)
        #expect(result.requests.count == 3)
    }

    @Test("A download is complete if the server reports that the file has no further bytes")
    func noFurtherBytes() async throws {
        // Without the trailer, the download depends on the server to know its end.
        let bytes = Array(bytes.dropLast())
        let result = try await run { [self] connection, number, _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100001\r\nAccept-Ranges: bytes\r\nETag: \"v1\"\r\n"
            if number == 0 { return cut(connection, .end, head: head, bytes[...]) }
            connection.send("HTTP/1.1 416 No\r\nContent-Range: bytes */99999\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(result.state == .finished && result.bytes == bytes)
    }

    @Test("A download that is interrupted in its first bytes is retried")
    func earlyBreak() async throws {
        let bytes = bytes
        let result = try await run { [self] connection, number, _ in
            if number < 2 { return cut(connection, .reset, head: whole, bytes[..<(number + 1)]) }
            connection.send(whole + "\r\n")
            connection.send(bytes)
        }
        #expect(result.state == .finished && result.bytes == bytes)
    }

    @Test("A download is retried as long as each attempt receives new bytes")
    func progressingAttempts() async throws {
        let large = gif(1_000_000)
        let result = try await run { connection, number, head in
            let validator = "ETag: \"v1\"\r\nAccept-Ranges: bytes\r\n"
            let start = number * 100_000
            let status =
                number == 0
                ? "200 OK\r\nContent-Length: 1000000"
                : "206 P\r\nContent-Range: bytes \(start)-999999/1000000\r\nContent-Length: \(1_000_000 - start)"
            connection.send("HTTP/1.1 \(status)\r\n\(validator)\r\n")
            connection.send(Array(large[start..<min(start + 100_000, 1_000_000)]))
            connection.reset()
        }
        #expect(result.state == .finished && result.bytes == large)
        #expect(result.requests.count == 10)
    }

    @Test("A request without any answer within the timeout is not repeated")
    func silentServer() async throws {
        let result = try await run(stallMilliseconds: 300) { connection, _, _ in connection.waitForHangUp() }
        guard case .failed(let error) = result.state else { return #expect(result.state != .finished) }
        #expect(error.kind == .timedOut && result.requests.count == 1)
    }

    @Test("A download fails after three retries without progress, and the received bytes stay readable")
    func exhaustedRetries() async throws {
        let bytes = bytes
        let result = try await run(stallMilliseconds: 500) { [self] connection, number, _ in
            if number == 0 { return cut(connection, .stall, head: whole, bytes[..<30_000]) }
            connection.waitForHangUp()
        }
        // The message states the time since the last byte, not that of the last request.
        guard case .failed(let error) = result.state else { return #expect(result.state != .finished) }
        #expect(error.kind == .timedOut && error != .timedOut(host: "127.0.0.1", milliseconds: 500))
        #expect(result.bytes == Array(bytes[..<30_000]))
        #expect(result.requests.count == 4)
    }

    @Test("A download that delivers less than 1 kB in the allowed time fails without a retry")
    func slowDownload() async throws {
        let start = Array(bytes[..<2_500])
        let server = try RawServer { [whole] connection, _ in
            connection.readHead()
            connection.send(whole + "\r\n")
            connection.send(start)
            connection.waitForHangUp()
        }
        let client = CurlHTTPClient(options { $0.slowMilliseconds = 300 })
        let result = await outcome(client.download(.init(url: server.base)))
        #expect(result.state == .failed(.tooSlow(host: "127.0.0.1", milliseconds: 300)))
        #expect(result.bytes == start && server.requests.count == 1)
    }

    @Test("A download that receives no bytes is reported as stalled until bytes arrive")
    func stalledDownload() async throws {
        let bytes = bytes
        let gate = Gate()
        let server = try RawServer { [whole] connection, _ in
            connection.readHead()
            connection.send(whole + "\r\n")
            connection.send(Array(bytes[..<5_000]))
            gate.wait()
            connection.send(Array(bytes[5_000...]))
        }
        let clock = ManualWaitClock()
        let download = CurlHTTPClient(options(clock)).download(.init(url: server.base))
        let source = download.source
        try await onOwnThread { _ = readExactly(5_000, source) }
        #expect(!download.progress.isStalled)
        clock.advance(1_500)
        #expect(download.progress.isStalled)
        gate.open()
        let result = await outcome(download)
        #expect(result.state == .finished && result.bytes == bytes)
        #expect(!download.progress.isStalled)
    }
}

/// A clock that only the test advances. Waits return immediately.
private final class ManualWaitClock: WaitClock {
    private let time = Monitor(1_000_000)
    var milliseconds: Int { time.withLock { $0 } }
    var unixSeconds: Int { 0 }

    func advance(_ span: Int) { time.withLock { $0 += span } }

    func wait(milliseconds: Int) async throws {}
}
