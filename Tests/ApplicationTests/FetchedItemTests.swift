import Catalog
import TestServer
import Testing

@testable import Application

@Suite("Fetched item", .timeLimit(.minutes(5)))
struct FetchedItemTests {
    private let session: ServiceSession

    init() throws { session = ServiceSession(try Settings(size: (80, 48), environment: [:])) }

    private func item(_ download: Download) -> FetchedItem {
        FetchedItem(item: .address("https://a.example/a.gif"), content: .download(download))
    }

    @Test("The note on a running download shows the received and the expected size; a finished one has no note")
    func note() async throws {
        let gate = Gate()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\nGIF89a")
            gate.wait()
            connection.send([UInt8](repeating: 0, count: 2_994))
        }
        defer { session.close() }
        let download = session.client.download(.init(url: server.base, mayBeLocal: true))
        _ = await download.waitForStart()
        #expect(DownloadNote.text(download, in: .english)?.contains("6 B of 3 kB") == true)
        #expect(DownloadNote.text(download, in: .german)?.contains("6 B von 3 kB") == true)
        gate.open()
        #expect(await download.waitForEnd() == .finished)
        #expect(DownloadNote.text(download, in: .english) == nil && item(download).downloadFailure == nil)
    }

    @Test("A failed download has a reason; a cancelled one has none")
    func failures() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            if number == 0 { connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") }
            connection.waitForHangUp()
        }
        defer { session.close() }
        let missing = session.client.download(.init(url: server.base, mayBeLocal: true))
        _ = await missing.waitForEnd()
        #expect(item(missing).downloadFailure == .status(404, host: "127.0.0.1"))
        #expect(DownloadNote.text(missing, in: .english) == "the download failed")
        #expect(DownloadNote.text(missing, in: .german) == "Download fehlgeschlagen")
        let cancelled = session.client.download(.init(url: server.base, mayBeLocal: true))
        cancelled.cancel()
        _ = await cancelled.waitForEnd()
        #expect(item(cancelled).downloadFailure == nil)
    }
}
