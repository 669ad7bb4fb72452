import Foundation
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct GalleryTests {
    @Test("A typed query starts a search, and late results of the previous search are not shown")
    func searchAsYouType() throws {
        let home = try BrowserHome()
        let tmux = try home.browse(until: "search GIFs")
        try tmux.type("/slow")
        try tmux.wait(for: "the search for the typed query") { home.site.searchCount(containing: "slow") == 1 }
        try tmux.wait(forText: "searching for “slow”")
        try tmux.press("C-u")
        try tmux.type("octopus", until: "Octopus 1")
        home.site.gate.open()
        // If the gallery used the late response, its results would appear before the refresh below is complete. The
        // test sends Escape and 'r' separately, because together they are the sequence for Alt-r.
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.press("r")
        try tmux.wait(for: "the refreshed listing") { home.site.searchCount(containing: "octopus") >= 2 }
        try tmux.wait(forText: "Octopus 1")
        #expect(try !tmux.text().contains("Late"))
        try tmux.quit()
    }

    @Test("Scrolling loads all three pages of results")
    func threePages() throws {
        let home = try BrowserHome()
        let tmux = try home.browse("octopus", until: "Octopus 1")
        for _ in 0..<FakeCommons.pages { try tmux.press("End") }
        try tmux.wait(for: "the last GIF of the third page") {
            try tmux.press("End")
            return try tmux.text().contains("36 of 36")
        }
        #expect(home.site.searchCount(containing: "gsroffset=24") == 1)
        #expect(try tmux.text().contains("Octopus 36"))
        try tmux.press("Home", until: "1 of 36")
        try tmux.quit()
    }

    @Test("The key 's' saves a GIF; a later offline session shows favourites, history and undismissed results")
    func session() throws {
        let home = try BrowserHome()
        let tmux = try home.browse("octopus", until: "Octopus 1")
        try tmux.press("Enter", until: "Octopus 1 · Inkwell (CC0) · 1 of ")
        try tmux.press("s", until: "saved ")
        let saved = try FileManager.default.contentsOfDirectory(atPath: home.downloads.path)
        #expect(saved == ["Octopus-1.gif"])
        let bytes = try Data(contentsOf: home.downloads.appendingPathComponent(saved.first ?? ""))
        #expect(try bytes == Data(Binary.bytes("dancing-cat")))
        try tmux.press("y", until: "link copied")
        #expect(try tmux.tmux("show-buffer").hasSuffix("/wiki/File:Octopus_1.gif"))
        try tmux.press("f", until: "added to favourites")
        try tmux.press("Escape", until: "Octopus 2")
        try tmux.press("Right", "d")
        try tmux.wait(for: "the dismissed one to go") { try !tmux.text().contains("Octopus 2") }
        try tmux.press("u", until: "Octopus 2")
        try tmux.press("Right", "d")
        try tmux.wait(for: "another to go") { try !tmux.text().contains("Octopus 3") }
        try tmux.quit()
        try restartOffline(home)
    }

    /// Starts the gallery again without a network, and expects the results, the favourite, the history and a cached
    /// picture.
    private func restartOffline(_ home: BrowserHome) throws {
        let requestCount = home.site.site.requestLines.count
        let tmux = try home.browse("octopus", ["GIFPLAY_OFFLINE": "1"], until: "Octopus 4")
        let text = try tmux.text()
        #expect(text.contains("★") && text.contains("Octopus 1") && !text.contains("Octopus 3"))
        try tmux.wait(for: "the picture of a cached GIF") {
            let screen = try tmux.screen(columns: 100, rows: 30)
            return screen.cells.contains { $0.upper != .unknown && $0.upper != .terminalDefault }
        }
        try tmux.press("Tab")
        try tmux.press("Tab")
        try tmux.wait(for: "only the favourites") {
            let text = try tmux.text()
            return text.contains("[★ Favourites]") && text.contains("Octopus 1") && !text.contains("Octopus 4")
        }
        try tmux.press("Tab")
        try tmux.wait(for: "the history") {
            let text = try tmux.text()
            return text.contains("[History]") && text.contains("Octopus 1") && !text.contains("Octopus 4")
        }
        try tmux.quit()
        #expect(home.site.site.requestLines.count == requestCount)
    }

    @Test("Keys work in the gallery even if the pane has only 20x5 cells or one cell", arguments: [(20, 5), (1, 1)])
    func small(columns: Int, rows: Int) throws {
        let home = try BrowserHome()
        let tmux = try home.browse("octopus", columns: 80, rows: 24, until: "Octopus 1")
        try tmux.tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
        try tmux.press("Down", "Enter")
        try tmux.tmux("resize-window", "-x", "80", "-y", "24")
        try tmux.wait(forText: "Octopus 2 · Inkwell (CC0) · 2 of ")
        // The grid shows the same title and credit, but not this hint.
        try tmux.wait(forText: "Esc back")
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.quit()
    }

    @Test("Pressing '/' during playback opens the gallery with the same options, and leaving it continues playback")
    func fromThePlayer() throws {
        let home = try BrowserHome()
        let tmux = try home.start("--offline 'dancing cat'", columns: 80, rows: 24, until: "built-in")
        try tmux.press("/")
        try tmux.type("sleeping", until: "Sleeping cat")
        #expect(home.site.site.requestLines.isEmpty)
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.press("q")
        try tmux.wait(for: "the player") {
            let text = try tmux.text()
            return text.contains("built-in") && !text.contains("/ search  ? keys")
        }
        try tmux.quit()
    }

    @Test("If a service refuses a query, the key 'r' queries it again")
    func refused() throws {
        let home = try BrowserHome()
        let tmux = try home.browse("overloaded", until: "r: try again")
        #expect(home.site.searchCount(containing: "overloaded") == 1)
        try tmux.press("r", until: "Octopus 1")
        // The next page can follow.
        #expect(home.site.searchCount(containing: "overloaded") >= 2)
        try tmux.quit()
    }

    @Test("Without a network, the gallery reports “no network”, even during a cool-down, and Esc quits")
    func noNetwork() throws {
        let home = try BrowserHome()
        let closed = ["GIFPLAY_ENDPOINT_COMMONS": "http://127.0.0.1:1"]
        let tmux = try home.browse("", closed, until: "no network: built-in GIFs")
        #expect(try tmux.text().contains("[Random]"))
        for query in ["zebra", "okapi"] {
            try tmux.press("/", "C-u")
            try tmux.type(query)
            try tmux.press("Enter", until: "[“\(query)”]")
            try tmux.wait(forText: " r: try again")
            let text = try tmux.text()
            #expect(text.contains("no network") && !text.contains("paused"), "\(text)")
        }
        try tmux.press("/", until: "Enter: try again")
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.press("Escape", until: "[Random]")
        try tmux.quit("Escape")
    }

    @Test("Without a key, the first feed contains random GIFs, and scrolling loads other ones without end")
    func randomFeed() throws {
        let home = try BrowserHome()
        let tmux = try home.browse(until: "Random 1")
        #expect(try tmux.text().contains("[Random]") && !tmux.text().contains("built-in"))
        try tmux.wait(for: "the fourth page") {
            try tmux.press("End")
            return try tmux.text().contains("Random 48")
        }
        #expect(home.site.searchCount(containing: "gsrsort=random") >= 4)
        try tmux.quit()
    }

    @Test("When the network is back, results and random GIFs appear without a key press", arguments: ["", "octopus"])
    func reconnects(query: String) throws {
        let home = try BrowserHome(listens: false)
        let tmux = try home.browse(query, until: "no network")
        try home.site.site.server.startListening()
        try tmux.wait(forText: query.isEmpty ? "Random 1" : "Octopus 1")
        #expect(try !tmux.text().contains("no network"))
        try tmux.quit()
    }

    @Test("'browse --plain' prints the same file sizes as '--list' and labels built-in samples")
    func sizes() throws {
        let size = /[\d.]+ [kM]?B\b/
        let listed = try runGifplay(["--offline", "--list", "cat"]).text.matches(of: size).map { String($0.output) }
        let plain = try runGifplay(["browse", "--offline", "--plain", "cat"])
        #expect(!listed.isEmpty && plain.text.matches(of: size).map { String($0.output) } == listed, "\(plain)")
        let trending = try runGifplay(["browse", "--offline", "--plain"]).text
        #expect(trending.hasPrefix("Built-in: "), "\(trending.prefix(80))")
    }
}
