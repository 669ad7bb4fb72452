import Foundation
import Testing

/// The browser in a real tmux, against a service on loopback, with the actions of a typical session.
@Suite(.timeLimit(.minutes(15)), .serialized) struct GalleryTests {
    private func quit(_ tmux: Tmux) throws {
        try tmux.press("q")
        try tmux.wait(forText: "status=0")
    }

    @Test("Typing searches; a newer search cancels the older, whose late answer is never shown")
    func searchAsYouType() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.line())
        try tmux.wait(forText: "search GIFs")
        try tmux.type("/slow")
        try tmux.wait(for: "the search for what was typed") { home.site.searches("slow") == 1 }
        try tmux.wait(forText: "searching for “slow”")
        try tmux.press("C-u")
        try tmux.type("octopus")
        try tmux.wait(forText: "Octopus 1")
        home.site.gate.open()
        // The refresh below gets its response after the late response would have arrived.
        // Esc and r are sent separately, because together they would be Alt-r.
        try tmux.press("Escape")
        try tmux.wait(forText: "q quit")
        try tmux.press("r")
        try tmux.wait(for: "the listing pulled afresh") { home.site.searches("octopus") >= 2 }
        try tmux.wait(forText: "Octopus 1")
        #expect(try !tmux.text().contains("Late"))
        try quit(tmux)
    }

    @Test("Three pages come as one scrolls, to the end of all")
    func threePages() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.line("octopus"))
        try tmux.wait(forText: "Octopus 1")
        for _ in 0..<OctopusSite.pages { try tmux.press("End") }
        try tmux.wait(for: "the last GIF of the third page") {
            try tmux.press("End")
            return try tmux.text().contains("36 of 36")
        }
        #expect(home.site.searches("gsroffset=24") == 1)
        #expect(try tmux.text().contains("Octopus 36"))
        try tmux.press("Home")
        try tmux.wait(forText: "1 of 36")
        try quit(tmux)
    }

    @Test("Opened, saved, copied, kept, dismissed and taken back; all of it is there again without a network")
    func anEvening() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.line("octopus"))
        try tmux.wait(forText: "Octopus 1")
        try tmux.press("Enter")
        try tmux.wait(forText: "commons.wikimedia.org/wiki/File:Octopus_1.gif")
        try tmux.press("s")
        try tmux.wait(forText: "saved: ")
        let saved = try FileManager.default.contentsOfDirectory(atPath: home.downloads.path)
        #expect(saved == ["Octopus-1.gif"])
        let bytes = try Data(contentsOf: home.downloads.appendingPathComponent(saved.first ?? ""))
        #expect(try bytes == Data(contentsOf: URL(fileURLWithPath: Binary.sample("dancing-cat"))))
        try tmux.press("y")
        try tmux.wait(forText: "link copied")
        #expect(try tmux.tmux("show-buffer").hasSuffix("/wiki/File:Octopus_1.gif"))
        try tmux.press("f")
        try tmux.wait(forText: "kept as a favourite")
        try tmux.press("Escape")
        try tmux.wait(forText: "Octopus 2")
        try tmux.press("Right", "d")
        try tmux.wait(for: "the dismissed one to go") { try !tmux.text().contains("Octopus 2") }
        try tmux.press("u")
        try tmux.wait(forText: "Octopus 2")
        try tmux.press("Right", "d")
        try tmux.wait(for: "another to go") { try !tmux.text().contains("Octopus 3") }
        try quit(tmux)
        try again(home)
    }

    /// Starts again without a network, and expects the listing, the favourite, the history and their pictures.
    private func again(_ home: BrowserHome) throws {
        let asked = home.site.site.asked.count
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.line("octopus", ["GIFPLAY_OFFLINE": "1"]))
        try tmux.wait(forText: "Octopus 4")
        let text = try tmux.text()
        #expect(text.contains("★") && text.contains("Octopus 1") && !text.contains("Octopus 3"))
        try tmux.wait(for: "the picture of a kept GIF") {
            let screen = try tmux.screen(columns: 100, rows: 30)
            return screen.cells.contains { $0.upper != .unknown && $0.upper != .terminalDefault }
        }
        try tmux.press("Tab")
        try tmux.press("Tab")
        try tmux.wait(for: "the favourites alone") {
            let text = try tmux.text()
            return text.contains("[★ Favourites]") && text.contains("Octopus 1") && !text.contains("Octopus 4")
        }
        try tmux.press("Tab")
        try tmux.wait(for: "what was looked at") {
            let text = try tmux.text()
            return text.contains("[History]") && text.contains("Octopus 1") && !text.contains("Octopus 4")
        }
        try quit(tmux)
        #expect(home.site.site.asked.count == asked)
    }

    @Test("A pane of 20x5 shows one GIF, and one of 1x1 does no harm", arguments: [(20, 5), (1, 1)])
    func small(columns: Int, rows: Int) throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell(home.line("octopus"))
        try tmux.wait(forText: "Octopus 1")
        try tmux.tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
        try tmux.press("Down", "Enter")
        try tmux.tmux("resize-window", "-x", "80", "-y", "24")
        try tmux.wait(forText: "File:Octopus_")
        try tmux.press("Escape")
        try tmux.wait(forText: "q quit")
        try quit(tmux)
    }

    @Test("While a GIF plays, / opens the browser in its place, with the same options")
    func fromThePlayer() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell(
            home.line("", ["GIFPLAY_OFFLINE": "0"]).replacingOccurrences(
                of: "' browse", with: "' --offline 'dancing cat'"))
        try tmux.wait(forText: "carried by gifplay")
        try tmux.press("/")
        try tmux.wait(forText: "search GIFs")
        try tmux.type("/sleeping")
        try tmux.wait(forText: "Sleeping cat")
        #expect(home.site.site.asked.isEmpty)
        try tmux.press("Escape")
        try tmux.wait(forText: "q quit")
        try quit(tmux)
    }

    @Test("The wait that a service asks for counts down by itself, and r queries the service at once")
    func countdown() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.line("overloaded"))
        var waits: Set<Substring> = []
        try tmux.wait(for: "the countdown to move") {
            waits.formUnion(try tmux.text().matches(of: /again in (\d+) s/).map(\.output.1))
            return waits.count > 1
        }
        #expect(home.site.searches("overloaded") == 1)
        try tmux.press("r")
        try tmux.wait(forText: "Octopus 1")
        #expect(home.site.searches("overloaded") == 2)
        try quit(tmux)
    }

    @Test("Without a network the gallery says so, also while services cool down, and repeated Esc ends it")
    func noNetwork() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.line("", ["GIFPLAY_ENDPOINT_COMMONS": "http://127.0.0.1:1"]))
        try tmux.wait(forText: "[Built-in]")
        for query in ["zebra", "okapi"] {
            try tmux.press("/", "C-u")
            try tmux.type(query)
            try tmux.press("Enter")
            try tmux.wait(forText: "[“\(query)”]")
            try tmux.wait(forText: " r: try again")
            let text = try tmux.text()
            #expect(text.contains("offline") && !text.contains("rests"), "\(text)")
        }
        try tmux.press("/")
        try tmux.wait(forText: "Enter: try again")
        try tmux.press("Escape")
        try tmux.wait(forText: "q quit")
        try tmux.press("Escape")
        try tmux.wait(forText: "status=0")
    }

    @Test("Listings of the gallery and of the player show the same sizes, and built-in samples as such")
    func sizes() throws {
        let size = /[\d.]+ [kM]?B\b/
        let listed = try runGifplay(["--offline", "--list", "cat"]).text.matches(of: size).map { String($0.output) }
        let plain = try runGifplay(["browse", "--offline", "--plain", "cat"])
        #expect(!listed.isEmpty && plain.text.matches(of: size).map { String($0.output) } == listed, "\(plain)")
        let trending = try runGifplay(["browse", "--offline", "--plain"]).text
        #expect(trending.hasPrefix("Built-in: "), "\(trending.prefix(80))")
    }

    @Test("Ctrl-C in the middle of a search ends it at once, and gives the terminal back")
    func interrupted() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell(home.line("slow"))
        try tmux.wait(forText: "searching for")
        try tmux.press("C-c")
        try tmux.wait(forText: "status=130")
        #expect(try tmux.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
        home.site.gate.open()
    }
}
