import Base
import Catalog
import Glibc
import Synchronization
import TestServer
import Testing

@testable import Application

@Suite("Notices")
struct NoticesTests {
    private static func second(_ number: Int64) -> Instant { Instant(nanoseconds: number * Span.second) }

    private func settings(_ additions: [String: String] = [:]) throws -> Settings {
        try Settings(size: (80, 48), environment: additions)
    }

    @Test("A listener receives each pending notice and each later notice once")
    func listener() {
        let notices = Notices()
        notices.post(.keyRefused(variable: "GIPHY_API_KEY"))
        let heard = Mutex<[Notices.Notice]>([])
        notices.listen { notice in heard.withLock { $0.append(notice) } }
        for _ in 0..<2 { notices.post(.contactRequired) }
        notices.post(.keyRefused(variable: "GIPHY_API_KEY"))
        #expect(heard.withLock { $0 } == [.keyRefused(variable: "GIPHY_API_KEY"), .contactRequired])
        #expect(notices.takeUndisplayed().isEmpty)
    }

    @Test("Each lost connection is reported to the listener, but not to the player")
    func noConnection() throws {
        let notices = Notices()
        let failure = Failure.unreachable(host: "h", reason: "refused").of("commons")
        let settings = try settings().reporting(to: notices)
        settings.catalog.onFailure(failure)
        #expect(notices.current(at: Self.second(1)) == nil && notices.takeUndisplayed().isEmpty)
        let heard = Mutex<[Notices.Notice]>([])
        notices.listen { notice in heard.withLock { $0.append(notice) } }
        for _ in 0..<2 { settings.catalog.onFailure(failure) }
        #expect(heard.withLock { $0 } == [.noConnection, .noConnection])
    }

    @Test("A notice is posted if an API key is refused, or if Wikimedia returns status 429 and no contact is set")
    func sources() throws {
        let notices = Notices()
        let settings = try settings().reporting(to: notices)
        settings.catalog.onFailure(Failure.outage.of("giphy"))
        settings.fetch.onTooManyRequests("media.giphy.com")
        #expect(notices.takeUndisplayed().isEmpty)
        settings.catalog.onFailure(Failure.keyRefused(variable: "K", message: nil).of("giphy"))
        settings.fetch.onTooManyRequests("upload.wikimedia.org")
        #expect(notices.takeUndisplayed() == [.keyRefused(variable: "K"), .contactRequired])
        let others = Notices()
        try self.settings(["GIFPLAY_CONTACT": "me@example.org"]).reporting(to: others)
            .fetch.onTooManyRequests("upload.wikimedia.org")
        #expect(others.takeUndisplayed().isEmpty)
    }

    @Test("The user agent contains the contact, or the project's address if no contact is set")
    func agent() throws {
        #expect(try settings().fetch.userAgent == "gifplay/\(Product.version)")
        #expect(
            try settings(["GIFPLAY_CONTACT": "me@example.org"]).fetch.userAgent
                == "gifplay/\(Product.version) (me@example.org)")
    }

    @Test("Several notices are displayed one after the other, each once for five seconds, even if it was posted twice")
    func several() {
        let notices = Notices()
        #expect(notices.current(at: Self.second(0)) == nil)
        for _ in 0..<2 { notices.post(.contactRequired) }
        notices.post(.keyRefused(variable: "K"))
        let displayed = [1, 5, 6, 10, 11].map { notices.current(at: Self.second($0)) }
        let key = Notices.Notice.keyRefused(variable: "K")
        #expect(displayed == [.contactRequired, .contactRequired, key, key, nil] && notices.takeUndisplayed().isEmpty)
    }

    @Test("Each variable with a refused API key has its own notice; a displayed notice is not returned as undisplayed")
    func undisplayed() {
        let notices = Notices()
        notices.post(.keyRefused(variable: "A"))
        notices.post(.keyRefused(variable: "B"))
        #expect(notices.current(at: Self.second(1)) == .keyRefused(variable: "A"))
        #expect(notices.takeUndisplayed() == [.keyRefused(variable: "B")])
        #expect(notices.takeUndisplayed().isEmpty)
    }
}

@Suite("Failure log") struct FailureLogTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var log: FailureLog { FailureLog(cacheDirectory: folder.path + "/gifplay/media") }

    private func failure(_ source: String, _ reason: Failure = .outage) -> Failure { reason.of(source) }

    @Test("The log is beside the media cache; without a cache, nothing is logged")
    func path() {
        #expect(log.path == folder.path + "/gifplay/failures.json")
        let none = FailureLog(cacheDirectory: nil)
        none.record(failure("commons"))
        #expect(none.path == nil && none.entries.isEmpty && none.recent.isEmpty)
    }

    @Test("A FIFO in place of the log blocks no writer", .timeLimit(.minutes(1)))
    func fifo() throws {
        log.record(failure("commons"))
        let path = try #require(log.path)
        #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        log.record(failure("giphy"))
        #expect(log.entries.isEmpty)
    }

    @Test("A new failure replaces only the previous failure of the same source")
    func merges() {
        log.record(failure("commons"))
        log.record(failure("giphy"))
        log.record(failure("giphy", .refused(status: 500, message: nil, retryAfterSeconds: nil)))
        #expect(
            log.entries.mapValues(\.message)
                == ["commons": "reported an outage", "giphy": "HTTP 500, server error"])
        #expect(log.entries.values.allSatisfy { abs($0.seconds - time(nil)) < 60 })
    }

    @Test("Only failures of the last minute are recent")
    func recent() throws {
        log.record(failure("old"))
        let now = time(nil)
        let entries = ["old": now - 61, "new": now - 10, "future": now + 1_000].map { name, seconds in
            "\"\(name)\":{\"seconds\":\(seconds),\"sentence\":\"reported an outage\"}"
        }
        try folder.write(Array("{\(entries.joined(separator: ","))}".utf8), to: "gifplay/failures.json")
        #expect(log.recent.keys.sorted() == ["new"])
        #expect((1...50).contains(log.recent["new"] ?? 0))
    }

    @Test("A damaged log counts as empty, and the next failure replaces it")
    func damaged() throws {
        log.record(failure("commons"))
        try folder.write(Array("{\"commons\":".utf8), to: "gifplay/failures.json")
        #expect(log.entries.isEmpty)
        log.record(failure("giphy"))
        #expect(log.entries.keys.sorted() == ["giphy"])
    }

    @Test(
        "The age of a failure is printed in minutes, hours or days, or as 'just now' if it is under a minute",
        arguments: [
            (-1_000, "just now"), (30, "just now"), (90, "1 minute ago"), (200, "3 minutes ago"),
            (4_000, "1 hour ago"), (8_000, "2 hours ago"), (90_000, "1 day ago"), (900_000, "10 days ago"),
        ])
    func age(seconds: Int, text: String) {
        #expect(FailureLog.age(FailureLog.Entry(seconds: time(nil) - seconds, message: "")) == text)
    }
}

@Suite("Health of media hosts") struct HostHealthTests {
    private static let url = "https://media.example.org/a/b.gif?c=d"
    private let health = SourceHealth()

    private func coolDownMessage(of url: String) -> String? {
        health.coolDown(of: .host(WebAddress.authority(url)))?.reason.message
    }

    @Test(
        "A host cools down after a refusal, a server error or a failed connection",
        arguments: [
            Failure.status(403, host: "h"), .status(429, host: "h"), .status(500, host: "h"), .status(503, host: "h"),
            .timedOut(host: "h", milliseconds: 1), .unreachable(host: "h", reason: "r"),
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
