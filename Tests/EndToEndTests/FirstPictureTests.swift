import Foundation
import TestServer
import TestSupport
import Testing

/// Tests the number of requests and the source of the GIF that plays, in searches whose first source fails.
///
/// If GIFPLAY_PRINT_FIGURES is set, the tests print the measurements for docs/RELIABILITY.md. GIFPLAY_BINARY selects
/// another executable.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct FirstPictureTests {
    struct FaultCase: Sendable, CustomTestStringConvertible {
        var fault: FaultyNetwork.Fault
        var kind: FaultyNetwork.RequestKind
        var testDescription: String { "\(fault.rawValue), \(kind.rawValue)" }
    }

    static let cases = FaultyNetwork.Fault.allCases.flatMap { fault in
        fault.affectedRequests.map { FaultCase(fault: fault, kind: $0) }
    }
    private static let printsFigures = ProcessInfo.processInfo.environment["GIFPLAY_PRINT_FIGURES"] != nil

    /// The result of one search.
    private struct SearchMeasurement {
        var requests: Int
        var seconds: Double
        var source: String
    }

    /// Returns whether several frames were drawn since the screen was last cleared. The first frame alone can take
    /// up to six screen updates, so nine updates are required.
    private static func isAnimated(_ terminal: PseudoTerminal) -> Bool {
        let screen = screen(terminal)
        let updates = screen.ranges(of: Array("\u{1B}[?2026h".utf8)).map(\.lowerBound) + [screen.count]
        return zip(updates, updates.dropFirst()).count {
            screen.firstRange(of: Array("8;2;".utf8), in: $0..<$1) != nil
        } >= 9
    }

    /// Returns the output since the screen was last cleared.
    private static func screen(_ terminal: PseudoTerminal) -> [UInt8] {
        let clearing = terminal.output.ranges(of: Array("\u{1B}[2J".utf8)).last
        return Array(terminal.output[(clearing?.upperBound ?? 0)...])
    }

    private static func source(_ terminal: PseudoTerminal) -> String {
        let present = String(decoding: screen(terminal), as: UTF8.self)
        let marks = [
            "at Commons": "commons", "Map of": "commons (the map)", "of GeoCities": "gifcities",
            "of Openverse": "openverse", "built-in": "samples",
        ]
        return marks.first { present.contains($0.key) }?.value ?? "none"
    }

    private func measure(_ arguments: [String], _ network: FaultyNetwork, _ environment: [String: String]) throws
        -> SearchMeasurement
    {
        let start = Date()
        let terminal = try PseudoTerminal(arguments, columns: 140, environment: environment)
        let limit = start.addingTimeInterval(Self.printsFigures ? 60 : PseudoTerminal.timeout)
        while !Self.isAnimated(terminal) || Self.source(terminal) == "none", Date() < limit {
            guard try terminal.readOnce(until: limit) else { break }
        }
        let result = SearchMeasurement(
            requests: network.requests.count, seconds: Date().timeIntervalSince(start),
            source: Self.isAnimated(terminal) ? Self.source(terminal) : "none")
        terminal.send("q")
        _ = try? terminal.finish()
        return result
    }

    @Test(
        "If the first source fails, an animation from the next source plays after at most 12 requests",
        arguments: cases)
    func fallsThrough(_ present: FaultCase) throws {
        let network = try FaultyNetwork(present.fault, present.kind)
        let isBehindTLS = present.fault == .silentBeforeConnect && present.kind == .listing
        let environment = isBehindTLS ? network.silentEnvironment() : network.environment()
        let figures = try measure(["dancing cat"], network, environment)
        if Self.printsFigures {
            print(
                "| \(present.fault.rawValue) | \(present.kind.rawValue) | \(figures.requests) | "
                    + String(format: "%.1f", figures.seconds) + " | \(figures.source) |")
            return
        }
        #expect(figures.source == "gifcities", "\(network.requests)")
        #expect(figures.requests <= 12, "\(network.requests)")
    }

    @Test("If no source fails, a GIF from the first source plays")
    func noFault() throws {
        let network = try FaultyNetwork(.none, nil)
        let figures = try measure(["dancing cat"], network, network.environment())
        #expect(figures.source == "commons")
        #expect(network.requests.first == "GET http://commons.wikimedia.org/w/api.php")
    }

    @Test("If no file can be fetched, a built-in sample plays and the status line shows the reason")
    func playsBuiltInSample() throws {
        let network = try FaultyNetwork(.none, nil) {
            !$0.contains("api") && !$0.contains("gifsearch") && !$0.contains("/v1/")
        }
        let terminal = try PseudoTerminal(["dancing cat"], columns: 160, environment: network.environment())
        try terminal.read(until: "built-in; ")
        try terminal.read(until: "upload.wikimedia.org answered 403, forbidden")
        #expect(network.requests.count <= 12, "\(network.requests)")
        try terminal.quit()
    }

    @Test("If only one GIF of the first source can be downloaded, the key 'n' plays a GIF from the next source")
    func next() throws {
        let network = try FaultyNetwork(.none, nil) {
            $0.contains("wikimedia.org/") && !$0.contains("api.php") && !$0.contains("Commons_1.gif")
        }
        let terminal = try PseudoTerminal(["dancing cat"], columns: 140, environment: network.environment())
        try terminal.read(until: "Dancing cat at Commons 1 ")
        try terminal.send("n", until: "dancing cat of GeoCities")
        terminal.send("p")
        try terminal.read("the first again") {
            $0.count(of: "Dancing cat at Commons 1 ") > 1
        }
        try terminal.quit()
        // The second request to upload.wikimedia.org was refused, so gifplay sent no further request to this host.
        #expect(network.requests.count { $0.contains("upload.wikimedia.org") } == 2, "\(network.requests)")
    }

    @Test(
        "Random mode falls back to the next source if no file of the first source can be played",
        arguments: [
            FaultyNetwork.Fault.forbidden, .limited, .serverError, .silentAfterConnect, .html, .stills,
        ])
    func random(fault: FaultyNetwork.Fault) throws {
        let network = try FaultyNetwork(fault, .media)
        let terminal = try PseudoTerminal(["--every", "300ms"], columns: 140, environment: network.environment())
        try terminal.read("a GIF of the next source") { $0.text.contains("of GeoCities") }
        try terminal.quit()
        #expect(network.requests.count { $0.contains("api.php") } <= 2, "\(network.requests)")
    }

    @Test("If a source stalls in one run, the next run skips this source and plays a GIF from the next source")
    func acrossRuns() throws {
        let folder = try TemporaryFolder()
        let network = try FaultyNetwork(.silentAfterConnect, .listing)
        let environment = network.environment(["XDG_CACHE_HOME": folder.url.path])
        for _ in 0..<2 {
            let terminal = try PseudoTerminal(["dancing cat"], columns: 140, environment: environment)
            try terminal.read(until: "of GeoCities")
            try terminal.quit()
        }
        #expect(network.requests.count { $0.contains("api.php") } == 1, "\(network.requests)")
    }
}
