import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct StorageRuleTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:50:37 GMT"

    @Test(
        "A GIF outlives the run only if its response allows reuse without validation",
        arguments: [
            ([:], true), (["etag": "\"a\"", "last-modified": date], true),
            (["cache-control": "max-age=31536000, immutable"], true), (["cache-control": "public, max-age=60"], true),
            (["cache-control": "max-age=60", "age": "120"], true), (["cache-control": "private"], true),
            (["cache-control": "private=\"Set-Cookie\", max-age=60"], true),
            (["cache-control": "no-cache=\"Set-Cookie\""], true), (["cache-control": ""], true),
            (["cache-control": "s-maxage=0, proxy-revalidate, no-transform"], true),
            (["cache-control": "max-age=99999999999999999999"], true), (["cache-control": "max-age=\"60\""], true),
            (["cache-control": "MAX-AGE=60"], true), (["cache-control": "max-age=60", "expires": "0"], true),
            (["expires": later, "date": date], true), (["expires": later], true), (["pragma": "no-cache"], true),
            (["vary": "Accept-Encoding, User-Agent"], true), (["cache-control": "x-no-store, stale-if-error=0"], true),
            (["cache-control": "no-store"], false), (["cache-control": "max-age=60,NO-STORE"], false),
            (["cache-control": "no-store, must-understand"], false),
            (["cache-control": "\tno-cache , max-age=60"], false),
            (["cache-control": "must-revalidate, max-age=31536000"], false),
            (["cache-control": "extension=\"a, no-store, b\""], false),
            (["cache-control": "max-age=0"], false), (["cache-control": "max-age=00"], false),
            (["cache-control": "max-age=-60"], false), (["cache-control": "max-age=soon"], false),
            (["cache-control": "max-age="], false), (["cache-control": "max-age=0, max-age=60"], false),
            (["expires": "0"], false), (["expires": "-1"], false), (["expires": date, "date": later], false),
            (["expires": date, "date": date], false), (["expires": date], false),
            (["vary": "*"], false), (["vary": "Accept, *", "cache-control": "max-age=60"], false),
        ] as [([String: String], Bool)])
    func table(headers: [String: String], allowsDisk: Bool) {
        #expect(StoredResponse.allowsDisk(headers, unixSeconds: 784_111_777) == allowsDisk)
    }

    @Test(
        "A GIF that must not outlive the run is stored in the store for the run",
        arguments: [
            ("Cache-Control: max-age=60\r\n", true),
            ("Cache-Control: no-store\r\nCache-Control: max-age=60\r\n", false),
        ])
    func stores(headers: String, mayOutliveRun: Bool) async throws {
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(gif().count)\r\n\(headers)\r\n")
            connection.send(gif())
        }
        let (disk, memory) = (SessionMediaStore(), SessionMediaStore())
        var request = Download.Request(url: server.base, store: disk)
        request.runStore = memory
        let download = CurlHTTPClient(options()).download(request)
        #expect(await download.waitForEnd() == .finished)
        #expect(download.mayOutliveRun == mayOutliveRun)
        #expect((mayOutliveRun ? disk : memory).read(server.base) == gif())
        #expect((mayOutliveRun ? memory : disk).read(server.base) == nil)
    }

    @Test("If only the response to a retry forbids to keep the GIF, it is not stored")
    func stricterRetry() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            let rule = number == 0 ? "" : "Cache-Control: no-store\r\n"
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(gif().count)\r\n\(rule)\r\n")
            connection.send(Array(gif().prefix(number == 0 ? 50_000 : gif().count)))
        }
        let (disk, memory) = (SessionMediaStore(), SessionMediaStore())
        var request = Download.Request(url: server.base, store: disk)
        request.runStore = memory
        let download = CurlHTTPClient(options()).download(request)
        #expect(await download.waitForEnd() == .finished)
        #expect(disk.read(server.base) == nil && memory.read(server.base) == nil && !download.mayOutliveRun)
    }
}
