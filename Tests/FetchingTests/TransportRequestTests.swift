import Testing

@testable import Catalog

@Suite struct TransportRequestTests {
    private func lines(_ headers: [String: String], isAtOrigin: Bool) throws -> [String] {
        let request = TransportRequest(
            address: try CurlHTTPClient(options()).address("https://example.org/"), headers: headers,
            rangeHeaders: ["Range": "bytes=3-"], mayBeLocal: true)
        return request.headerLines(isAtOrigin: isAtOrigin).sorted()
    }

    @Test("Custom headers are sent only to the origin, and range headers are sent to every address")
    func origin() throws {
        #expect(try lines(["X-Key": "k"], isAtOrigin: true) == ["Range: bytes=3-", "X-Key: k"])
        #expect(try lines(["X-Key": "k"], isAtOrigin: false) == ["Range: bytes=3-"])
    }

    @Test(
        "A header field with a control character other than a tab is omitted",
        arguments: ["a\r\nb", "a\nb", "a\0b", "\u{1B}"])
    func controlCharacters(text: String) throws {
        let lines = try lines(["X-A": text, text: "v", "X-B": "c\td"], isAtOrigin: true)
        #expect(lines == ["Range: bytes=3-", "X-B: c\td"])
    }
}
