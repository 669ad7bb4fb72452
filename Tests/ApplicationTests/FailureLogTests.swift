import Base
import Catalog
import Glibc
import TestServer
import Testing

@testable import Application

@Suite("Failure log") struct FailureLogTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var log: FailureLog { FailureLog(cacheDirectory: folder.path + "/gifplay/media") }

    private func failure(_ source: String, _ reason: Failure = .outage) -> Failure {
        reason.of(source)
    }

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
