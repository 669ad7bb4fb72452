import Foundation
import Pixels
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct BrokenTerminalTests {
    private static let firstCell = "\u{1B}[38;2;"
    private let folder: TemporaryFolder
    /// An endless animation with ten frames per second.
    private let animation: String
    /// A GIF of two frames that last one minute each.
    private let slowAnimation: String

    init() throws {
        folder = try TemporaryFolder()
        animation = try folder.write(
            NumberedAnimation(columns: 20, rows: 6, frames: 10, centiseconds: 10).bytes, to: "animation.gif")
        slowAnimation = try folder.write(
            NumberedAnimation(columns: 20, rows: 6, frames: 2, centiseconds: 6000).bytes, to: "slow.gif")
    }

    private func shell(_ command: String) throws -> PseudoTerminal {
        try PseudoTerminal(["-c", command], path: "/bin/sh")
    }

    private func quit(_ terminal: PseudoTerminal, with key: String = "q", _ status: Int32 = 0) throws {
        terminal.send(key)
        let end = try #require(terminal.waitForExit(readingAt: nil))
        #expect(end.status == status && terminal.hasInitialModes && terminal.isScreenRestored)
    }

    // MARK: - Closed terminals

    enum Activity: CaseIterable { case writing, waiting, browsing, screensaver }

    @Test(
        "If the terminal is closed, the program exits with status 129, even without SIGHUP",
        arguments: Activity.allCases, [true, false])
    func closedTerminal(activity: Activity, receivesSignal: Bool) throws {
        let what =
            switch activity {
            case .writing: "'\(animation)'"
            case .waiting: "'\(slowAnimation)'"
            case .browsing: "browse"
            case .screensaver: "--screensaver"
            }
        let terminal = try shell(
            (receivesSignal ? "exec " : "trap '' HUP; exec setsid -w ") + "'\(Binary.path)' \(what)")
        try terminal.read(until: Self.firstCell)
        // Leaves the output unread, so that closing the terminal makes a pending write fail.
        if activity == .writing { terminal.readOutput(at: 0, for: .milliseconds(500)) }
        terminal.closeMaster()
        #expect(terminal.reap(within: 15) == 129)
    }

    // MARK: - Streams

    @Test(
        "The GIF plays and keys work even if standard input is redirected, or if /dev/null replaces closed streams",
        arguments: ["<&-", "2>&-", "<&- 2>&-", "</dev/null", "</dev/zero"])
    func closedInput(redirection: String) throws {
        let terminal = try shell("exec '\(Binary.path)' '\(animation)' \(redirection)")
        try terminal.read(until: Self.firstCell)
        for (number, closing) in [(0, "<&-"), (2, "2>&-")] where redirection.contains(closing) {
            let link = "/proc/\(terminal.process)/fd/\(number)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
        }
        try quit(terminal)
    }

    @Test(
        "If standard output is closed, the program reports an error and exits with status 1",
        arguments: [">&-", "<&- >&-"])
    func closedOutput(redirection: String) throws {
        let terminal = try shell("'\(Binary.path)' '\(animation)' \(redirection)")
        #expect(try terminal.finish() == 1)
        #expect(terminal.text.contains("gifplay: standard output cannot be written"), "\(terminal.text)")
    }

    @Test("If all standard streams are closed, commands exit with status 0 or 1 and do not write to the GIF file")
    func allClosed() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: animation))
        for command in ["'\(animation)'", "/nowhere.gif", "browse", "info '\(animation)'", "library list"] {
            let terminal = try shell("'\(Binary.path)' \(command) <&- >&- 2>&-; echo status=$?")
            try terminal.finish()
            #expect(
                terminal.text.contains("status=1") || terminal.text.contains("status=0"), "\(command): \(terminal.text)"
            )
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: animation)) == before)
    }

    @Test("If standard output is a file, the picture is written to the file and the terminal stays unchanged")
    func fileOutput() throws {
        let terminal = try shell("'\(Binary.path)' '\(animation)' >'\(folder.url.path)/still'")
        #expect(try terminal.finish() == 0)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("still")).count > 100)
        #expect(terminal.text.isEmpty && terminal.hasInitialModes)
    }

    @Test(
        "'gifplay browse' exits with an error if standard input is not a terminal, or if nothing can be chosen on one",
        arguments: ["<&-", "</dev/null", "setsid -w >/dev/null"])
    func browserStreams(redirection: String) throws {
        let (prefix, suffix) = redirection.hasPrefix("setsid") ? (redirection, "") : ("", redirection)
        let terminal = try shell("\(prefix) '\(Binary.path)' browse \(suffix)")
        #expect(try terminal.finish() == 1)
        #expect(terminal.text.contains("browse needs a terminal") && terminal.hasInitialModes)
    }

    @Test(
        "A program that is blocked by a full pipe ends when it receives SIGTERM or when the reader closes the pipe",
        arguments: [true, false])
    func fullPipe(isSignal: Bool) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let null = open("/dev/null", O_RDWR)
        let process = try spawn(
            Binary.path, ["--animate", "--loop", "forever", animation], [:], nil, [null, ends[1], null])
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

    @Test("The player and the gallery work on terminals of extreme sizes, such as zero columns or rows")
    func sizes() throws {
        let sizes = [(0, 0), (1, 1), (1, 1000), (1000, 1), (0, 24), (80, 0), (65535, 1), (65535, 65535)]
        let animation = animation
        forEachConcurrently(sizes.map { CellSize(columns: $0.0, rows: $0.1) }) { size in
            let isHuge = size.columns * size.rows > 1 << 20
            let commands = [["--speed", "max", animation], ["--inline", "--bare", animation], ["browse", "cat"]]
            for arguments in isHuge ? commands.prefix(1) : commands[...] {
                let terminal = try PseudoTerminal(arguments, columns: size.columns, rows: size.rows)
                let least = arguments[0] == "browse" ? 20 : 60
                try terminal.read("output") { $0.output.count > least }
                terminal.readOutput(at: nil, for: .milliseconds(50))
                if try terminal.memory("VmHWM") > 256 << 10 { return "\(arguments): too much memory" }
                terminal.send("\u{3}")
                guard let end = terminal.waitForExit(readingAt: nil), end.status == 130, terminal.hasInitialModes else {
                    return "\(arguments) does not exit correctly"
                }
            }
            return nil
        }
    }

    @Test(
        "Even after 500 resizes or six resizes to zero cells, a new resize clears the screen and the key 'q' quits",
        arguments: [true, false])
    func resizes(areMany: Bool) throws {
        let terminal = try PseudoTerminal(["--bare", animation], columns: 20, rows: 6, until: Self.firstCell)
        for number in 0..<(areMany ? 500 : 6) {
            terminal.resize(columns: areMany ? number % 90 : 0, rows: areMany ? number % 30 : 0)
            terminal.readOutput(at: nil, for: .milliseconds(areMany ? 1 : 100))
            if !areMany { terminal.resize(columns: 20, rows: 6) }
        }
        terminal.resize(columns: 30, rows: 9)
        let count = terminal.output.count
        try terminal.read("the picture") {
            String(decoding: $0.output[count...], as: UTF8.self).contains("\u{1B}[2J")
        }
        try quit(terminal)
    }
}
