import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SearchCommandTests {
    private static let firstCell = "\u{1B}[38;2;"

    /// Returns a fake Commons that serves the Commons fixtures. Each of its GIFs is the campfire sample, unless
    /// `others` contains a reply for the GIF's file name.
    private func octopuses(_ others: [String: FakeSite.Reply] = [:]) throws -> FakeSite {
        try FakeSite { request, base in
            if request.path.hasPrefix("/commons") {
                let isSecond = request.query.contains("gsroffset=20")
                return try FakeSite.fixture("commons/\(isSecond ? "search_last_page" : "search").json", base)
            }
            guard request.path.hasSuffix(".gif") else { return .text("", status: 503) }
            let name = request.path.split(separator: "/").last.map(String.init) ?? ""
            return try others[name] ?? .gif("campfire")
        }
    }

    @Test(
        "The results of each source can be listed and played",
        arguments: ["giphy", "klipy", "commons", "gifcities", "openverse"])
    func eachSource(source: String) throws {
        let site = try FakeSite { request, base in
            let isListing = request.path.hasPrefix("/\(source)") && !request.path.hasSuffix(".gif")
            guard isListing, !request.path.hasPrefix("/gifcities1") else { return try .gif("campfire") }
            let text = String(decoding: try FakeSite.fixture("\(source)/search.json", base).body, as: UTF8.self)
            return .text(text.replacing(/"https:\/\/[^\/"]*/) { _ in "\"\(base)" })
        }
        let environment = site.environment(["GIPHY_API_KEY": "SeCrEt-g", "KLIPY_API_KEY": "SeCrEt-k"])
        let list = try runGifplay(["--source", source, "--list", "--json", "octopus"], environment: environment)
        #expect(list.status == 0 && list.text.contains("\"source\":\"\(source)\""), "\(list.errors)")
        let picture = try runGifplay(["--source", source, "--size", "9x5", "octopus"], environment: environment)
        #expect(picture.status == 0 && !picture.output.isEmpty, "\(picture.errors) \(site.requestLines)")
    }

    @Test("The keys 'n' and 'p' step through the results across page boundaries; the status line shows the credits")
    func nextAndPrevious() throws {
        let site = try octopuses()
        let terminal = try PseudoTerminal(["happy octopus"], columns: 160, environment: site.environment())
        let titles = try runGifplay(["--list", "--format", "json", "happy octopus"], environment: site.environment())
            .text.split(separator: "\n").compactMap {
                $0.components(separatedBy: "\"title\":\"").last?.prefix { $0 != "\"" }
            }
        #expect(titles.count >= 3 && site.requestLines.first?.contains("happy%20octopus") == true)
        try terminal.read(until: "Octopus sprite · Inkwell (CC0)")
        for title in titles {
            try terminal.read(until: String(title))
            terminal.send("n")
        }
        try terminal.read(until: "Octopus at last")
        #expect(site.requestLines.contains { $0.contains("gsroffset=20") })
        terminal.send("p")
        let first = String(titles[titles.count - 1])
        try terminal.read("the previous result again") { $0.count(of: first) > 1 }
        try terminal.quit()
    }

    @Test("With an API key, GIPHY is queried first; GIPHY's files are not cached, and the API key is not printed")
    func giphy() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { request, base in
            if request.path.hasPrefix("/giphy") { return try FakeSite.fixture("giphy/search.json", base) }
            return request.path.hasSuffix(".gif") ? try .gif("campfire") : .text("", status: 503)
        }
        let key = "SeCrEt0123456789"
        let environment = site.environment(["GIPHY_API_KEY": key, "XDG_CACHE_HOME": folder.url.path])
        let terminal = try PseudoTerminal(["teapot"], columns: 160, environment: environment, until: "Powered By GIPHY")
        try terminal.quit()
        #expect(!terminal.text.contains(key))
        #expect(site.requestLines.first?.contains("api_key=\(key)") == true)
        #expect(site.requestLines.dropFirst().allSatisfy { !$0.contains(key) })
        // The cache must contain nothing but these two directories.
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter {
            $0 != "gifplay" && $0 != "gifplay/media"
        }
        #expect(files.isEmpty, "\(files)")
        let trace = try runGifplay(["--trace", "--virtual-time", "--loop", "1", "teapot"], environment: environment)
        let list = try runGifplay(["--list", "--json", "teapot"], environment: environment)
        #expect(trace.status == 0 && list.status == 0)
        #expect(!(trace.text + trace.errors + list.text + list.errors).contains(key))
    }

    @Test("If no service is reachable, a built-in sample plays; with '--source', the reason is reported instead")
    func withoutReachableService() throws {
        var environment = ["GIFPLAY_OFFLINE": "0"]
        let closed = "http://127.0.0.1:\(try closedPort())"
        for name in ["COMMONS", "OPENVERSE"] { environment["GIFPLAY_ENDPOINT_\(name)"] = closed }
        environment["GIFPLAY_ENDPOINT_GIFCITIES"] = Array(repeating: closed, count: 4).joined(separator: ",")
        let start = ContinuousClock.now
        let terminal = try PseudoTerminal(["dancing cat"], environment: environment, until: "built-in")
        #expect(ContinuousClock.now - start < .seconds(3))
        try terminal.quit()
        let forced = try runGifplay(["--source", "commons", "dancing cat"], environment: environment)
        #expect(forced.status == 1 && forced.errors.contains("commons: 127.0.0.1 cannot be reached"))
        let list = try runGifplay(["--list", "dancing cat"], environment: environment)
        #expect(list.status == 0 && list.text.contains("Dancing cat") && list.errors.contains("no network"))
        try expectError(["quetzalcoatl"], "no network: none of 3 services could be reached", environment: environment)
    }

    @Test("A result whose file is missing or not animated is skipped")
    func skipsUnplayable() throws {
        let still = StillGIF.bytes
        let site = try octopuses([
            "Octopus_sprite.gif": .text("", status: 404), "Juggling_octopus.gif": FakeSite.Reply(body: still),
        ])
        let list = try runGifplay(["--list", "--format", "url", "octopus"], environment: site.environment())
        #expect(list.text.contains("octopus.gif"), "\(list.text)")
        let terminal = try PseudoTerminal(
            ["octopus"], columns: 160, environment: site.environment(), until: "Huge octopus")
        try terminal.quit()
        #expect(!terminal.text.contains("gifplay: "))
        let exact = try runGifplay(["--pick", "1", "octopus"], environment: site.environment())
        #expect(exact.status == 1 && exact.errors.contains("Octopus sprite: 127.0.0.1 answered 404"), "\(exact.errors)")
    }

    @Test("The next result is fetched while the current one plays; '--inline' avoids the alternate screen")
    func fetchesAhead() throws {
        let site = try octopuses()
        let terminal = try PseudoTerminal(["--inline", "octopus"], columns: 100, environment: site.environment())
        try terminal.read(until: "Octopus sprite")
        try terminal.read("the request for the next result") { _ in
            site.requestLines.contains { $0.contains("Juggling_octopus") }
        }
        try terminal.quit()
        #expect(!terminal.text.contains("\u{1B}[?1049h") && !terminal.text.contains("Juggling octopus"))
    }

    @Test("If a thumbnail is not animated, the original is fetched")
    func stillThumbnail() throws {
        let site = try octopuses(["120px-Huge_octopus.gif": FakeSite.Reply(body: StillGIF.bytes)])
        let terminal = try PseudoTerminal(["--pick", "3", "octopus"], columns: 100, environment: site.environment())
        try terminal.read(until: Self.firstCell)
        try terminal.read(until: "Huge octopus")
        try terminal.quit()
        let requests = site.requestLines.filter { $0.contains("Huge_octopus") }
        #expect(
            requests.first?.contains("120px-") == true && requests.contains { $0.contains("/a/ab/Huge_octopus.gif ") })
    }

    @Test("'--pick 2' plays the second result, '--random-pick' plays a random one, and '--list' prints all results")
    func picks() throws {
        let site = try octopuses()
        let list = try runGifplay(["--list", "octopus"], environment: site.environment())
        let rows = list.text.split(separator: "\n")
        #expect(rows.count >= 3 && rows[0].hasPrefix("1  "), "\(list.text)")
        let second = try runGifplay(["--list", "--format", "json", "octopus"], environment: site.environment())
            .text.split(separator: "\n")[1]
        let title = try #require(second.components(separatedBy: "\"title\":\"").last?.prefix { $0 != "\"" })
        let terminal = try PseudoTerminal(["--pick", "2", "octopus"], columns: 160, environment: site.environment())
        try terminal.read(until: String(title))
        try terminal.quit()
        try expectError(["--pick", "5000", "octopus"], "--pick 5000", environment: site.environment())
        let any = try runGifplay(["--random-pick", "--size", "9x5", "octopus"], environment: site.environment())
        #expect(any.status == 0 && !any.output.isEmpty, "\(any.errors)")
    }
}

/// A GIF with one frame.
enum StillGIF {
    static let bytes: [UInt8] =
        Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        + [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x44, 0x02, 0x05, 0, 0x3B]
}
