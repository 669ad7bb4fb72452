import Foundation
import Synchronization
import TestServer
import Testing

/// Tests random mode with a fake service on loopback. Without a query or a file, `gifplay` starts random mode.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct RandomModeTests {
    /// Returns a Commons listing with one GIF for each title. The file name of each GIF is its title.
    private static func listing(_ titles: [String], _ base: String) -> FakeSite.Reply {
        let pages = titles.enumerated().map { index, title in
            """
            {"pageid":\(index + 1),"ns":6,"title":"File:\(title).gif","index":\(index + 1),"imageinfo":[{"size":9000,
            "width":64,"height":64,"url":"\(base)/\(title).gif","mime":"image/gif",
            "metadata":[{"name":"frameCount","value":9}],"extmetadata":{"LicenseShortName":{"value":"CC0"}}}]}
            """
        }
        return .text("{\"batchcomplete\":true,\"query\":{\"pages\":[\(pages.joined(separator: ","))]}}")
    }

    private func play(_ arguments: [String], _ site: FakeSite) throws -> PseudoTerminal {
        try PseudoTerminal(arguments, columns: 100, rows: 12, environment: site.environment())
    }

    private func readBoth(_ terminal: PseudoTerminal) throws {
        try terminal.read("both GIFs") { terminal in
            ["Alpha", "Bravo"].allSatisfy { terminal.text.contains($0) }
        }
    }

    @Test("Random mode plays one GIF after another and fetches each GIF in advance")
    func switches() throws {
        let titles = ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"]
        let site = try FakeSite { request, base in
            request.path.hasPrefix("/commons") ? Self.listing(titles, base) : try .gif("pixel-slime")
        }
        let terminal = try play(["--every", "700ms"], site)
        try terminal.read("three titles") { terminal in titles.filter { terminal.text.contains($0) }.count >= 3 }
        try terminal.quit()
        // No loading message appears between the GIFs, and gifplay requests few listings.
        #expect(!terminal.text.contains("loading"))
        #expect(site.requestLines.filter { $0.contains("gsrsort=random") }.count <= 3)
    }

    @Test("The current GIF plays until the next GIF is downloaded")
    func slowNext() throws {
        let gate = Gate()
        let site = try FakeSite { request, base in
            if request.path.hasPrefix("/commons") { return Self.listing(["Alpha", "Bravo"], base) }
            if Self.isSecond(request) { gate.wait() }
            return try .gif("pixel-slime")
        }
        let terminal = try play(["--every", "300ms"], site)
        try terminal.read("the first GIF to play longer than the interval") {
            $0.text.contains(" 0:02") || $0.text.contains("0:01/0:02")
        }
        #expect(["Alpha", "Bravo"].filter { terminal.text.contains($0) }.count == 1)
        gate.open()
        try readBoth(terminal)
        try terminal.quit()
    }

    @Test("A GIF whose download stalls makes room for the next one")
    func stalled() throws {
        let bytes = try Binary.bytes("campfire")
        let media = try RawServer { connection, number in
            connection.readHead()
            connection.respond(number == 0 ? bytes.prefix(bytes.count / 2) : bytes[...], length: bytes.count)
            connection.waitForHangUp()
        }
        let site = try FakeSite { _, _ in Self.listing(["Alpha", "Bravo"], media.base) }
        let terminal = try play(["--every", "300ms"], site)
        try readBoth(terminal)
        try terminal.quit()
    }

    @Test("Missing files and files that are not GIFs are skipped without a message")
    func skipsUnplayable() throws {
        let site = try FakeSite { request, base in
            switch request.path {
            case "/Alpha.gif", "/Bravo.gif": return try .gif("pixel-slime")
            case "/Gone.gif": return .text("", status: 404)
            case "/Page.gif": return .text("<!DOCTYPE html>")
            default: return Self.listing(["Gone", "Alpha", "Page", "Bravo"], base)
            }
        }
        let terminal = try play(["--every", "300ms"], site)
        try readBoth(terminal)
        try terminal.quit()
        #expect(!terminal.text.contains("gifplay: "))
    }

    @Test("Without arguments, a built-in sample plays even if no service responds")
    func silentServices() throws {
        let server = try RawServer { connection, _ in connection.waitForHangUp() }
        let environment = ["COMMONS", "GIFCITIES", "OPENVERSE"].reduce(into: ["GIFPLAY_OFFLINE": "0"]) {
            $0["GIFPLAY_ENDPOINT_\($1)"] = server.base
        }
        try PseudoTerminal([], environment: environment, until: "built-in").quit()
    }

    @Test("If every service fails, built-in samples play; the keys 'n' and 'p' switch between them")
    func withoutService() throws {
        let site = try FakeSite { _, _ in .text("", status: 404) }
        let terminal = try PseudoTerminal([], columns: 100, rows: 12, environment: site.environment())
        try terminal.read(until: "built-in")
        terminal.send("n")
        try terminal.read("a second one") { $0.count(of: "\u{1B}[2J") > 1 }
        terminal.send("p")
        try terminal.read("the first again") { $0.count(of: "\u{1B}[2J") > 2 }
        try terminal.quit()
    }

    @Test("Offline, random mode plays built-in samples and cached GIFs, and shows the credits of cached GIFs")
    func offline() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { request, base in
            request.path.hasPrefix("/commons") ? Self.listing(["Cached octopus"], base) : try .gif("pixel-slime")
        }
        let cache = ["XDG_CACHE_HOME": folder.url.path]
        let online = try runGifplay(["--size", "9x5", "octopus"], environment: site.environment(cache))
        #expect(online.status == 0, "\(online.errors)")
        let terminal = try PseudoTerminal(["--every", "100ms"], columns: 100, rows: 12, environment: cache)
        try terminal.read(until: "Cached octopus · (CC0)")
        try terminal.read(until: "built-in")
        try terminal.quit()
    }

    /// Returns false for requests for the GIF that was requested first, and true for requests for any other GIF.
    private static func isSecond(_ request: FakeSite.Request) -> Bool {
        first.withLock { first in
            if first == nil { first = request.path }
            return first != request.path
        }
    }

    private static let first = Mutex<String?>(nil)
}
