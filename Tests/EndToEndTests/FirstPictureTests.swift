import Foundation
import TestServer
import Testing

/// Searches whose first source fails: the requests that are sent, and the source whose GIF plays.
///
/// GIFPLAY_TELL=1 prints the figures of docs/RELIABILITY.md; GIFPLAY_BINARY selects another executable to measure.
@Suite(.timeLimit(.minutes(15))) struct FirstPictureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var fault: FaultyNetwork.Fault
        var place: FaultyNetwork.Place
        var testDescription: String { "\(fault.rawValue), \(place.rawValue)" }
    }

    static let cases = FaultyNetwork.Fault.allCases.flatMap { fault in
        fault.places.map { Case(fault: fault, place: $0) }
    }
    private static let tells = ProcessInfo.processInfo.environment["GIFPLAY_TELL"] != nil

    /// The result of one search.
    private struct Figures {
        var requests: Int
        var seconds: Double
        var source: String
    }

    /// Whether at least three frames were drawn since the screen was last cleared.
    private static func moves(_ terminal: PseudoTerminal) -> Bool {
        let present = terminal.text.components(separatedBy: "\u{1B}[2J").last ?? ""
        return present.components(separatedBy: "\u{1B}[?2026h").dropFirst().count { $0.contains("8;2;") } >= 3
    }

    private static func source(_ terminal: PseudoTerminal) -> String {
        let present = terminal.text.components(separatedBy: "\u{1B}[2J").last ?? ""
        let marks = [
            "at Commons": "commons", "Map of": "commons (the map)", "of GeoCities": "gifcities",
            "of Openverse": "openverse", "carried by": "samples",
        ]
        return marks.first { present.contains($0.key) }?.value ?? "none"
    }

    private func figures(_ arguments: [String], _ network: FaultyNetwork, _ environment: [String: String]) throws
        -> Figures
    {
        let start = Date()
        let terminal = try PseudoTerminal(arguments, columns: 140, environment: environment)
        let limit = start.addingTimeInterval(Self.tells ? 60 : PseudoTerminal.patience)
        while !Self.moves(terminal), Date() < limit {
            guard try terminal.readOnce(until: limit) else { break }
        }
        let figures = Figures(
            requests: network.requests.count, seconds: Date().timeIntervalSince(start),
            source: Self.moves(terminal) ? Self.source(terminal) : "none")
        terminal.send("q")
        _ = try? terminal.finish()
        return figures
    }

    @Test("Whatever befalls the first source, another's picture moves, for at most 12 requests", arguments: cases)
    func fallsThrough(_ present: Case) throws {
        let network = try FaultyNetwork(present.fault, present.place)
        let isBehindTLS = present.fault == .silentBeforeConnect && present.place == .listing
        let environment = isBehindTLS ? network.silentEnvironment() : network.environment()
        let figures = try figures(["dancing cat"], network, environment)
        if Self.tells {
            print(
                "| \(present.fault.rawValue) | \(present.place.rawValue) | \(figures.requests) | "
                    + String(format: "%.1f", figures.seconds) + " | \(figures.source) |")
            return
        }
        #expect(figures.source == "gifcities", "\(network.requests)")
        #expect(figures.requests <= 12, "\(network.requests)")
    }

    @Test("Without a fault the first source plays, for two requests")
    func noFault() throws {
        let network = try FaultyNetwork(.none, nil)
        let figures = try figures(["dancing cat"], network, network.environment())
        #expect(figures.source == "commons")
        #expect(network.requests.first == "GET http://commons.wikimedia.org/w/api.php")
    }

    @Test("Where no file can be had the carried cat dances, and the status line says why")
    func standsIn() throws {
        let network = try FaultyNetwork(.none, nil) {
            !$0.contains("api") && !$0.contains("gifsearch") && !$0.contains("/v1/")
        }
        let terminal = try PseudoTerminal(["dancing cat"], columns: 160, environment: network.environment())
        try terminal.read(until: "carried by gifplay; ")
        try terminal.read(until: "upload.wikimedia.org answered 403, forbidden")
        #expect(network.requests.count <= 12, "\(network.requests)")
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    @Test("n goes on with the next source where the files of the first can no longer be had")
    func next() throws {
        let network = try FaultyNetwork(.none, nil) {
            $0.contains("wikimedia.org/") && !$0.contains("api.php") && !$0.contains("Commons_1.gif")
        }
        let terminal = try PseudoTerminal(["dancing cat"], columns: 140, environment: network.environment())
        try terminal.read(until: "Dancing cat at Commons 1 ")
        terminal.send("n")
        try terminal.read(until: "dancing cat of GeoCities")
        terminal.send("p")
        try terminal.read("the first again") {
            $0.text.components(separatedBy: "Dancing cat at Commons 1 ").count > 2
        }
        terminal.send("q")
        #expect(try terminal.finish() == 0)
        // No further requests were sent to hosts that had refused.
        #expect(network.requests.count { $0.contains("upload.wikimedia.org") } == 2, "\(network.requests)")
    }

    @Test(
        "Alone it goes on with the next source where the files of the first cannot be had",
        arguments: [
            FaultyNetwork.Fault.forbidden, .limited, .serverError, .silentAfterConnect, .html, .stills,
        ])
    func random(fault: FaultyNetwork.Fault) throws {
        let network = try FaultyNetwork(fault, .media)
        let terminal = try PseudoTerminal(["--every", "300ms"], columns: 140, environment: network.environment())
        try terminal.read("a GIF of the next source") { $0.text.contains("of GeoCities") }
        terminal.send("q")
        #expect(try terminal.finish() == 0)
        #expect(network.requests.count { $0.contains("api.php") } <= 2, "\(network.requests)")
    }

    @Test("A source that hung is asked after the others by the next run")
    func acrossRuns() throws {
        let folder = try TemporaryFolder()
        let network = try FaultyNetwork(.silentAfterConnect, .listing)
        let environment = network.environment(["XDG_CACHE_HOME": folder.url.path])
        for _ in 0..<2 {
            let terminal = try PseudoTerminal(["dancing cat"], columns: 140, environment: environment)
            try terminal.read(until: "of GeoCities")
            terminal.send("q")
            #expect(try terminal.finish() == 0)
        }
        #expect(network.requests.count { $0.contains("api.php") } == 1, "\(network.requests)")
    }
}
