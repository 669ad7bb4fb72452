import Foundation
import TestServer
import TestSupport
import Testing

@testable import Catalog

/// Kills the program with SIGKILL at random events. The files on disk must be intact, and the next start must report no
/// error.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct KillTests {
    /// The total number of kills in both tests: the value of GIFPLAY_KILLS, or 30.
    private static let kills = ProcessInfo.processInfo.environment["GIFPLAY_KILLS"].flatMap { Int($0) } ?? 30
    private static let environment = ["GIFPLAY_OFFLINE": "0"]

    @Test("If the program is killed during a download, the cache is intact and the next run plays the GIF")
    func duringDownload() throws {
        var random = SeededRandom(6)
        var counts = KillCounts()
        let bytes = try Binary.bytes("campfire")
        let served = try EventCounter()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\nConnection: close\r\n\r\n")
            for start in stride(from: 0, to: bytes.count, by: 2_000) {
                guard connection.send(Array(bytes[start..<min(start + 2_000, bytes.count)])) else { return }
                served.countEvent()
            }
        }
        let expected = try runGifplay(["--animate", "--size", "20x8", Binary.sample("campfire")])
        var home = try KillTestHome()
        for round in 0..<Self.kills * 2 / 3 {
            if round % 10 == 0 { home = try KillTestHome() }
            let address = "\(server.base)/\(round).gif"
            served.takeCount()
            counts.add(
                try home.kill(
                    [address], Self.environment, served: served, after: .random(&random, most: 32), keys: []))
            try home.expectIntactCache(round)
            let next = try runGifplay(
                ["--animate", "--size", "20x8", address], environment: home.environment(Self.environment))
            #expect(next.status == 0 && next.errors == expected.errors, "round \(round): \(next.errors)")
            #expect(next.output == expected.output, "round \(round)")
            #expect(home.temporaryFiles == [], "round \(round)")
        }
        print("fetching: \(counts.text)")
    }

    @Test("If the gallery is killed, the stored files are intact and the next run reports no error")
    func duringBrowsing() throws {
        var random = SeededRandom(66)
        var storedCount = 0
        var counts = KillCounts()
        let site = try FakeCommons()
        var home = try KillTestHome()
        for round in 0..<Self.kills / 3 {
            if round % 5 == 0 { home = try KillTestHome() }
            // These keys cause writes: favourites, history entries, dismissals and a saved file.
            let keys = ["f", "\u{1B}[C", "f", "\r", "s", "q", "\u{1B}[C", "d", "u", "f"]
            let environment = site.site.environment()
            counts.add(
                try home.kill(
                    ["browse", "octopus"], environment, served: nil, after: .random(&random, most: 80), keys: keys))
            try home.expectIntactCache(round)
            try home.expectIntactLibrary(round)
            let next = try runGifplay(["library"], environment: home.environment(environment))
            let isEmpty = ["no library yet", "nothing is stored"].contains { next.errors.contains($0) }
            let isExpected = next.errors.isEmpty || isEmpty
            if next.errors.isEmpty { storedCount += 1 }
            #expect(next.status == 0 && isExpected, "round \(round): \(next.errors)")
            #expect(home.unfinishedDownloads == [], "round \(round)")
        }
        let terminal = try PseudoTerminal(
            ["browse", "octopus"], environment: home.environment(site.site.environment()), until: "Octopus 1")
        try terminal.quit()
        #expect(!terminal.text.contains("gifplay:") && home.temporaryFiles == [])
        #expect(storedCount > 0)
        print("browsing: \(counts.text); \(storedCount) of them stored items in the library")
    }

    /// Counts the kills for each kind of event.
    private struct KillCounts {
        private var counts: [String: Int] = [:]

        mutating func add(_ event: String) { counts[event, default: 0] += 1 }

        var text: String { counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
    }
}

/// Counts events that occur on other threads. An event makes the descriptor `reading` readable.
final class EventCounter: Sendable {
    let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw PseudoTerminal.Failure(description: "no pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func countEvent() {
        var byte: UInt8 = 1
        write(writing, &byte, 1)
    }

    /// Returns the number of events since the last call.
    @discardableResult
    func takeCount() -> Int {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        return max(0, read(reading, &bytes, bytes.count))
    }
}
