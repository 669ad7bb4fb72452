import Base
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(5))) struct StoredResponseTests {
    /// The date of the tests, in seconds since 1970 and as text.
    private static let now = 784_111_777
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let minuteLater = "Sun, 06 Nov 1994 08:50:37 GMT"
    private static let hourEarlier = "Sun, 06 Nov 1994 07:49:37 GMT"
    private static let yearEarlier = "Sat, 06 Nov 1993 08:49:37 GMT"

    @Test(
        "A response is fresh for max-age, or until Expires, or a tenth of its age, or a minute",
        arguments: [
            ([:], 60), (["etag": "\"a\""], 60), (["cache-control": "public"], 60), (["pragma": "no-cache"], 60),
            (["cache-control": "max-age=1"], 1), (["cache-control": "MAX-AGE=\"5\", public"], 5),
            (["cache-control": "max-age=0"], 0), (["cache-control": "max-age=-5"], 0),
            (["cache-control": "max-age=soon"], 0), (["cache-control": "max-age=3, max-age=9"], 3),
            (["cache-control": "max-age=99999999999999999999"], 1 << 40), (["cache-control": "s-maxage=900"], 60),
            (["cache-control": "no-cache, max-age=60"], 0),
            (["cache-control": "no-cache=\"Set-Cookie\", max-age=60"], 60), (["cache-control": "no-store"], 0),
            (["cache-control": "must-revalidate, max-age=7"], 7), (["cache-control": "max-age=60", "age": "20"], 40),
            (["cache-control": "max-age=60", "age": "90"], 0), (["cache-control": "max-age=60", "age": "-5"], 60),
            (["cache-control": "max-age=60", "age": "x"], 60), (["cache-control": "max-age=9", "expires": "0"], 9),
            (["cache-control": "max-age=9", "last-modified": yearEarlier], 9),
            (["expires": minuteLater, "date": date], 60), (["expires": minuteLater], 60),
            (["expires": date, "date": date], 0), (["expires": date, "date": minuteLater], 0), (["expires": "0"], 0),
            (["expires": "-1", "date": date], 0),
            // The clock of the server is an hour behind.
            (["expires": date, "date": hourEarlier], 3_600), (["last-modified": hourEarlier, "date": date], 360),
            (["last-modified": hourEarlier], 360), (["last-modified": yearEarlier], 86_400),
            (["last-modified": date, "date": date], 0), (["last-modified": minuteLater, "date": date], 0),
            (["last-modified": "yesterday"], 60), (["last-modified": hourEarlier, "expires": minuteLater], 60),
        ] as [([String: String], Int)])
    func table(headers: [String: String], seconds: Int) {
        #expect(StoredResponse.freshSeconds(headers, receivedAt: Self.now) == seconds)
        let response = StoredResponse(address: "http://a/", received: Self.now, headers: headers)
        #expect(response.isFresh(at: Self.now + seconds - 1) == (seconds > 0))
        #expect(!response.isFresh(at: Self.now + seconds) && !response.isFresh(at: Self.now - 1))
        let afterRedirect = StoredResponse(
            address: "http://a/", received: Self.now, redirectSeconds: 0, headers: headers)
        #expect(!afterRedirect.isFresh(at: Self.now))
    }

    @Test("An entry is read as it was written, and has neither a response nor a GIF if any byte has changed")
    func format() throws {
        let response = StoredResponse(
            address: "http://a/b?key=secret", received: 1, redirectSeconds: 2,
            headers: ["etag": "W/\"x:y\"", "last-modified": Self.date, "set-cookie": "a"])
        #expect(StoredResponse(response.bytes) == response && StoredResponse([]) == nil && StoredResponse(gif()) == nil)
        #expect(!String(decoding: response.bytes, as: UTF8.self).contains("secret"))
        let root = try TemporaryDirectory()
        let cache = try MediaCache(directory: root.path + "/media")
        for response in [response, nil] {
            try cache.write(StoredGIF(bytes: gif(100), response: response), for: "u")
            #expect(cache.entry("u")?.bytes == gif(100) && cache.entry("u")?.response == response)
            var digest = SHA256()
            gif(100).withUnsafeBytes { digest.update($0) }
            let tail = response?.bytes ?? []
            let file = CacheEntry.header(length: 100, digest: digest, response: tail) + gif(100) + tail
            #expect(CacheEntry.entry(of: file)?.response == response && CacheEntry.content(of: file) == gif(100))
            for index in file.indices {
                var changed = file
                changed[index] ^= 1
                #expect(CacheEntry.entry(of: changed) == nil, "byte \(index)")
                #expect(CacheEntry.entry(of: Array(file.prefix(index))) == nil)
            }
        }
        #expect(try cache.statistics().entries == 1 && cache.countDamagedEntries() == 0)
    }

    @Test("Validators go only to the address that sent the GIF, and never a header with a line break")
    func validators() throws {
        let address = try #require(ParsedURL("http://a/x"))
        var request = TransportRequest(address: address, mayBeLocal: true)
        request.stored = StoredResponse(address: "http://a/x", received: 1, headers: ["etag": "\"1\""])
        #expect(request.headerLines(isAtOrigin: true, at: "http://a/x") == ["If-None-Match: \"1\""])
        #expect(request.headerLines(isAtOrigin: true, at: "http://a/y") == [])
        request.stored = StoredResponse(address: "http://a/x", received: 1, headers: ["etag": "\"1\"\r\nA: b"])
        #expect(request.headerLines(isAtOrigin: true, at: "http://a/x") == [])
    }
}
