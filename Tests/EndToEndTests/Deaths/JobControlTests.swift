import Foundation
import TestSupport
import Testing

/// Job control by the shell: stops, starts in the background and repeated signals.
@Suite(.timeLimit(.minutes(15))) struct JobControlTests {
    @Test("Started in the background it leaves the terminal alone, and stops until it is fetched")
    func background() throws {
        let pane = try ShellPane()
        try pane.play("'dancing cat'", line: "./play &")
        try pane.expectAsFound(status: 0)
        try pane.wait(forState: "T")
        try pane.run("fg")
        try pane.tmux.wait(forText: "carried by gifplay")
        try pane.tmux.press("q")
        try pane.expectAsFound(status: 0, said: ["./play"])
    }

    @Test("Stopped by a signal and sent to the background, it stops again and spoils nothing")
    func sentToBackground() throws {
        let pane = try ShellPane()
        _ = try Scene(.playing, pane)
        try pane.tmux.press("C-z")
        try pane.expectAsFound(status: 148)
        try pane.run("bg")
        try pane.expectAsFound(status: 0)
        try pane.wait(forState: "T")
        try pane.run("stty -g | cmp - before")
        try pane.expectAsFound(status: 0)
        kill(try pane.process(), SIGKILL)
    }

    @Test("Ctrl-Z stops all of a pipe, so that the shell has its prompt")
    func pipeline() throws {
        let pane = try ShellPane()
        #expect(mkfifo(pane.path("pipe"), 0o600) == 0)
        let pipe = open(pane.path("pipe"), O_RDWR | O_CLOEXEC)
        try pane.play("-", line: "cat pipe | ./play")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Binary.sample("pixel-slime"))))
        // `cat`, which writes to the shell's pipe, keeps running and waits for more input.
        #expect(write(pipe, bytes, bytes.count) == bytes.count)
        try pane.tmux.wait(forText: "standard input")
        try pane.tmux.press("C-z")
        try pane.expectAsFound(status: 148)
        try pane.run("fg")
        try pane.tmux.wait(forText: "standard input")
        try pane.tmux.press("q")
        close(pipe)
        try pane.expectAsFound(status: 0, said: ["cat pipe | ./play"])
    }

    @Test("Where no shell would wake it, Ctrl-Z does not stop it")
    func orphan() throws {
        let terminal = try PseudoTerminal(["dancing cat"])
        try terminal.read(until: "carried by gifplay")
        terminal.send("\u{1A}")
        try terminal.read("the screen taken again") { $0.text.components(separatedBy: "\u{1B}[?1049h").count == 3 }
        terminal.send("q")
        #expect(try terminal.finish() == 0)
    }

    @Test("Modes that were changed while it stood are given back as they were left")
    func changedModes() throws {
        let pane = try ShellPane()
        _ = try Scene(.playing, pane)
        try pane.tmux.press("C-z")
        try pane.expectAsFound(status: 148)
        try pane.run("stty quit ^Y; stty -g > before; fg")
        try pane.tmux.wait(forText: "carried by gifplay")
        try pane.tmux.press("q")
        try pane.expectAsFound(status: 0, said: ["./play"])
    }

    @Test("Stopped by SIGTSTP in the middle of a write, and gone on")
    func stoppedWhileBlocked() throws {
        let pane = try Scene.widePane()
        let scene = try Scene(.blocked, pane)
        kill(try pane.process(), SIGTSTP)
        let end = Date().addingTimeInterval(PseudoTerminal.patience)
        while processState(try pane.process()) != "T", Date() < end { poll(nil, 0, 10) }
        #expect(processState(try pane.process()) == "T")
        scene.unblock()
        try pane.expectAsFound(status: 148)
        try pane.run("fg")
        try pane.tmux.wait(for: "the other screen again") { try pane.tmux.format("#{alternate_on}") == "1" }
        try pane.tmux.press("q")
        try pane.expectAsFound(status: 0, said: ["./play"])
    }

    @Test("A second signal, also while the terminal is given back, changes nothing", arguments: [SIGINT, SIGTERM])
    func twice(second: Int32) throws {
        let pane = try Scene.widePane()
        let scene = try Scene(.blocked, pane)
        let process = try pane.process()
        kill(process, SIGINT)
        // The terminal accepts no output, so the attempt to restore it lasts until its timeout.
        kill(process, second)
        kill(process, second)
        let end = Date().addingTimeInterval(PseudoTerminal.patience)
        while !["Z", nil].contains(processState(process)), Date() < end {
            kill(process, second)
            poll(nil, 0, 50)
        }
        scene.unblock()
        try pane.expectAsFound(status: 130)
    }

    @Test("What is still to be written at the end can be broken off by Ctrl-C")
    func brokenOff() throws {
        let pane = try ShellPane()
        let home = try BrowserHome()
        try pane.play("browse octopus", environment: home.environment())
        try pane.tmux.wait(forText: "Octopus 1")
        let lock = try LibraryLock(home)
        try pane.tmux.press("f")
        try pane.tmux.wait(forText: "kept as a favourite")
        try pane.tmux.press("q")
        try pane.tmux.wait(for: "the shell's screen") { try pane.tmux.format("#{alternate_on}") == "0" }
        let process = try pane.process()
        #expect(processState(process) != nil)
        // Now the terminal turns Ctrl-C into a signal, which also ends the shell's script.
        try pane.tmux.press("C-c")
        try pane.tmux.wait(for: "the end") { processState(process) == nil }
        try pane.tmux.wait(for: "a prompt") { try pane.tmux.state().history.suffix(2) == ["^C", "$"] }
        #expect(try pane.tmux.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
        withExtendedLifetime(lock) {}
    }

    /// Holds the write lock of the library until it is deinitialized.
    private final class LibraryLock {
        private let file: Int32

        init(_ home: BrowserHome) throws {
            let path = home.folder.url.appendingPathComponent("data/gifplay/library.sqlite-shm").path
            file = open(path, O_RDWR | O_CLOEXEC)
            // SQLite's write lock of the WAL is byte 120 of the shared-memory index.
            var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 120, l_len: 1, l_pid: 0)
            try #require(fcntl(file, F_SETLKW, &lock) == 0)
        }

        deinit { close(file) }
    }

    @Test(
        "Keys end it or stop it in the middle of a write, and the terminal gets all that gives it back",
        arguments: [("q", 0), ("\u{3}", 130), ("\u{1A}", 148)])
    func keysWhileBlocked(key: String, status: Int) throws {
        let folder = try TemporaryFolder()
        let play = "'\(Binary.path)' --loop forever --speed max --fidelity exact --loop-cache 0 'dancing cat'"
        _ = try folder.write(
            Array("stty -g > before\n\(play)\necho status=$?\nstty -g | cmp - before && echo same".utf8), to: "go")
        let shell = try PseudoTerminal(
            ["--norc", "--noprofile", "-i"], columns: 200, rows: 60, environment: ["PS1": "$ "], path: "/bin/bash")
        try shell.read(until: "$ ")
        let prompt = shell.output.count
        shell.send("cd '\(folder.url.path)'; . ./go\r")
        try shell.read(until: "\u{1B}[38;2;")
        shell.waitUntilFull()
        shell.send(key)
        try shell.read(until: "status=\(status)\r\n")
        try shell.read("the prompt") { $0.text.hasSuffix("$ ") && $0.text.contains("same\r\n") }
        #expect(ModeLedger(Array(shell.output[prompt...])).leftovers == [])
        guard status == 148 else { return }
        shell.send("kill -9 %1; echo g''one\r")
        try shell.read(until: "gone\r\n")
    }
}
