import Base
import Pixels
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct DownloadTests {
    private let host = "127.0.0.1"

    private func download(_ url: String, _ clock: any WaitClock = RecordingClock(), limit: Int = 64 << 20) -> Download {
        CurlHTTPClient(options(clock)).download(.init(url: url, limit: limit))
    }

    @Test("A GIF is requested without compression, and the download reports its progress")
    func wholeGIF() async throws {
        let bytes = gif()
        let server = try await LoopbackServer { _, _ in .init(headers: ["Content-Type": "text/html"], body: bytes) }
        let download = download(server.base + "/a.gif")
        let result = await outcome(download)
        #expect(result.state == .finished)
        #expect(result.bytes == bytes)
        let progress = download.progress
        #expect(progress.received == bytes.count && progress.expected == bytes.count)
        #expect(progress.retries == 0 && !progress.isStalled)
        #expect(server.requests.first?.headers["accept-encoding"] == nil)
    }

    @Test("The first bytes can be read before the last bytes are sent")
    func earlyBytes() async throws {
        let bytes = gif()
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[..<1_000]))
            gate.wait()
            connection.send(Array(bytes[1_000...]))
        }
        let client = CurlHTTPClient(options())
        let download = client.download(.init(url: server.base))
        let source = download.source
        try await onOwnThread { _ = readExactly(1_000, source) }
        #expect(download.progress.received == 1_000)
        #expect(download.progress.state == .running)
        gate.open()
        let result = await outcome(download)
        #expect(result.state == .finished && result.bytes == bytes)
    }

    // MARK: - Responses that are not a GIF

    @Test(
        "A response that is not a GIF is recognised by its content, not by its Content-Type",
        arguments: [
            ("<!DOCTYPE html><title>x</title>", FileKind.html), ("{\"error\": 1}", .json), ("GI", .text),
            ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", .webp), ("\u{0}\u{0}\u{0}\u{18}ftypmp42", .mp4),
        ])
    func notGIF(text: String, kind: FileKind) async throws {
        let server = try await LoopbackServer { _, _ in .init(headers: ["Content-Type": "image/gif"], text: text) }
        let result = await outcome(download(server.base + "/a.gif"))
        #expect(result.state == .failed(.notGIF(kind, host: host)))
        #expect(result.bytes.isEmpty)
    }

    @Test("The download of an endless HTML page fails as soon as the file type is recognised")
    func endlessPage() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\n<html>")
            while connection.send([UInt8](repeating: 65, count: 10_000)) {}
        }
        let result = await outcome(download(server.base))
        #expect(result.state == .failed(.notGIF(.html, host: host)))
    }

    @Test("An empty response is reported as an error")
    func emptyResponse() async throws {
        let server = try await LoopbackServer { _, _ in .init() }
        #expect(await outcome(download(server.base)).state == .failed(.empty(host: host)))
    }

    @Test("A client error is reported with its status and is not retried", arguments: [401, 403, 404, 410, 414])
    func clientError(status: Int) async throws {
        let server = try await LoopbackServer { _, _ in .init(status, body: gif()) }
        let result = await outcome(download(server.base))
        #expect(result.state == .failed(.status(status, host: host)))
        #expect(result.bytes.isEmpty && server.requests.count == 1)
    }

    @Test("A download is retried after status 429 with a short Retry-After and after status 500")
    func retries() async throws {
        let server = try await LoopbackServer { _, number in
            switch number {
            case 0: .init(429, headers: ["Retry-After": "2"])
            case 1: .init(500)
            default: .init(body: gif())
            }
        }
        let clock = RecordingClock()
        let result = await outcome(download(server.base, clock))
        #expect(result.state == .finished && result.bytes == gif())
        #expect(clock.waits == [2_000, 200])
    }

    @Test("A download fails if Retry-After requests a wait of one day")
    func longRetryAfter() async throws {
        let server = try await LoopbackServer { _, _ in .init(429, headers: ["Retry-After": "86400"]) }
        #expect(await outcome(download(server.base)).state == .failed(.status(429, host: host, retryAfter: 86_400)))
    }

    // MARK: - Size limit

    @Test("A Content-Length above the limit is refused before the body is read")
    func announcedSize() async throws {
        let server = try await LoopbackServer { _, _ in .init(body: gif(2_000)) }
        let result = await outcome(download(server.base, limit: 1_999))
        #expect(result.state == .failed(.tooLarge(host: host, limit: 1_999, hint: "--max-bytes raises the limit")))
        #expect(result.bytes.isEmpty)
    }

    @Test("The download of an endless body ends at the size limit, and the received bytes stay readable")
    func endlessBody() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\nGIF89a")
            while connection.send([UInt8](repeating: 65, count: 10_000)) {}
        }
        let download = download(server.base, limit: 100_000)
        let result = await outcome(download)
        #expect(result.state == .failed(.tooLarge(host: host, limit: 100_000, hint: "--max-bytes raises the limit")))
        #expect(result.bytes.starts(with: "GIF89a".utf8) && result.bytes.count <= 100_000)
        #expect(download.progress.received == result.bytes.count)
    }

    // MARK: - Incomplete and cancelled downloads

    @Test("A body shorter than announced is reported as truncated, and the received bytes stay readable")
    func shortBody() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n")
            connection.send(Array(gif().dropLast()))
        }
        let clock = RecordingClock()
        let result = await outcome(download(server.base, clock))
        #expect(result.state == .failed(.cut(received: 99_999, expected: 200_000, host: host)))
        #expect(result.bytes == gif().dropLast())
        #expect(clock.waits == [100, 200, 400])
    }

    @Test("Bytes beyond the announced length are ignored")
    func longBody() async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            connection.send(gif() + gif())
        }
        let result = await outcome(download(server.base))
        #expect(result.state == .finished && result.bytes == gif())
    }

    @Test("Cancellation ends a download immediately, and the received bytes stay readable")
    func cancellation() async throws {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            connection.send(Array(gif().prefix(500)))
            gate.wait()
        }
        let download = CurlHTTPClient(options()).download(.init(url: server.base))
        let source = download.source
        try await onOwnThread { _ = readExactly(500, source) }
        let start = Instant.monotonic.milliseconds
        download.cancel()
        let result = await outcome(download)
        #expect(Instant.monotonic.milliseconds - start < 100_000)
        #expect(result.state == .failed(.cancelled))
        #expect(result.bytes == Array(gif().prefix(500)))
        gate.open()
    }

    @Test("A download from an invalid URL fails")
    func invalidURL() async {
        #expect(await outcome(download("cat.gif")).state == .failed(.invalidURL))
    }
}

/// Reads `count` bytes and blocks until they have arrived. Returns fewer bytes if the source ends or fails.
func readExactly(_ count: Int, _ source: GrowingByteSource) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
        let left = count - bytes.count
        let got = buffer.withUnsafeMutableBytes { buffer in
            (try? source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<left]))) ?? 0
        }
        guard got > 0 else { return bytes }
        bytes += buffer[..<got]
    }
    return bytes
}
