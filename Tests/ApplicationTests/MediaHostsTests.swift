import Catalog
import Fetching
import Synchronization
import Testing

@testable import Application

@Suite struct MediaHostsTests {
    private final class ManualClock: Sendable {
        private let instant = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { instant.withLock { $0 } }
        func advance(_ span: Duration) { instant.withLock { $0 += span } }
    }

    private static let url = "https://media.example.org/a/b.gif?c=d"

    @Test(
        "A host cools down for a minute after a refusal, a server error or a failed connection",
        arguments: [
            FetchError.status(403, host: "h"), .status(429, host: "h"), .status(500, host: "h"),
            .status(503, host: "h"), .transport(.timedOut(host: "h", milliseconds: 1)),
            .transport(.unreachable(host: "h", reason: "r")),
        ])
    func coolsDown(error: FetchError) {
        let clock = ManualClock()
        let hosts = MediaHosts(now: { clock.now })
        hosts.recordFailure(error, of: Self.url)
        #expect(hosts.coolDownReason(of: "https://media.example.org/other.gif") == ErrorMessages.describe(error))
        #expect(hosts.coolDownReason(of: "https://media.example.org:8443/other.gif") == nil)
        #expect(hosts.coolDownReason(of: "https://example.org/b.gif") == nil)
        clock.advance(.seconds(60))
        #expect(hosts.coolDownReason(of: Self.url) == nil)
    }

    @Test(
        "A missing, invalid or truncated file, or a cancelled download, does not start a cool-down of the host",
        arguments: [
            FetchError.status(404, host: "h"), .notGIF(.html, host: "h"), .empty(host: "h"),
            .transport(.cancelled), .cut(received: 1, expected: 2, host: "h"),
        ])
    func staysUsable(error: FetchError) {
        let hosts = MediaHosts()
        hosts.recordFailure(error, of: Self.url)
        #expect(hosts.coolDownReason(of: Self.url) == nil)
    }
}
