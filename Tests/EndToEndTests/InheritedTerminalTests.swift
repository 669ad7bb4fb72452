import Foundation
import Testing

/// Runs the program where it cannot open its terminal by name, as after `su -c`, and in a chroot without /dev.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct InheritedTerminalTests {
    /// A shell that runs gifplay as another user in another session. A normal user denies itself the terminal.
    private static func terminal(_ program: String, _ arguments: String) throws -> PseudoTerminal {
        let isRoot = geteuid() == 0
        let user = isRoot ? "setpriv --reuid=65534 --clear-groups" : ""
        let denial = isRoot ? "" : "chmod 0 $(tty);"
        // If the test copied the program, another test's child process could still have the copy open for writing.
        let script =
            "cp '\(Binary.path)' \(program); chmod 755 \(program); \(denial) setsid -w \(user) "
            + "env HOME=/nonexistent \(program) \(arguments); echo \"ended $?\"; read line"
        return try PseudoTerminal(["-c", script], path: "/bin/sh")
    }

    /// Copies the program and a GIF to a folder that another user can read.
    private static func files() throws -> (folder: TemporaryFolder, program: String, gif: String) {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let (program, gif) = (folder.path("gifplay"), folder.path("a.gif"))
        try FileManager.default.copyItem(atPath: Binary.sample("campfire"), toPath: gif)
        chmod(gif, 0o644)
        return (folder, program, gif)
    }

    private static func isNonBlocking(_ process: Int32) throws -> Bool {
        let text = try String(contentsOfFile: "/proc/\(process)/fdinfo/1", encoding: .utf8)
        let flags = text.split(separator: "\n").first { $0.hasPrefix("flags:") }?.split(separator: "\t").last
        return try #require(flags.flatMap { Int32($0, radix: 8) }) & O_NONBLOCK != 0
    }

    @Test(
        "A terminal that cannot be opened by name is used, without non-blocking mode, and restored",
        arguments: ["", "--inline --loop 1", "--leave --size 20x5", "doctor"])
    func inherited(options: String) throws {
        let (folder, program, gif) = try Self.files()
        defer { withExtendedLifetime(folder) {} }
        let arguments = options == "doctor" ? "doctor --offline" : "\(options) \(gif)"
        let terminal = try Self.terminal(program, arguments)
        var saved = termios()
        #expect(tcgetattr(terminal.descriptor, &saved) == 0)
        if options.isEmpty {
            try terminal.read(until: "\u{1B}[38;2;")
            try terminal.read("more frames") { $0.output.count > 20_000 }
            #expect(try !Self.isNonBlocking(terminal.process))
            terminal.send("q")
        }
        try terminal.read(until: "ended ")
        var modes = termios()
        // Not PENDIN, which the kernel sets while it reads a line again.
        let flags = tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        #expect(tcgetattr(terminal.descriptor, &modes) == 0 && modes.c_lflag & flags == saved.c_lflag & flags)
        #expect(try !Self.isNonBlocking(terminal.process) && !terminal.text.contains("cannot be used"))
        terminal.send("\n")
        try terminal.finish()
        if options != "doctor" { #expect(terminal.text.contains("ended 0")) }
    }

    @Test("If such a terminal stops reading, Ctrl-C still ends the program")
    func stopped() throws {
        let (folder, program, gif) = try Self.files()
        defer { withExtendedLifetime(folder) {} }
        let terminal = try Self.terminal(program, "--fidelity exact --speed 4 \(gif)")
        try terminal.read(until: "\u{1B}[38;2;")
        terminal.waitUntilFull()
        terminal.send("\u{3}")
        let end = Date().addingTimeInterval(10)
        while Date() < end, access("/proc/\(terminal.process)/task/\(terminal.process)/children", R_OK) == 0,
            let text = try? String(
                contentsOfFile: "/proc/\(terminal.process)/task/\(terminal.process)/children", encoding: .utf8),
            !text.isEmpty
        {
            poll(nil, 0, 50)
        }
        #expect(Date() < end)
        terminal.send("\n")
        terminal.readOutput(at: nil, for: .milliseconds(500))
        #expect(terminal.text.contains("\u{1B}[?1049l"))
    }

    @Test("In the gallery grid, a transparent GIF has the background of the terminal", arguments: [true, false])
    func transparentTiles(isAnswered: Bool) throws {
        // The transparent pixels surround one opaque pixel.
        let gif: [UInt8] =
            Array("GIF89a".utf8) + [9, 0, 9, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
            + [0x21, 0xF9, 4, 1, 0, 0, 1, 0] + [0x2C, 4, 0, 4, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
        let folder = try TemporaryFolder()
        try folder.write(gif, to: "a.gif")
        let terminal = try PseudoTerminal(["browse", folder.url.path], answers: isAnswered, until: "a.gif")
        terminal.readOutput(at: nil, for: .milliseconds(700))
        // The test's terminal has the background 1e1e2e. A tile has only colours between red and it.
        let text = terminal.text
        for color in ["48;2;50;50;66", "38;2;50;50;66", "48;2;20;20;20", "38;2;20;20;20"] {
            #expect(!text.contains(color), "\(color)")
        }
        _ = terminal.exitProblem(within: .seconds(3))
    }
}
