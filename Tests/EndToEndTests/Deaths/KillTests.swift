import Foundation
import GRDB
import TestServer
import TestSupport
import Testing

@testable import Fetching

/// After SIGKILL at any moment the files on disk are intact, and the next start reports no error.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
    /// The number of kills in both tests together; GIFPLAY_KILLS overrides it.
    private static let kills = ProcessInfo.processInfo.environment["GIFPLAY_KILLS"].flatMap { Int($0) } ?? 30
    private static let environment = ["GIFPLAY_OFFLINE": "0"]

    @Test("Killed while it fetches and keeps, the cache is whole and the next start plays")
    func fetching() throws {
        var random = SeededRandom(6)
        var tally = Tally()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Binary.sample("campfire"))))
        let served = try Happenings()
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\nConnection: close\r\n\r\n")
            for start in stride(from: 0, to: bytes.count, by: 2_000) {
                guard connection.send(Array(bytes[start..<min(start + 2_000, bytes.count)])) else { return }
                served.note()
            }
        }
        let still = try runGifplay(["--animate", "--size", "20x8", Binary.sample("campfire")]).output
        var victim = try Victim()
        for round in 0..<Self.kills * 2 / 3 {
            if round % 10 == 0 { victim = try Victim() }
            let address = "\(server.base)/\(round).gif"
            served.forget()
            tally.add(
                try victim.kill(
                    [address], Self.environment, served: served, after: .random(&random, most: 32), keys: []))
            try victim.expectWholeCache(round)
            let next = try runGifplay(
                ["--animate", "--size", "20x8", address], environment: victim.variables(Self.environment))
            #expect(next.status == 0 && next.errors.isEmpty, "round \(round): \(next.errors)")
            #expect(next.output == still, "round \(round)")
            #expect(victim.temporaryFiles == [], "round \(round)")
        }
        print("fetching: \(tally.text)")
    }

    @Test("Killed while it browses, cache, library and downloads are whole and the next start says nothing wrong")
    func browsing() throws {
        var random = SeededRandom(66)
        var remembered = 0
        var tally = Tally()
        let site = try OctopusSite()
        var victim = try Victim()
        for round in 0..<Self.kills / 3 {
            if round % 5 == 0 { victim = try Victim() }
            // These keys cause writes: favourites, history entries, dismissals and a saved file.
            let keys = ["f", "\u{1B}[C", "f", "\r", "s", "q", "\u{1B}[C", "d", "u", "f"]
            let variables = site.site.environment()
            tally.add(
                try victim.kill(
                    ["browse", "octopus"], variables, served: nil, after: .random(&random, most: 80), keys: keys))
            try victim.expectWholeCache(round)
            try victim.expectWholeLibrary(round)
            let next = try runGifplay(["library"], environment: victim.variables(variables))
            let isWell = next.errors.isEmpty || next.errors.contains("nothing is remembered")
            if next.errors.isEmpty { remembered += 1 }
            #expect(next.status == 0 && isWell, "round \(round): \(next.errors)")
            #expect(victim.unfinishedDownloads == [], "round \(round)")
        }
        let terminal = try PseudoTerminal(
            ["browse", "octopus"], environment: victim.variables(site.site.environment()))
        try terminal.read(until: "Octopus 1")
        terminal.send("q")
        #expect(try terminal.finish() == 0)
        #expect(!terminal.text.contains("gifplay:") && victim.temporaryFiles == [])
        #expect(remembered > 0)
        print("browsing: \(tally.text); in \(remembered) of them something was remembered")
    }

    /// Counts the events at which the program was killed.
    private struct Tally {
        private var counts: [String: Int] = [:]

        mutating func add(_ moment: String) { counts[moment, default: 0] += 1 }

        var text: String { counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
    }
}

/// Counts events on other threads. `reading` becomes readable at an event.
final class Happenings: Sendable {
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

    func note() {
        var byte: UInt8 = 1
        write(writing, &byte, 1)
    }

    /// Returns the number of events since the last call.
    @discardableResult
    func forget() -> Int {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        return max(0, read(reading, &bytes, bytes.count))
    }
}
