import Foundation
import TestSupport
import Testing

/// Tests that the program goes on, at a lower rate, while nobody sees its terminal.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct HiddenTests {
    /// Starts a shell in a tmux session without a client.
    private func detachedShell(_ size: (columns: Int, rows: Int), hasColors: Bool) throws -> Tmux {
        let tmux = try Tmux(columns: size.columns, rows: size.rows)
        try tmux.detach()
        // With COLORTERM, gifplay need not ask tmux for its colours.
        if !hasColors { try tmux.shell("unset COLORTERM") }
        return tmux
    }

    @Test(
        "In a detached tmux session, the gallery loads, searches, types, pages, saves, resizes and quits",
        arguments: [true, false])
    func gallery(hasColors: Bool) throws {
        let home = try BrowserHome(listens: false)
        let tmux = try detachedShell((100, 30), hasColors: hasColors)
        try tmux.gifplay("browse", home.environment(), until: "no network")
        try home.site.site.server.startListening()
        try tmux.wait(forText: "Random 1")
        try tmux.wait(for: "a picture in a tile") {
            try tmux.tmux("capture-pane", "-p", "-e").contains(hasColors ? "48;2;" : "48;5;")
        }
        try tmux.type("/slow", until: "/ slow")
        try tmux.wait(forText: "searching for “slow”")
        try tmux.press("C-u")
        try tmux.type("octopus", until: "Octopus 1")
        home.site.gate.open()
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.press("End")
        try tmux.wait(for: "the second page") { home.site.searchCount(containing: "gsroffset=12") == 1 }
        try tmux.press("Home", until: "1 of ")
        try tmux.press("?", until: "save the original")
        try tmux.press("Escape")
        try tmux.wait(for: "the help to close") { try !tmux.text().contains("save the original") }
        try openGIFs(tmux)
        try tmux.type("/overloaded")
        try tmux.press("Enter", until: "r: try again")
        try tmux.quit()
    }

    /// Opens two GIFs, saves one and resizes the pane.
    private func openGIFs(_ tmux: Tmux) throws {
        try tmux.press("Enter", until: "Octopus 1 · Inkwell")
        try tmux.press("s", until: "saved ")
        try tmux.press("f", until: "added to favourites")
        try tmux.press("n", until: "Octopus 2")
        try tmux.tmux("resize-window", "-x", "90", "-y", "20")
        try tmux.wait(for: "the title in row 18") {
            try tmux.text().split(separator: "\n", omittingEmptySubsequences: false)
                .prefix(20).suffix(3).joined().contains("Octopus 2")
        }
        try tmux.press("Escape", until: "/ search  ? keys")
    }

    /// Opens the gallery from the player, and returns to the player.
    private func visitGallery(_ tmux: Tmux) throws {
        try tmux.press("/", until: "Enter search")
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.press("q")
        try tmux.wait(for: "the player") { try !tmux.text().contains("/ search") && tmux.text().contains("Random") }
    }

    @Test(
        "In a detached tmux session, the player loads, plays, switches, pauses, opens the gallery, holds and quits",
        arguments: [true, false])
    func player(hasColors: Bool) throws {
        let home = try BrowserHome(listens: false)
        let tmux = try detachedShell((100, 30), hasColors: hasColors)
        try tmux.gifplay("--every 1s", home.environment(), until: "no network; r tries again")
        try home.site.site.server.startListening()
        func title() throws -> String? {
            try tmux.text().split(separator: "\n").last?.components(separatedBy: " · ").first
        }
        try tmux.wait(for: "a random GIF") { try title()?.hasPrefix("Random ") == true }
        let first = try title()
        try tmux.wait(for: "the next random GIF") { try title()?.hasPrefix("Random ") == true && title() != first }
        try tmux.press("Space", until: "paused")
        try tmux.press("y", until: "link copied")
        try tmux.press("?", until: "next, previous")
        try tmux.press("?")
        try tmux.wait(for: "the help to close") { try !tmux.text().contains("next, previous") }
        try visitGallery(tmux)
        try tmux.quit()
        try tmux.gifplay("--offline 'thumbs up'", home.environment(), until: "played 1 of 1 · space replays")
        try tmux.press("Space")
        try tmux.wait(for: "the GIF to play again") { try !tmux.text().contains("played 1 of 1") }
        try tmux.wait(forText: "played 1 of 1 · space replays")
        try tmux.quit()
        try tmux.gifplay("--offline --duration 1s 'dancing cat'", home.environment(), until: "built-in")
        try tmux.wait(forText: "status=0")
    }

    /// The environment of a program in a tmux or GNU Screen of which only the socket exists, as a file.
    private func multiplexer(_ name: String, _ folder: TemporaryFolder) throws -> [String: String] {
        let (root, path) = (folder.url.path, ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        guard name == "tmux" else { return ["STY": "socket", "SCREENDIR": root, "TERM": "screen-256color"] }
        let script = """
            #!/bin/sh
            echo query >> '\(root)/queries'
            echo "$([ -x '\(root)/socket' ] && echo 1 || echo 0) 01 $(readlink /proc/$PPID/fd/1) 0"

            """
        try folder.makeFolder("bin")
        try folder.writeProgram(script, to: "bin/tmux")
        return ["TMUX": "\(root)/socket,1,0", "TMUX_PANE": "%1", "PATH": "\(root)/bin:\(path)"]
    }

    /// Returns the time in seconds until the program has drawn `count` further updates.
    private func seconds(of count: Int, _ terminal: PseudoTerminal) throws -> Double {
        // Each update of the picture ends with these bytes.
        let (start, begin) = (Date(), terminal.count(of: "▀\u{1B}[0m"))
        try terminal.read("\(count) updates") { $0.count(of: "▀\u{1B}[0m") >= begin + count }
        return Date().timeIntervalSince(start)
    }

    @Test(
        "While no client is attached, the screen is updated once per second; when one is attached, at the full rate",
        arguments: ["tmux", "screen"])
    func rate(name: String) throws {
        let folder = try TemporaryFolder()
        let socket = try folder.write([], to: "socket")
        let animation = NumberedAnimation(columns: 12, rows: 4, frames: 36, centiseconds: 10)
        let file = try folder.write(animation.bytes, to: "a.gif")
        func queries() throws -> Int {
            try String(contentsOfFile: folder.path("queries"), encoding: .utf8).split(separator: "\n").count
        }
        chmod(socket, 0o600)
        let terminal = try PseudoTerminal(
            ["--bare", file], columns: 12, rows: 4, environment: try multiplexer(name, folder))
        for round in 1...2 {
            // The first updates can precede the reply of tmux.
            _ = try seconds(of: 2, terminal)
            #expect(try seconds(of: 4, terminal) > 3)
            if name == "tmux" { #expect(try queries() == 2 * round - 1) }
            chmod(socket, 0o700)
            #expect(try seconds(of: 20, terminal) < 10)
            if name == "tmux" { #expect(try queries() == 2 * round) }
            chmod(socket, 0o600)
        }
        try terminal.quit()
    }

    @Test("While the terminal reads nothing, the gallery handles keys, loads files and quits")
    func stoppedReader() throws {
        let site = try LargeFileCommons()
        let folder = try TemporaryFolder()
        let gallery = try GalleryDriver(
            ["--source", "commons", "heavy"], folder: folder, environment: site.site.environment(), columns: 190,
            rows: 60)
        site.gate.open()
        site.waitForFile(of: 1)
        gallery.terminal.send("\r")
        for number in 2...4 {
            gallery.terminal.send("n")
            site.waitForOriginal(of: number)
        }
        gallery.terminal.send("qq")
        #expect(gallery.terminal.reap(within: 30) == 0)
    }
}
