import Base
import Catalog
import Testing

@testable import Application

@Suite("Health of media hosts") struct HostHealthTests {
    private static let url = "https://media.example.org/a/b.gif?c=d"
    private let health = SourceHealth()

    private func coolDownMessage(of url: String) -> String? {
        health.coolDown(of: .host(WebAddress.authority(url)))?.reason.message
    }

    @Test(
        "A host cools down after a refusal, a server error or a failed connection",
        arguments: [
            Failure.status(403, host: "h"), .status(429, host: "h"), .status(500, host: "h"),
            .status(503, host: "h"), .timedOut(host: "h", milliseconds: 1),
            .unreachable(host: "h", reason: "r"),
        ])
    func coolsDown(error: Failure) {
        health.recordFailure(error, at: Self.url)
        #expect(coolDownMessage(of: "https://media.example.org/other.gif") == error.message)
        #expect(coolDownMessage(of: "https://media.example.org:8443/other.gif") == nil)
        #expect(coolDownMessage(of: "https://example.org/b.gif") == nil)
        health.recordSuccess(of: Self.url)
        #expect(coolDownMessage(of: Self.url) == nil)
    }

    @Test(
        "A missing, invalid or truncated file, or a cancelled download, does not start a cool-down of the host",
        arguments: [
            Failure.status(404, host: "h"), .notGIF(.html, host: "h"), .empty(host: "h"),
            .cancelled, .cut(received: 1, expected: 2, host: "h"),
        ])
    func staysUsable(error: Failure) {
        health.recordFailure(error, at: Self.url)
        #expect(coolDownMessage(of: Self.url) == nil)
    }
}
