import Foundation
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct BlockedFileTests {
    private let folder: TemporaryFolder
    private let fifo: String

    init() throws {
        folder = try TemporaryFolder()
        fifo = folder.path("pipe.gif")
        #expect(mkfifo(fifo, 0o600) == 0)
    }

    /// Starts the program. If it is still running at the end of the test, SIGKILL ends it.
    private func play(_ arguments: String...) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(arguments, until: "\u{1B}[?1049h")
        return terminal
    }

    @Test("Keys and signals end the program while it waits until another process opens a FIFO for writing")
    func fifoWithoutWriter() throws {
        #expect(try play(fifo).exitProblem() == nil)
        #expect(try play(fifo).exitProblem(keys: "\u{3}", status: 130) == nil)
        #expect(try play(fifo).exitProblem(signal: SIGTERM, status: 143) == nil)
    }

    @Test("While the program waits until another process opens a FIFO, the keys 'n' and 'p' switch to another file")
    func nextFile() throws {
        let terminal = try play("--bare", Binary.sample("dancing-cat"), fifo, Binary.sample("pixel-slime"))
        try terminal.read(until: "\u{1B}[2J")
        terminal.send("n")
        terminal.send("n")
        try terminal.read("the third file") { $0.count(of: "\u{1B}[2J") == 2 }
        terminal.send("p")
        #expect(terminal.exitProblem() == nil)
    }

    @Test("A silent FIFO and a silent standard input are said to be waited for, and keys are answered")
    func waitingText() throws {
        let terminal = try play(fifo)
        try terminal.read(until: "waiting for pipe.gif…")
        for key in ["?", " "] {
            let count = terminal.count(of: "loading…")
            terminal.send(key)
            if key == "?" { try terminal.read("an answer") { $0.count(of: "loading…") > count } }
        }
        try terminal.quit()
        let input = try PseudoTerminal(
            ["-c", "sleep 60 | exec \"$0\" -", Binary.path], environment: ["LC_ALL": "de_DE.UTF-8"], path: "/bin/sh")
        try input.read(until: "wartet auf Standardeingabe …")
        input.send("q")
    }

    @Test("If another process writes a GIF to the FIFO that the program waits for, the GIF plays")
    func lateWriter() throws {
        let terminal = try play("--bare", "--loop", "1", fifo)
        let bytes = try Binary.bytes("pixel-slime")
        let pipe = open(fifo, O_WRONLY | O_CLOEXEC)
        #expect(write(pipe, bytes, bytes.count) == bytes.count)
        close(pipe)
        try terminal.read(until: "\u{1B}[2J")
        #expect(terminal.exitProblem() == nil)
    }

    @Test("If the argument is a terminal device, the program exits with an error message")
    func terminalAsFile() throws {
        let terminal = try PseudoTerminal(["/dev/tty"])
        #expect(try terminal.finish() == 1)
        #expect(terminal.text.contains("gifplay: /dev/tty: is a terminal; name a file"))
        #expect(terminal.text.contains("\u{1B}[?1049l"))
    }
}
