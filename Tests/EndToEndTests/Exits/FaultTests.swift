import Foundation
import TestServer
import Testing

@Suite(
    .ownThreads, .timeLimit(.minutes(15)),
    .disabled(if: Binary.isSanitized, "the sanitizers replace malloc, and need threads and memory themselves"))
struct FaultTests {
    private static let noThread =
        "cannot create a thread: Resource temporarily unavailable; raise 'ulimit -u' (processes) or 'ulimit -v' (memory)"

    enum Command: String, CaseIterable {
        case play, gallery, record, list
    }

    private static let faults = [
        "thread:1", "thread:1+", "thread:2+", "thread:3+", "descriptor:1", "descriptor:3+", "descriptor:5",
        "descriptor:9",
        "mapping:1+", "memory:1+", "memory:40", "memory:400+", "memory:1500+",
    ]

    @Test(
        "If a call of the C library fails, the program ends with status 0, or with a message and status 1",
        arguments: Command.allCases, faults)
    func failingCall(command: Command, fault: String) throws {
        let folder = try TemporaryFolder()
        let library = try FaultLibrary()
        let output = try folder.makeFolder("out")
        let sample = Binary.sample("pixel-slime")
        let arguments =
            switch command {
            case .play: ["--loop", "1", "--speed", "max", sample]
            case .gallery: ["browse", sample]
            case .record: ["record", sample, "-o", output + "/a.svg"]
            case .list: ["--list", "--search", "cat"]
            }
        let terminal = try PseudoTerminal(arguments, environment: library.environment(fault))
        if command == .gallery {
            // Presses 'q' once the gallery reads keys, unless it ends before.
            try? terminal.read(until: "/ filter  ? keys")
            terminal.send("q")
        }
        let status = try terminal.finish()
        #expect(status == 0 || status == 1, "\(terminal.text.suffix(300).debugDescription)")
        #expect(status == 0 || terminal.text.contains("gifplay: "))
        #expect(terminal.hasInitialModes)
        #expect(ModeTracker(terminal.output).unrestored.isSubset(of: ["?2004"]))
        #expect(terminal.count(of: "\u{1B}[?1049h") == 0 || terminal.text.contains("\u{1B}[?1049l"))
        if fault.hasPrefix("thread:1") && command != .record {
            #expect(status == 1 && terminal.text.contains(Self.noThread))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: output)
        #expect(files == (status == 0 && command == .record ? ["a.svg"] : []))
    }

    @Test("SIGTERM before each descriptor of the start ends the program and restores the terminal", arguments: 1...5)
    func signalDuringStart(number: Int) throws {
        for arguments in [
            ["--loop", "forever", Binary.sample("pixel-slime")], ["browse", Binary.sample("pixel-slime")],
        ] {
            let library = try FaultLibrary()
            let terminal = try PseudoTerminal(arguments, environment: library.environment("signal:\(number)"))
            // Before gifplay reads signals, SIGTERM has its default action.
            #expect([143, -SIGTERM].contains(try terminal.finish()))
            #expect(terminal.hasInitialModes)
            #expect(terminal.count(of: "\u{1B}[?1049h") == 0 || terminal.isScreenRestored)
        }
    }

    @Test(
        "If no thread can be created any more, the gallery goes on, and 'q' and signals end it",
        arguments: ["q", "TERM"])
    func noThreadDuringRun(end: String) throws {
        let library = try FaultLibrary()
        let home = try BrowserHome()
        let terminal = try PseudoTerminal(
            ["browse", "octopus"], environment: home.environment(library.environment("gate")), until: "Octopus 1")
        #expect(FileManager.default.createFile(atPath: library.report, contents: nil))
        try terminal.send("\r", until: "Octopus 1 · Inkwell")
        // In the large view, 'q' returns to the grid.
        if end == "q" { terminal.send("qq") } else { kill(terminal.process, SIGTERM) }
        #expect(try terminal.finish() == (end == "q" ? 0 : 143))
        #expect(terminal.hasInitialModes && terminal.isScreenRestored)
    }

    @Test("If no thread can be created when the player opens the gallery, the program ends with a message")
    func noThreadForGallery() throws {
        let library = try FaultLibrary()
        let terminal = try PseudoTerminal(["dancing cat"], environment: library.environment("gate"), until: "built-in")
        #expect(FileManager.default.createFile(atPath: library.report, contents: nil))
        try terminal.quit("/", status: 1)
        #expect(terminal.text.contains(Self.noThread))
        #expect(terminal.hasInitialModes && terminal.text.contains("\u{1B}[?1049l"))
    }

    @Test("'--follow' needs its threads before the start; if one is missing later, the replies are discarded")
    func follow() throws {
        let folder = try TemporaryFolder()
        for fault in ["thread:1+", "thread:2+", "thread:3+"] {
            let library = try FaultLibrary()
            let terminal = try PseudoTerminal(
                ["--follow", folder.url.path], environment: library.environment(fault))
            #expect(try terminal.finish() == 1)
            #expect(terminal.text.contains(Self.noThread) && !terminal.text.contains("\u{1B}[?1049h"))
        }
        let library = try FaultLibrary()
        let terminal = try PseudoTerminal(
            ["dancing cat"], environment: library.environment("gate"), answers: false, until: "\u{1B}[38;2;")
        #expect(FileManager.default.createFile(atPath: library.report, contents: nil))
        try terminal.send("/", until: "\u{1B}[?1049l")
        try terminal.quit("\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c", status: 1)
        // The terminal would echo what is left for the shell.
        #expect(terminal.text.contains(Self.noThread) && !terminal.text.contains("62;22c") && terminal.hasInitialModes)
    }

    @Test("A signal or Ctrl-C ends a program whose main thread is blocked", arguments: [SIGTERM, SIGHUP, SIGINT, 0])
    func blockedMainThread(signal: Int32) throws {
        let library = try FaultLibrary()
        let terminal = try PseudoTerminal(
            ["--loop", "forever", "dancing cat"], environment: library.environment("block"), until: "built-in")
        #expect(mkfifo(library.report, 0o600) == 0)
        // Returns when the main thread has opened the FIFO, from which it then reads for ever.
        let fifo = open(library.report, O_WRONLY | O_CLOEXEC)
        defer { close(fifo) }
        if signal != 0 {
            kill(terminal.process, signal)
        } else {
            // The guard notices after two seconds that the main thread does not read the first Ctrl-C, and makes the next
            // one a signal. One more would be echoed by the restored terminal.
            let end = Date().addingTimeInterval(PseudoTerminal.timeout)
            while !terminal.hasLocalMode(ISIG), Date() < end {
                terminal.send("\u{3}")
                terminal.readOutput(at: nil, for: .milliseconds(100)) { terminal.hasLocalMode(ISIG) }
            }
            if !terminal.hasLocalMode(ECHO) { terminal.send("\u{3}") }
        }
        #expect(try terminal.finish() == -(signal == 0 ? SIGINT : signal))
        #expect(terminal.hasInitialModes && terminal.isScreenRestored)
    }

    @Test("A tmux that does not finish its reply delays no key")
    func unfinishedTmuxReply() throws {
        let folder = try TemporaryFolder()
        let pipe = try folder.makePipe("pipe")
        try folder.writeProgram("#!/bin/sh\nprintf '1 01 '\nread line < '\(pipe)'\n", to: "tmux")
        let path = folder.url.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let terminal = try PseudoTerminal(
            ["--loop", "forever", "dancing cat"],
            environment: ["TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%1", "PATH": path], until: "built-in")
        // Returns when the script has written and opens the FIFO, from which it then reads for ever.
        let end = open(pipe, O_WRONLY | O_CLOEXEC)
        defer { close(end) }
        try terminal.quit()
    }

    @Test("With any limit of address space, the gallery plays or ends with a message")
    func addressSpace() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a.gif"), withDestinationPath: Binary.sample("campfire"))
        var (messages, kibibytes, hasPlayed) = (0, 16_000, false)
        while !hasPlayed, kibibytes < 4_000_000 {
            let terminal = try PseudoTerminal(
                ["-c", "ulimit -c 0; ulimit -v \(kibibytes); exec \"$0\" browse \"$1\"", Binary.path, folder.url.path],
                path: "/bin/sh")
            hasPlayed = (try? terminal.read(until: "/ filter  ? keys")) != nil
            terminal.send("q")
            let status = try terminal.finish()
            let isStarted = status != 127 && terminal.text.contains("gifplay: ")
            // With less memory, the shell or the loader of shared libraries fails.
            #expect(isStarted ? status == 1 : status == 0 || messages == 0)
            #expect(terminal.hasInitialModes && ModeTracker(terminal.output).unrestored.isSubset(of: ["?2004"]))
            messages += isStarted ? 1 : 0
            kibibytes += kibibytes / 8
        }
        #expect(hasPlayed && messages > 0)
    }
}
