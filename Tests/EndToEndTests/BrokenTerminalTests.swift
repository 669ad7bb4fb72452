import Foundation
import Pixels
import TestSupport
import Testing

/// The real program on terminals and pipes that disappear, are incomplete or have invalid sizes.
@Suite(.timeLimit(.minutes(15))) struct BrokenTerminalTests {
    private static let firstCell = "\u{1B}[38;2;"
    private let folder: TemporaryFolder
    /// An endless animation with ten frames per second.
    private let film: String
    /// A GIF of two frames that last one minute each.
    private let still: String

    init() throws {
        folder = try TemporaryFolder()
        film = try folder.write(NumberedFilm(columns: 20, rows: 6, frames: 10, centiseconds: 10).bytes, to: "film.gif")
        still = try folder.write(
            NumberedFilm(columns: 20, rows: 6, frames: 2, centiseconds: 6000).bytes, to: "still.gif")
    }

    private func shell(_ command: String) throws -> PseudoTerminal {
        try PseudoTerminal(["-c", command], path: "/bin/sh")
    }

    private func quit(_ terminal: PseudoTerminal, with key: String = "q", _ status: Int32 = 0) throws {
        terminal.send(key)
        let end = try #require(terminal.end(carrying: nil))
        #expect(end.status == status && terminal.hasFirstModes && terminal.hasFarewell)
    }

    // MARK: - Closed terminals

    enum Doing: CaseIterable { case writing, waiting, browsing }

    @Test(
        "A terminal that is gone ends it, told by SIGHUP or by the error alone", arguments: Doing.allCases,
        [true, false])
    func gone(doing: Doing, isTold: Bool) throws {
        let what = doing == .browsing ? "browse" : "'\(doing == .writing ? film : still)'"
        let terminal = try shell((isTold ? "exec " : "trap '' HUP; exec setsid -w ") + "'\(Binary.path)' \(what)")
        try terminal.read(until: Self.firstCell)
        // The terminal is not read while the program writes, so that the write fails.
        if doing == .writing { terminal.carry(0, for: .milliseconds(500)) }
        terminal.closeMaster()
        #expect(terminal.reap(within: 15) == 129)
    }

    // MARK: - Streams

    @Test(
        "With standard input or error closed it plays, and keys come from the terminal",
        arguments: [
            "<&-", "2>&-", "<&- 2>&-", "</dev/null", "</dev/zero",
        ])
    func closedInput(redirection: String) throws {
        let terminal = try shell("'\(Binary.path)' '\(film)' \(redirection)")
        try terminal.read(until: Self.firstCell)
        try quit(terminal)
    }

    @Test("With standard output closed it says so", arguments: [">&-", "<&- >&-"])
    func closedOutput(redirection: String) throws {
        let terminal = try shell("'\(Binary.path)' '\(film)' \(redirection)")
        #expect(try terminal.finish() == 1)
        #expect(terminal.text.contains("gifplay: standard output cannot be written"), "\(terminal.text)")
    }

    @Test("A closed stream's number is given to no file that is opened")
    func numbers() throws {
        let terminal = try shell("exec '\(Binary.path)' '\(film)' <&- 2>&-")
        try terminal.read(until: Self.firstCell)
        for number in [0, 2] {
            let file = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(terminal.process)/fd/\(number)")
            #expect(file == "/dev/null")
        }
        try quit(terminal)
    }

    @Test("With all of them closed it ends as ever")
    func allClosed() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: film))
        for command in ["'\(film)'", "/nowhere.gif", "browse", "info '\(film)'", "library list"] {
            let terminal = try shell("'\(Binary.path)' \(command) <&- >&- 2>&-; echo status=$?")
            try terminal.finish()
            #expect(
                terminal.text.contains("status=1") || terminal.text.contains("status=0"), "\(command): \(terminal.text)"
            )
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: film)) == before)
    }

    @Test("Output to a file with the terminal as input is a still")
    func fileOutput() throws {
        let terminal = try shell("'\(Binary.path)' '\(film)' >'\(folder.url.path)/still'")
        #expect(try terminal.finish() == 0)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("still")).count > 100)
        #expect(terminal.text.isEmpty && terminal.hasFirstModes)
    }

    @Test("The browser needs both, and says so", arguments: ["<&-", "</dev/null", ">/dev/null"])
    func browserStreams(redirection: String) throws {
        let terminal = try shell("'\(Binary.path)' browse \(redirection)")
        #expect(try terminal.finish() == 1)
        #expect(terminal.text.contains("browse needs a terminal") && terminal.hasFirstModes)
    }

    @Test("A pipe that is full ends by a signal, and with the reader's leaving", arguments: [true, false])
    func fullPipe(isSignal: Bool) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let null = open("/dev/null", O_RDWR)
        let process = spawn(
            Binary.path, ["--animate", "--loop", "forever", film], [:], nil, [null, ends[1], null])
        close(null)
        var count: Int32 = 0
        while count < 60_000 {
            poll(nil, 0, 20)
            _ = ioctl(ends[0], UInt(FIONREAD), &count)
        }
        if isSignal { kill(process, SIGTERM) }
        close(ends[1])
        if !isSignal { close(ends[0]) }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        #expect(isSignal ? status & 0x7F == SIGTERM : status == 0)
        if isSignal { close(ends[0]) }
    }

    // MARK: - Sizes

    @Test("It plays on a terminal of any size or none")
    func sizes() throws {
        let sizes = [(0, 0), (1, 1), (1, 1000), (1000, 1), (0, 24), (80, 0), (65535, 1), (65535, 65535)]
        let film = film
        atOnce(sizes.map { CellSize(columns: $0.0, rows: $0.1) }) { size in
            let isHuge = size.columns * size.rows > 1 << 20
            let commands = [["--speed", "max", film], ["--inline", "--bare", film], ["browse", "cat"]]
            for arguments in isHuge ? commands.prefix(1) : commands[...] {
                let terminal = try PseudoTerminal(arguments, columns: size.columns, rows: size.rows)
                let least = arguments[0] == "browse" ? 20 : 60
                try terminal.read("anything") { $0.output.count > least }
                terminal.carry(nil, for: .milliseconds(50))
                if try terminal.memory("VmHWM") > 256 << 10 { return "\(arguments): too much memory" }
                terminal.send("\u{3}")
                guard let end = terminal.end(carrying: nil), end.status == 130, terminal.hasFirstModes else {
                    return "\(arguments) does not end as it should"
                }
            }
            return nil
        }
    }

    @Test(
        "A resize to nothing and back, and 500 in a row, leave the picture of the last size", arguments: [true, false])
    func resizes(isStorm: Bool) throws {
        let terminal = try PseudoTerminal(["--bare", film], columns: 20, rows: 6)
        try terminal.read(until: Self.firstCell)
        for number in 0..<(isStorm ? 500 : 6) {
            terminal.resize(columns: isStorm ? number % 90 : 0, rows: isStorm ? number % 30 : 0)
            terminal.carry(nil, for: .milliseconds(isStorm ? 1 : 100))
            if !isStorm { terminal.resize(columns: 20, rows: 6) }
        }
        terminal.resize(columns: 30, rows: 9)
        let count = terminal.output.count
        try terminal.read("the picture at its place") {
            // 20x12 pixels fill 30x18.
            String(decoding: $0.output[count...], as: UTF8.self).contains("\u{1B}[2J")
        }
        try quit(terminal)
    }
}
