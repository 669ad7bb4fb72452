import Foundation
import Synchronization
import TestServer
import Testing

/// `gifplay` without arguments, with a service on loopback.
@Suite(.timeLimit(.minutes(15))) struct FeedTests {
    private static let firstCell = "\u{1B}[38;2;"

    /// Returns a Commons listing with these titles, each with a GIF of that name.
    private static func listing(_ titles: [String], _ base: String) -> Site.Reply {
        let pages = titles.enumerated().map { index, title in
            """
            {"pageid":\(index + 1),"ns":6,"title":"File:\(title).gif","index":\(index + 1),"imageinfo":[{"size":9000,
            "width":64,"height":64,"url":"\(base)/\(title).gif","mime":"image/gif",
            "metadata":[{"name":"frameCount","value":9}],"extmetadata":{"LicenseShortName":{"value":"CC0"}}}]}
            """
        }
        return .text("{\"batchcomplete\":true,\"query\":{\"pages\":[\(pages.joined(separator: ","))]}}")
    }

    @Test("It turns to another GIF, and again, each fetched before its turn")
    func turns() throws {
        let titles = ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"]
        let site = try Site { request, base in
            request.path.hasPrefix("/commons") ? Self.listing(titles, base) : try .gif("pixel-slime")
        }
        let terminal = try PseudoTerminal(
            ["--every", "700ms"], columns: 100, rows: 12, environment: site.environment())
        try terminal.read("three titles") { terminal in titles.filter { terminal.text.contains($0) }.count >= 3 }
        terminal.send("q")
        #expect(try terminal.finish() == 0)
        // No loading message appears between the GIFs, and one listing serves several GIFs.
        #expect(!terminal.text.contains("loading"))
        #expect(site.asked.filter { $0.contains("gsrsort=random") }.count <= 3)
    }

    @Test("A fetch that takes long keeps the present one on, until the next is there")
    func slowNext() throws {
        let gate = Gate()
        let site = try Site { request, base in
            if request.path.hasPrefix("/commons") { return Self.listing(["Alpha", "Bravo"], base) }
            if Self.isSecond(request) { gate.wait() }
            return try .gif("pixel-slime")
        }
        let terminal = try PseudoTerminal(
            ["--every", "300ms"], columns: 100, rows: 12, environment: site.environment())
        try terminal.read("the first well beyond its time") {
            $0.text.contains(" 0:02") || $0.text.contains("0:01/0:02")
        }
        #expect(["Alpha", "Bravo"].filter { terminal.text.contains($0) }.count == 1)
        gate.open()
        try terminal.read("the other one") { terminal in
            ["Alpha", "Bravo"].allSatisfy { terminal.text.contains($0) }
        }
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    @Test("One that cannot be had, or stands still, is passed over without a word")
    func badOnes() throws {
        let site = try Site { request, base in
            switch request.path {
            case "/Alpha.gif", "/Bravo.gif": return try .gif("pixel-slime")
            case "/Gone.gif": return .text("", status: 404)
            case "/Page.gif": return .text("<!DOCTYPE html>")
            default: return Self.listing(["Gone", "Alpha", "Page", "Bravo"], base)
            }
        }
        let terminal = try PseudoTerminal(
            ["--every", "300ms"], columns: 100, rows: 12, environment: site.environment())
        try terminal.read("both good ones") { terminal in
            ["Alpha", "Bravo"].allSatisfy { terminal.text.contains($0) }
        }
        terminal.send("q")
        #expect(try terminal.finish() == 0)
        #expect(!terminal.text.contains("gifplay: "))
    }

    @Test("With no service there it goes on with what is carried; n asks for the next at once")
    func nobodyThere() throws {
        let site = try Site { _, _ in .text("", status: 404) }
        let terminal = try PseudoTerminal([], columns: 100, rows: 12, environment: site.environment())
        try terminal.read(until: "carried by gifplay")
        terminal.send("n")
        try terminal.read("a second one") { $0.text.components(separatedBy: "\u{1B}[2J").count > 2 }
        terminal.send("p")
        try terminal.read("the first again") { $0.text.components(separatedBy: "\u{1B}[2J").count > 3 }
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    @Test("Without a network it plays what was kept, with its credit, and what is carried")
    func offline() throws {
        let folder = try TemporaryFolder()
        let site = try Site { request, base in
            request.path.hasPrefix("/commons") ? Self.listing(["Kept octopus"], base) : try .gif("pixel-slime")
        }
        let cache = ["XDG_CACHE_HOME": folder.url.path]
        let online = try runGifplay(["--size", "9x5", "octopus"], environment: site.environment(cache))
        #expect(online.status == 0, "\(online.errors)")
        let terminal = try PseudoTerminal(["--every", "100ms"], columns: 100, rows: 12, environment: cache)
        try terminal.read(until: "Kept octopus · (CC0)")
        try terminal.read(until: "carried by gifplay")
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    /// Whether the request is for another GIF than the first request.
    private static func isSecond(_ request: Site.Request) -> Bool {
        first.withLock { first in
            if first == nil { first = request.path }
            return first != request.path
        }
    }

    private static let first = Mutex<String?>(nil)
}
