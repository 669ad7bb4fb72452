import Foundation
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct KeyFormTests {
    @Test("Reports of the terminal do not end the screensaver, and nothing of a typed line is left for the shell")
    func screensaverReports() throws {
        let pane = try ShellPane()
        try pane.play("--screensaver 'dancing cat'", until: "built-in")
        try pane.tmux.type("echo BYE")
        try pane.quit("Enter")
        let terminal = try PseudoTerminal(["--screensaver", "--loop", "forever", "dancing cat"], until: "\u{1B}[38;2;")
        for report in [
            "\u{1B}[I", "\u{1B}[O", "\u{1B}[48;24;80;384;640t", "\u{1B}[?997;1n", "\u{1B}[0n", "\u{1B}[3;7R",
            "\u{1B}[200~\u{1B}[201~", "\u{1B}[<35;5;6M", "\u{1B}[M !!", "\u{1B}[113;1:3u",
        ] {
            terminal.send(report)
            let count = terminal.output.count
            try terminal.read("more frames") { $0.output.count > count + 2000 }
        }
        terminal.send("e")
        terminal.send("cho BYE\r")
        #expect(try terminal.finish() == 0 && !terminal.text.contains("cho") && terminal.hasInitialModes)
    }

    private static let encodedKeys: [(keys: String, status: Int32)] = [
        ("\u{1B}[99;5u", 130), ("\u{1B}[99;5:1u", 130), ("\u{1B}[27;5;99~", 130), ("\u{1B}[1089::99;133u", 130),
    ]

    @Test("Ctrl-C ends the program in every view, in each form that terminals send", arguments: encodedKeys)
    func encodedInterrupt(keys: String, status: Int32) throws {
        let home = try BrowserHome()
        let views: [(arguments: [String], text: String, before: String, shown: String)] = [
            (["--loop", "forever", "dancing cat"], "built-in", "", ""),
            (["--loop", "forever", "dancing cat"], "built-in", "\u{1B}[63;1u", "Ctrl-Z"),
            (["browse", "octopus"], "Octopus 1", "", ""),
            (["browse", "octopus"], "Octopus 1", "\u{1B}[47;1u", "Enter"),
            (["browse", "octopus"], "Octopus 1", "\u{1B}[13u", "Octopus 1 · Inkwell"),
            (["browse", "octopus", "--print", "url"], "Octopus 1", "", ""),
            (["--screensaver", "dancing cat"], "\u{1B}[38;2;", "", ""),
        ]
        for view in views {
            let terminal = try PseudoTerminal(
                view.arguments, columns: 110, rows: 32,
                environment: view.arguments[0] == "browse" ? home.environment() : [:], until: view.text)
            if !view.before.isEmpty {
                terminal.send(view.before)
                try terminal.read(until: view.shown)
            }
            terminal.send(keys)
            #expect(try terminal.finish() == status, "\(view.arguments) \(view.before.debugDescription)")
        }
    }

    @Test(
        "Escape quits in each form that terminals send; an Alt sequence does not",
        arguments: ["27u", "27;1:1u", "27;1;27~"])
    func encodedEscape(keys: String) throws {
        let terminal = try PseudoTerminal(["--loop", "forever", "dancing cat"], until: "built-in")
        terminal.send("\u{1B}\u{1B}[D\u{1B}[27;1:3u")
        let count = terminal.output.count
        try terminal.read("more frames") { $0.output.count > count + 4000 }
        terminal.send("\u{1B}[" + keys)
        #expect(try terminal.finish() == 0)
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct LateReplyTests {
    private static let replies = "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c"

    /// Runs the program in a shell. After the program's exit, the shell reads a line, so the terminal would echo a late
    /// reply.
    private func start(_ argument: String) throws -> PseudoTerminal {
        let script = "'\(Binary.path)' '\(argument)' 2>/dev/null; echo ended; read -t 1"
        return try PseudoTerminal(["-c", script], answers: false, path: "/bin/bash")
    }

    @Test("Replies that arrive 0.6 s after an early 'q' or an error do not reach the shell", arguments: [true, false])
    func earlyEnd(isDamaged: Bool) throws {
        let folder = try TemporaryFolder()
        let damaged = try folder.write("GIF89a", to: "damaged.gif")
        let terminal = try start(isDamaged ? damaged : Binary.sample("dancing-cat"))
        try terminal.read(until: "\u{1B}[c")
        if !isDamaged { terminal.send("q") }
        terminal.readOutput(at: nil, for: .milliseconds(600))
        #expect(!terminal.text.contains("ended"))
        terminal.send(Self.replies)
        let start = ContinuousClock.now
        try terminal.read(until: "ended")
        #expect(ContinuousClock.now - start < .milliseconds(500))
        try terminal.finish()
        #expect(!terminal.text.contains("62;22c") && !terminal.text.contains("1e1e"))
    }

    @Test("After the key 'q', another 'q' or Ctrl-C ends the wait for a reply", arguments: ["q", "\u{3}"])
    func interrupted(key: String) throws {
        let terminal = try PseudoTerminal(["dancing cat"], answers: false, until: "\u{1B}[2J")
        let start = ContinuousClock.now
        try terminal.send("q", until: "\u{1B}[?1049l")
        try terminal.quit(key)
        #expect(ContinuousClock.now - start < .seconds(1), "\(ContinuousClock.now - start)")
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct TypedAheadTests {
    /// A shell that reads one line and becomes gifplay, with a command for itself and further lines in the terminal's buffer.
    private static func terminal(_ arguments: String, typed: String) throws -> PseudoTerminal {
        let script = "echo ready; read line; exec '\(Binary.path)' \(arguments)"
        let terminal = try PseudoTerminal(["-c", script], path: "/bin/sh", until: "ready")
        terminal.send("start\n" + typed)
        return terminal
    }

    @Test(
        "'--duration' ends a GIF although a blank, which pauses, was typed before the start",
        arguments: ["--inline", ""])
    func duration(option: String) throws {
        let file = Binary.sample("campfire")
        let terminal = try Self.terminal("\(option) --duration 50ms '\(file)'", typed: "echo hi\n")
        #expect(try terminal.finish() == 0)
    }

    @Test("Keys that were typed before the start neither quit nor end a screensaver; keys after the start do")
    func keys() throws {
        for option in ["--loop forever", "--screensaver"] {
            let terminal = try Self.terminal("\(option) '\(Binary.sample("campfire"))'", typed: "q\nq\n")
            try terminal.read("some frames") { $0.output.count > 20_000 }
            try terminal.quit()
        }
    }
}

/// Types random words after `/` in the real program, each in one write, and checks that none of their letters acts as a
/// command, while the service answers at once or not at all.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct TypedWordsCommandTests {
    private static let letters = Array("sfdyYoDqhjklnpmrugG?+-=.,123")

    /// Returns words with three to ten letters. Equal arguments give the same words.
    private func words(_ count: Int, prefix: String) -> [String] {
        var state = UInt32(count)
        func next(_ limit: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8) % limit
        }
        return (0..<count).map { _ in
            prefix + String((0..<3 + next(8)).map { _ in Self.letters[next(Self.letters.count)] })
        }
    }

    private func expectNoCommand(_ driver: GalleryDriver, _ word: String) {
        for name in GalleryDriver.programs {
            #expect(!FileManager.default.fileExists(atPath: "\(driver.root)/\(name).given"), "\(word)")
        }
        #expect(!FileManager.default.fileExists(atPath: driver.downloads), "\(word)")
    }

    @Test("Words after '/' in the grid and in the large view are text", arguments: ["", "slow"])
    func gallery(prefix: String) throws {
        let site = try FakeCommons()
        let driver = try GalleryDriver(
            ["--source", "commons", "octopus"], folder: try TemporaryFolder(), environment: site.site.environment())
        try driver.wait(forText: "Octopus 1")
        for (index, word) in words(40, prefix: prefix).enumerated() {
            driver.terminal.send("/" + word)
            try driver.wait(forText: "/ " + word)
            expectNoCommand(driver, word)
            // Every second word is typed in the large view, if the service answers.
            driver.terminal.send("\r")
            guard index % 2 == 0, prefix.isEmpty else { continue }
            try driver.wait(forText: "Octopus 1")
            driver.terminal.send("\r")
        }
        site.gate.open()
        #expect(driver.terminal.reap(within: 0) == nil)
    }

    @Test("Words after '/' in the player reach the search field of the gallery, even before it is on the screen")
    func player() throws {
        for word in words(8, prefix: "") {
            let driver = try GalleryDriver(
                ["--offline", "dancing cat"], folder: try TemporaryFolder(), environment: [:], isPlayer: true)
            try driver.wait(forText: "Dancing cat")
            driver.terminal.send("/" + word)
            try driver.wait(forText: "/ " + word)
            expectNoCommand(driver, word)
            try driver.terminal.quit("\u{3}", status: 130)
        }
    }

    @Test("'/' in the player opens the gallery with its query, its folder or its list, and Esc returns to the GIF")
    func ownResults() throws {
        let sample = Binary.sample("dancing-cat")
        let cases = [
            (["--offline", "sleeping cat"], "“sleeping cat”"), ([sample], "“campfire”"),
            ([sample, Binary.sample("campfire")], "[dancing-cat.gif +1]"),
        ]
        for (arguments, expected) in cases {
            let driver = try GalleryDriver(
                arguments, folder: try TemporaryFolder(), environment: ["GIFPLAY_OFFLINE": "1"], isPlayer: true)
            try driver.wait(forText: "0:0")
            driver.terminal.send(expected.contains("campfire") ? "/campfire" : "/")
            try driver.wait(forText: expected)
            try driver.terminal.quit("\u{3}", status: 130)
        }
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct TypingTests {
    @Test("Letters are commands until '/' is pressed; the old query is replaced; earlier queries are suggested")
    func typing() throws {
        let home = try BrowserHome()
        let tmux = try home.browse("octopus", until: "Octopus 1")
        try tmux.type("eep", until: "press / to search")
        try tmux.type("/squid")
        try tmux.press("Enter", until: "[“squid”]")
        try tmux.wait(forText: "Octopus 1")
        try tmux.type("/oct", until: "\n  octopus")
        try tmux.press("Down", "Enter", until: "[“octopus”]")
        try tmux.quit()
        #expect(home.site.searchCount(containing: "eep") == 0)
        try withoutHistory(home)
    }

    private func withoutHistory(_ home: BrowserHome) throws {
        let tmux = try home.browse("--no-history zebra", until: "Octopus 1")
        try tmux.type("/squi")
        // The search begins long after the suggestions would have been displayed.
        try tmux.wait(forText: "[“squi”]")
        #expect(try !tmux.text().contains("squid"))
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.quit()
    }

    @Test("With a German locale, the player and the gallery are German, and standard error is English")
    func german() throws {
        let home = try BrowserHome()
        let german = ["LANG": "de_DE.UTF-8"]
        let tmux = try home.start("--offline 'dancing cat'", german, rows: 24, until: "eingebaut")
        try tmux.wait(forText: "? Tasten")
        try tmux.press("?", until: "Tasten zeigen")
        try tmux.press("x", "/", until: "Enter suchen")
        try tmux.press("Escape", until: "/ suchen  ? Tasten")
        try tmux.press("e", until: "zum Suchen / drücken")
        try tmux.press("q", until: "eingebaut")
        try tmux.quit()
        try tmux.gifplay("/missing.gif", home.environment(german), until: "No such file")
    }
}
