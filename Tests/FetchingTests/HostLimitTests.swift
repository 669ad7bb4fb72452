import Catalog
import Synchronization
import TestServer
import Testing

@testable import Fetching

@Suite(.timeLimit(.minutes(15))) struct HostLimitTests {
    @Test func `no more downloads run from a host than it allows, and the others follow`() async throws {
        let begun = Mutex(0)
        let (arrivals, gates) = ((0..<5).map { _ in Gate() }, (0..<5).map { _ in Gate() })
        let server = try RawServer { connection, _ in
            guard !connection.readHead().isEmpty else { return }
            let number = begun.withLock { begun in
                defer { begun += 1 }
                return begun
            }
            arrivals[min(number, 4)].open()
            gates[min(number, 4)].wait()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n")
            connection.send(gif(100))
        }
        let listings = try await LoopbackServer { _, _ in .init(text: "[]") }
        let client = CurlHTTPClient(options { $0.downloadsAtOnce = { _ in 2 } })
        let downloads = (0..<5).map { client.download(.init(url: "\(server.base)/\($0)")) }
        for count in 2...5 {
            await waiting { arrivals[count - 1].wait() }
            // A whole exchange on the same thread: one more download would have begun before it.
            for _ in 0..<3 { _ = try await client.get(patientRequest(url: listings.base)) }
            #expect(begun.withLock { $0 } == count)
            gates[count - 2].open()
        }
        gates[4].open()
        for download in downloads { #expect(await download.end() == .finished) }
    }

    @Test func `a download that waits for its host can be cancelled, and a listing does not wait`() async throws {
        let (arrival, gate) = (Gate(), Gate())
        let server = try RawServer { connection, _ in
            if connection.readHead().contains("/first") {
                arrival.open()
                gate.wait()
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]")
        }
        let client = CurlHTTPClient(options { $0.downloadsAtOnce = { _ in 1 } })
        let first = client.download(.init(url: server.base + "/first"))
        let second = client.download(.init(url: server.base + "/second"))
        await waiting { arrival.wait() }
        #expect(try await client.get(patientRequest(url: server.base + "/listing")).status == 200)
        second.cancel()
        #expect(await second.end() == .failed(.transport(.cancelled)))
        gate.open()
        _ = await first.end()
        #expect(!server.requests.contains { $0.contains("/second") })
    }

    @Test(arguments: [
        ("upload.wikimedia.org", 2), ("COMMONS.wikimedia.org", 2), ("wikimedia.org", 2), ("de.wikipedia.org", 2),
        ("notwikimedia.org", 6), ("wikimedia.org.example", 6), ("media.giphy.com", 6),
    ])
    func `Wikimedia's hosts give two files at once, others six`(host: String, count: Int) {
        #expect(FetchOptions(userAgent: "").downloadsAtOnce(host) == count)
    }
}
