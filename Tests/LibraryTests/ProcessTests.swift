import Base
import Catalog
import Glibc
import Library
import TestServer
import Testing

/// Tests that several libraries and processes can share one database file, and that a killed process loses no favourite
/// that was reported as stored.
@Suite(.timeLimit(.minutes(30))) struct ProcessTests {
    private let helper = ChildProcess.product("library-helper")

    @Test("Two open libraries with the same file see each other's writes")
    func twoLibraries() async throws {
        let location = try TemporaryLibrary()
        let (one, other) = (try location.open(), try location.open())
        try await one.setFavourite(gif("a"), true, at: 1_000)
        #expect(ids(try await other.listing(.favourites)) == ["a"])
        await withTaskGroup(of: Void.self) { group in
            for (library, name) in [(one, "x"), (other, "y")] {
                group.addTask {
                    for number in 0..<50 {
                        let failure = await storeError { () async throws(Failure) in
                            try await library.setFavourite(gif("\(name)\(number)"), true, at: 2_000 + number)
                        }
                        #expect(failure == nil)
                    }
                }
            }
        }
        #expect(try await one.all(in: .favourites).count == 101)
    }

    @Test("Twenty processes can create, migrate and fill the same library concurrently")
    func twentyProcesses() async throws {
        let location = try TemporaryLibrary()
        let children = try (0..<20).map { try ChildProcess(helper, ["add-favourites", location.path, "p\($0)", "10"]) }
        for (number, child) in children.enumerated() {
            let lines = ["open"] + (0..<10).map { "p\(number)-\($0)" } + ["done", ""]
            #expect(String(decoding: child.readAll(), as: UTF8.self) == lines.joined(separator: "\n"))
            #expect(child.wait() == 0)
        }
        #expect(try await location.open().all(in: .favourites).count == 200)
        #expect(try location.damages() == [])
    }

    /// The environment variable GIFPLAY_KILLS sets the number of kills (default: 40).
    @Test("After a process is killed at any moment, the library opens and contains all favourites reported as stored")
    func killedProcess() async throws {
        let kills = getenv("GIFPLAY_KILLS").flatMap { Int(String(cString: $0)) } ?? 40
        var location = try TemporaryLibrary()
        var acknowledged: Set<String> = []
        var total = 0
        var opened = 0
        var lost = 0
        for round in 0..<kills {
            // Use a new database every 20 rounds, so that some kills interrupt its creation and migration.
            if round % 20 == 0 { (location, acknowledged) = (try TemporaryLibrary(), []) }
            let child = try ChildProcess(helper, ["add-favourites", location.path, "r\(round)", "1000000"])
            var lines: [String] = []
            for _ in 0..<Int.random(in: 0...20) { lines.append(child.readLine()) }
            // The child keeps running during this delay, so that the kill can occur at any point of opening or writing.
            for _ in 0..<Int.random(in: 0...2_000) { sched_yield() }
            child.kill()
            lines += String(decoding: child.readAll(), as: UTF8.self).split(separator: "\n").map(String.init)
            if lines.first == "open" { opened += 1 }
            let ids = lines.dropFirst().filter { $0.hasPrefix("r\(round)-") }
            #expect(lines.count <= ids.count + 1, "\(lines.prefix(3))")
            acknowledged.formUnion(ids)
            total += ids.count
            let held = Set(try await location.open().all(in: .favourites).map(\.reference.id))
            lost += acknowledged.subtracting(held).count
            #expect(acknowledged.isSubset(of: held), "round \(round): \(acknowledged.subtracting(held))")
            // In each round, the kill can prevent the report of at most one stored favourite.
            #expect(held.count <= acknowledged.count + round % 20 + 1)
            #expect(try location.damages() == [])
        }
        print("killed \(kills) times, \(opened) of them after opening; \(total) favourites acknowledged, \(lost) lost")
    }
}
