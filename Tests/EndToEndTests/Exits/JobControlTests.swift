import Foundation
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct JobControlTests {
    @Test("A program that is started in the background stops and leaves the terminal unchanged; 'fg' resumes it")
    func background() throws {
        let pane = try ShellPane()
        try pane.play("'dancing cat'", line: "./play &")
        try pane.expectRestored(status: 0)
        try pane.wait(forState: "T")
        try pane.run("fg")
        try pane.tmux.wait(forText: "built-in")
        try pane.quit(printed: ["./play"])
    }

    @Test("Stopped in a script, it says why on one line, once", arguments: ["", "--leave "])
    func stoppedInScript(option: String) throws {
        let pane = try ShellPane(columns: 160)
        // As `timeout` does: a process group of its own, which is not that of the terminal.
        let fork = "setpgrp; if ($id = fork) { $SIG{TTOU} = q(IGNORE); waitpid $id, 0 } else { exec @ARGV }"
        let script = "#!/bin/sh\nperl -e '\(fork)' ./play\n"
        try pane.folder.writeProgram(script, to: "script")
        try pane.play(option + "'dancing cat'", line: "./script")
        let reason =
            "gifplay: stopped, because it is in the background and needs the terminal; 'fg' continues it; with timeout, "
            + "use 'timeout --foreground'"
        try pane.tmux.wait(forText: "use 'timeout --foreground'")
        try pane.wait(forState: "T")
        kill(try pane.process(), SIGKILL)
        try pane.expectRestored(status: 0, printed: [reason])
    }

    @Test("After Ctrl-Z and 'bg', the program stops again and leaves the terminal unchanged")
    func sentToBackground() throws {
        let pane = try ShellPane()
        _ = try PreparedProgram(.playing, pane)
        try pane.tmux.press("C-z")
        try pane.expectRestored(status: 148)
        try pane.run("bg")
        try pane.expectRestored(status: 0)
        try pane.wait(forState: "T")
        try pane.run("stty -g | cmp - before")
        try pane.expectRestored(status: 0)
        kill(try pane.process(), SIGKILL)
    }

    @Test("Ctrl-Z stops all processes of a pipeline, and the shell shows its prompt")
    func pipeline() throws {
        let pane = try ShellPane()
        #expect(mkfifo(pane.path("pipe"), 0o600) == 0)
        let pipe = open(pane.path("pipe"), O_RDWR | O_CLOEXEC)
        try pane.play("-", line: "cat pipe | ./play")
        let bytes = try Binary.bytes("pixel-slime")
        // `cat` does not exit, because the test keeps the FIFO open.
        #expect(write(pipe, bytes, bytes.count) == bytes.count)
        try pane.tmux.wait(forText: "standard input")
        try pane.tmux.press("C-z")
        try pane.expectRestored(status: 148)
        try pane.run("fg")
        try pane.tmux.wait(forText: "standard input")
        try pane.tmux.press("q")
        close(pipe)
        try pane.expectRestored(status: 0, printed: ["cat pipe | ./play"])
    }

    @Test("Ctrl-Z does not stop a program that no shell could resume")
    func orphan() throws {
        let terminal = try PseudoTerminal(["dancing cat"], until: "built-in")
        terminal.send("\u{1A}")
        try terminal.read("the screen taken again") { $0.count(of: "\u{1B}[?1049h") == 2 }
        try terminal.quit()
    }

    @Test("Ctrl-Z does not stop a program that inherited an ignored SIGTSTP, for example from tmux's lock-command")
    func ignoredStop() throws {
        let pane = try ShellPane()
        try pane.play("'dancing cat'", preparation: "trap '' TSTP", until: "built-in")
        try pane.tmux.press("C-z")
        kill(try pane.process(), SIGTSTP)
        try pane.quit()
    }

    @Test("Like any other key, Ctrl-Z ends a screensaver")
    func screensaver() throws {
        let pane = try ShellPane()
        try pane.play("--screensaver 'dancing cat'", until: "built-in")
        try pane.tmux.press("C-z")
        try pane.expectRestored(status: 0)
    }

    @Test("If the user changes terminal modes while the program is stopped, its exit does not undo the changes")
    func changedModes() throws {
        let pane = try ShellPane()
        _ = try PreparedProgram(.playing, pane)
        try pane.tmux.press("C-z")
        try pane.expectRestored(status: 148)
        try pane.run("stty quit ^Y; stty -g > before; fg")
        try pane.tmux.wait(forText: "built-in")
        try pane.quit(printed: ["./play"])
    }

    @Test("'fg' resumes a program that was stopped during a blocked write")
    func stoppedWhileBlocked() throws {
        let pane = try PreparedProgram.widePane()
        let program = try PreparedProgram(.blocked, pane)
        kill(try pane.process(), SIGTSTP)
        #expect(waitForState(of: try pane.process(), in: ["T"]))
        program.unblock()
        if try pane.hasLateReply() { return try stoppedWhileBlocked() }
        try pane.expectRestored(status: 148)
        try pane.run("fg")
        try pane.tmux.wait(for: "the other screen again") { try pane.tmux.format("#{alternate_on}") == "1" }
        try pane.quit(printed: ["./play"])
    }

    @Test("Further signals have no effect while the program restores the terminal", arguments: [SIGINT, SIGTERM])
    func repeatedSignals(second: Int32) throws {
        let play = ["--loop", "forever", "--speed", "max", "--fidelity", "exact", "--loop-cache", "0", "dancing cat"]
        let terminal = try PseudoTerminal(play, columns: 200, rows: 60, until: "\u{1B}[38;2;")
        terminal.waitUntilFull()
        // The blocked terminal accepts no output, so the program tries to restore it until a timeout.
        kill(terminal.process, SIGINT)
        let end = Date().addingTimeInterval(PseudoTerminal.timeout)
        while processState(terminal.process) != "Z", Date() < end {
            kill(terminal.process, second)
            poll(nil, 0, 10)
        }
        // A signal that arrives after the restoration may end the program before it exits with status 130.
        #expect([130, -second].contains(try terminal.finish()))
        #expect(terminal.hasInitialModes)
        #expect(ModeTracker(terminal.output).unrestored == ["?2004"], "only a shell sets bracketed paste again")
    }

    @Test("Ctrl-C during the exit cancels a blocked write to the library")
    func cancelsWriteAtExit() throws {
        let pane = try ShellPane()
        let home = try BrowserHome()
        try pane.play("browse octopus", environment: home.environment(), until: "Octopus 1")
        let lock = try LibraryLock(home)
        try pane.tmux.press("f", until: "library in use by another program")
        try pane.tmux.press("q")
        try pane.tmux.wait(for: "the shell's screen") { try pane.tmux.format("#{alternate_on}") == "0" }
        let process = try pane.process()
        #expect(processState(process) != nil)
        // The terminal modes are restored, so Ctrl-C sends SIGINT, which ends the program and the script that the shell
        // runs.
        try pane.tmux.press("C-c")
        try pane.tmux.wait(for: "the end") { processState(process) == nil }
        try pane.tmux.wait(for: "a prompt") { try pane.tmux.state().history.suffix(2) == ["^C", "$"] }
        #expect(try pane.tmux.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
        withExtendedLifetime(lock) {}
    }

    /// Holds the library's write lock until this object is deinitialized.
    private final class LibraryLock {
        private let file: Int32

        init(_ home: BrowserHome) throws {
            let path = home.folder.path("data/gifplay/library.sqlite-shm")
            file = open(path, O_RDWR | O_CLOEXEC)
            // SQLite's lock for writing to the write-ahead log (WAL) is a lock on byte 120 of the file
            // library.sqlite-shm.
            var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 120, l_len: 1, l_pid: 0)
            try #require(fcntl(file, F_SETLKW, &lock) == 0)
        }

        deinit { close(file) }
    }

    @Test(
        "During a blocked write, 'q' and Ctrl-C end the program, Ctrl-Z stops it, and the terminal is restored",
        arguments: [("q", 0), ("\u{3}", 130), ("\u{1A}", 148)])
    func keysWhileBlocked(key: String, status: Int) throws {
        let folder = try TemporaryFolder()
        let play = "'\(Binary.path)' --loop forever --speed max --fidelity exact --loop-cache 0 'dancing cat'"
        try folder.write(
            Array("stty -g > before\n\(play)\necho status=$?\nstty -g | cmp - before && echo same".utf8), to: "go")
        let shell = try PseudoTerminal(
            ["--norc", "--noprofile", "-i"], columns: 200, rows: 60, environment: ["PS1": "$ "], path: "/bin/bash")
        try shell.read(until: "$ ")
        let prompt = shell.output.count
        try shell.send("cd '\(folder.url.path)'; . ./go\r", until: "\u{1B}[38;2;")
        shell.waitUntilFull()
        // The kernel can hold a query. A busy machine can delay the answer to it until the shell reads it as typed text.
        shell.answers = false
        try shell.send(key, until: "status=\(status)\r\n")
        try shell.read("the prompt") { $0.text.hasSuffix("$ ") && $0.text.contains("same\r\n") }
        #expect(ModeTracker(Array(shell.output[prompt...])).unrestored == [])
        guard status == 148 else { return }
        try shell.send("kill -9 %1; echo g''one\r", until: "gone\r\n")
    }
}
