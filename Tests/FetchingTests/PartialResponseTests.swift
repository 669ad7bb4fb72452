import Base
import TestServer
import Testing

@testable import Catalog

/// Tests that a part of a GIF is never stored as a complete one.
@Suite(.timeLimit(.minutes(5))) struct PartialResponseTests {
    private static let half = Array(gif().prefix(50_000))

    @Test(
        "A part of a GIF plays as far as it goes, is an error, and is not stored",
        arguments: [
            "206 Partial\r\nContent-Length: 50000",
            "206 Partial\r\nContent-Range: bytes 0-49999/*\r\nContent-Length: 50000",
            "206 Partial\r\nContent-Range: bytes 0-49999/100000\r\nContent-Length: 50000",
            "206 Partial\r\nContent-Range: bytes 0-49999/*\r\nTransfer-Encoding: chunked",
            "206 Partial\r\nContent-Range: text\r\nContent-Length: 50000", "200 OK\r\nContent-Length: 100000",
            "203 Other\r\nContent-Length: 60000",
        ])
    func isNotStored(head: String) async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 " + head + "\r\n\r\n")
            let isChunked = head.contains("chunked")
            if isChunked { connection.send(String(Self.half.count, radix: 16) + "\r\n") }
            connection.send(Self.half)
            if isChunked { connection.send("\r\n0\r\n\r\n") }
        }
        let store = SessionMediaStore()
        let result = await outcome(CurlHTTPClient(options()).download(.init(url: server.base, store: store)))
        let error = if case .failed(let error) = result.state { error.message } else { "" }
        #expect(error.contains("ended after \(ByteSize.file(Self.half.count))"), "\(result.state)")
        #expect(result.bytes == Self.half && store.read(server.base) == nil)
    }

    @Test("The rest of a GIF of unknown length is not complete without its trailer")
    func rest() async throws {
        for end in [90_000, 100_000] {
            let server = try RawServer { connection, number in
                connection.readHead()
                if number > 0 {
                    connection.send("HTTP/1.1 206 Rest\r\nContent-Range: bytes 50000-\(end - 1)/*\r\n")
                    connection.send("Content-Length: \(end - 50_000)\r\n\r\n")
                    connection.send(Array(gif()[50_000..<end]))
                    return
                }
                connection.send("HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nETag: \"a\"\r\n")
                connection.send("Transfer-Encoding: chunked\r\n\r\nffffff\r\n")
                connection.send(Self.half)
                connection.reset()
            }
            let store = SessionMediaStore()
            let client = CurlHTTPClient(options { $0.retry.retries = 1 })
            let result = await outcome(client.download(.init(url: server.base, store: store)))
            #expect((result.state == .finished) == (end == 100_000), "\(result.state)")
            #expect((store.read(server.base) == gif()) == (end == 100_000))
        }
    }
}
