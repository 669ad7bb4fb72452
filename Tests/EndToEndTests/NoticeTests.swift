import Foundation
import TestServer
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct NoticeTests {
    /// Returns a fake server on which GIPHY refuses the API key and Commons responds. If `isLimited` is true, requests
    /// for GIF files get status 429.
    private func site(isLimited: Bool = false) throws -> FakeSite {
        try FakeSite { request, base in
            if request.path.hasPrefix("/giphy") { return .text("{\"message\": \"BANNED\"}", status: 403) }
            if request.path.hasPrefix("/commons") { return try FakeSite.fixture("commons/search.json", base) }
            if request.path.hasSuffix(".gif"), isLimited { return .text("", status: 429) }
            return request.path.hasSuffix(".gif") ? try .gif("campfire") : .text("", status: 503)
        }
    }

    /// Starts the player or the gallery, and waits for a GIF of Commons.
    private func start(
        _ folder: TemporaryFolder, isPlayer: Bool, opener: String?, _ additions: [String: String] = [:]
    ) throws -> GalleryDriver {
        let driver = try GalleryDriver(
            ["--source", "commons"] + (isPlayer ? ["--loop", "forever"] : []) + ["octopus"], folder: folder,
            environment: try site().environment(additions), columns: 200, isPlayer: isPlayer, opener: opener)
        try driver.wait(forText: "Octopus sprite")
        return driver
    }

    @Test("If GIPHY refuses the API key, the player's status line reports this while a GIF from Commons plays")
    func refusedKey() throws {
        let site = try site()
        let terminal = try PseudoTerminal(
            ["--loop", "forever", "octopus"], columns: 120, environment: site.environment(["GIPHY_API_KEY": "bad"]))
        try terminal.read(until: "the key in GIPHY_API_KEY was refused; other sources are used")
        try terminal.quit()
        #expect(site.requestLines.count { $0.contains("/giphy") } == 1)
    }

    @Test("The gallery reports a refused API key and Wikimedia's request limit")
    func gallery() throws {
        let folder = try TemporaryFolder()
        let environment = try site(isLimited: true).environment(["GIPHY_API_KEY": "bad"])
        let gallery = try GalleryDriver(["octopus"], folder: folder, environment: environment)
        try gallery.wait(forText: "the key in GIPHY_API_KEY was refused")
        try gallery.wait(forText: "Wikimedia limits requests without")
        #expect(try gallery.quit() == 0)
    }

    @Test("If Wikimedia responds with status 429 and no contact is set, a hint to set a contact is printed once")
    func limited() throws {
        let environment = try site(isLimited: true).environment()
        func errors(_ additions: [String: String]) throws -> String {
            let terminal = try PseudoTerminal(
                ["--source", "commons", "octopus"], environment: environment.merging(additions) { $1 })
            try terminal.finish()
            return terminal.text
        }
        let hint = "Wikimedia limits requests without a contact"
        #expect(try errors([:]).components(separatedBy: hint).count == 2)
        #expect(try !errors(["GIFPLAY_CONTACT": "me@example.org"]).contains(hint))
    }

    @Test("In the player, the key 'y' copies the page's link with OSC 52 and wl-copy, and 'o' opens the page")
    func link() throws {
        let gallery = try start(try TemporaryFolder(), isPlayer: true, opener: "")
        let link = "https://commons.wikimedia.org/wiki/File:Octopus_sprite.gif"
        try gallery.send("y", until: "link copied")
        #expect(gallery.terminal.text.contains("\u{1B}]52;c;\(Data(link.utf8).base64EncodedString())\u{7}"))
        #expect(try gallery.received(by: "wl-copy").text.contains(link))
        try gallery.send("o", until: "opened in the browser")
        #expect(try gallery.received(by: "xdg-open").text.contains(link))
        try gallery.terminal.quit()
    }

    @Test(
        "If wl-copy hangs or fails, 'y' copies with OSC 52 and says so; 'o' says that the program runs",
        arguments: [true, false], [true, false])
    func hangingPrograms(isPlayer: Bool, hangs: Bool) throws {
        let folder = try TemporaryFolder()
        let pipe = try folder.makePipe("pipe")
        let gallery = try start(folder, isPlayer: isPlayer, opener: "read line < '\(pipe)'")
        try folder.writeProgram("#!/bin/sh\n\(hangs ? "read line < '\(pipe)'" : "exit 1")\n", to: "bin/wl-copy")
        try gallery.send("y", until: "sent to the terminal; failed: wl-copy")
        let link = Data("https://commons.wikimedia.org/wiki/File:Octopus_sprite.gif".utf8).base64EncodedString()
        #expect(gallery.terminal.text.contains("\u{1B}]52;c;\(link)\u{7}"))
        try gallery.send("o", until: "program started · y: copy the link")
        try gallery.terminal.quit()
    }

    @Test("Without a display and xdg-open, 'o' opens the page with BROWSER", arguments: [true, false])
    func browser(isPlayer: Bool) throws {
        let folder = try TemporaryFolder()
        let given = folder.path("given")
        try folder.writeProgram("#!/bin/sh\necho \"$@\" > '\(given)'\n", to: "reader")
        let browser = ["BROWSER": "missing:\(folder.url.path)/reader --new %s"]
        let gallery = try start(folder, isPlayer: isPlayer, opener: nil, browser)
        try gallery.send("o", until: "opened in the browser")
        let text = try String(contentsOfFile: given, encoding: .utf8)
        #expect(text == "--new https://commons.wikimedia.org/wiki/File:Octopus_sprite.gif\n")
        try gallery.terminal.quit()
    }

    @Test(
        "If xdg-open fails, the player and the gallery report the reason; if it is missing, they copy the link",
        arguments: [
            (true, "exit 3", "not opened: xdg-open failed with status 3; set BROWSER"),
            (true, nil, "no browser: link copied"),
            (false, "exit 3", "not opened: xdg-open failed with status 3; set BROWSER"),
            (false, nil, "no browser: link copied"),
        ] as [(Bool, String?, String)])
    func failedOpening(isPlayer: Bool, opener: String?, message: String) throws {
        let gallery = try start(try TemporaryFolder(), isPlayer: isPlayer, opener: opener)
        try gallery.send("o", until: message)
        #expect(!gallery.terminal.text.contains("opened in the browser"))
        try gallery.terminal.quit()
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(10)), .serialized) struct OutcomeTests {
    /// The last line of the screen.
    private func status(_ tmux: Tmux) throws -> String {
        try tmux.text().split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test("In the player, the outcomes of 's', 'f', 'y' and 'o' have the line for themselves, in both languages")
    func player() throws {
        for (language, texts) in [
            (
                "C.UTF-8",
                ["saved ~/downloads/Octopus-1.gif", "added to favourites", "link copied", "no browser: link copied"]
            ),
            (
                "de_DE.UTF-8",
                [
                    "gespeichert: ~/downloads/Octopus-1.gif", "Favorit hinzugefügt", "Link kopiert",
                    "kein Browser: Link kopiert",
                ]
            ),
        ] {
            let home = try BrowserHome()
            let additions = [
                "HOME": home.folder.url.path, "LANG": language, "LC_ALL": language, "DISPLAY": "",
                "WAYLAND_DISPLAY": "",
            ]
            let tmux = try home.start("octopus", additions, columns: 80, rows: 24, until: "Octopus 1")
            for (key, text) in zip(["s", "f", "y", "o"], texts) {
                try tmux.press(key)
                try tmux.wait(for: text) { try status(tmux) == text }
            }
            try tmux.press("x")
            try tmux.wait(for: "the wrong key") { try status(tmux).hasPrefix("x: ") }
            try tmux.press("e")
            try tmux.wait(for: "the next wrong key") { try status(tmux).hasPrefix("e: ") }
            try tmux.wait(forText: "Octopus 1")
            try tmux.quit()
        }
    }

    @Test("What is not of the cache is named by 'cache', 'cache --clear' and 'doctor', and stays")
    func foreignFiles() throws {
        let folder = try TemporaryFolder()
        let media = folder.path("gifplay/media")
        let names = ["a", "b", "c"].map { String(repeating: $0, count: 64) }
        try folder.makeFolder("gifplay/media/" + names[0])
        chmod(media, 0o700)
        #expect(mkfifo(media + "/" + names[1], 0o600) == 0 && symlink("/etc/passwd", media + "/" + names[2]) == 0)
        try folder.write([1], to: "gifplay/media/notes.txt")
        let environment = ["XDG_CACHE_HOME": folder.url.path]
        for arguments in [["cache"], ["cache", "--clear"], ["doctor", "--offline"]] {
            let outcome = try runGifplay(arguments, environment: environment)
            let text = outcome.text + outcome.errors
            #expect(text.contains("not written by gifplay: \(names.joined(separator: ", ")) and 1 more"), "\(text)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: media).count == 4)
    }
}
