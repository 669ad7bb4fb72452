import Synchronization
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct HostLimitTests {
    @Test("If a host's download limit is reached, further downloads wait until others end")
    func concurrentDownloads() async throws {
        let begun = Mutex(0)
        let (arrivals, gates) = ((0..<5).map { _ in Gate() }, (0..<5).map { _ in Gate() })
        let server = try Self.server {
            let number = begun.withLock { begun in
                defer { begun += 1 }
                return begun
            }
            arrivals[min(number, 4)].open()
            gates[min(number, 4)].wait()
        }
        let client = CurlHTTPClient(options { $0.maximumDownloads = { _ in 2 } })
        #expect(try await client.get(longTimeoutRequest(url: server.base + "/listing")).status == 200)
        let downloads = (0..<5).map { client.download(.init(url: "\(server.base)/\($0)")) }
        for count in 2...5 {
            try await onOwnThread { arrivals[count - 1].wait() }
            // These requests and the downloads use the same transfer thread. If the limit were not enforced, the extra
            // download would have begun by the time these requests end.
            for _ in 0..<3 { _ = try await client.get(longTimeoutRequest(url: server.base + "/listing")) }
            #expect(begun.withLock { $0 } == count)
            gates[count - 2].open()
        }
        gates[4].open()
        for download in downloads { #expect(await download.waitForEnd() == .finished) }
    }

    @Test("A waiting download can be cancelled, and a listing request does not wait for downloads")
    func waitingDownload() async throws {
        let (arrival, gate) = (Gate(), Gate())
        let server = try Self.server {
            arrival.open()
            gate.wait()
        }
        let client = CurlHTTPClient(options { $0.maximumDownloads = { _ in 1 } })
        #expect(try await client.get(longTimeoutRequest(url: server.base + "/listing")).status == 200)
        let first = client.download(.init(url: server.base + "/first"))
        try await onOwnThread { arrival.wait() }
        let second = client.download(.init(url: server.base + "/second"))
        #expect(try await client.get(longTimeoutRequest(url: server.base + "/listing")).status == 200)
        second.cancel()
        #expect(await second.waitForEnd() == .failed(.cancelled))
        gate.open()
        #expect(await first.waitForEnd() == .finished)
        #expect(!server.requests.contains { $0.contains("/second") })
    }

    /// Returns a server that responds to listings immediately, and to any other request when `wait` returns.
    ///
    /// Tests request a listing first, so that libcurl learns that the server does not multiplex connections. Otherwise,
    /// because of `CURLOPT_PIPEWAIT`, all other requests would wait for the first response.
    private static func server(_ wait: @escaping @Sendable () -> Void) throws -> RawServer {
        try RawServer { connection, _ in
            while true {
                let head = connection.readHead()
                guard !head.isEmpty else { return }
                let isListing = head.contains("/listing")
                if !isListing { wait() }
                let body = isListing ? Array("[]".utf8) : gif(100)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.send(body)
            }
        }
    }

    @Test(
        "The limit is two concurrent downloads for Wikimedia's hosts and six for other hosts",
        arguments: [
            ("upload.wikimedia.org", 2), ("COMMONS.wikimedia.org", 2), ("wikimedia.org", 2), ("de.wikipedia.org", 2),
            ("notwikimedia.org", 6), ("wikimedia.org.example", 6), ("media.giphy.com", 6),
        ])
    func limits(host: String, count: Int) {
        #expect(FetchOptions(userAgent: "").maximumDownloads(host) == count)
    }
}
