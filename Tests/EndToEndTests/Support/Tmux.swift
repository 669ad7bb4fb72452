import Foundation
import Pixels
import TestSupport

/// A private tmux server with one window.
final class Tmux {
    private let socket = "gifplay-\(UUID().uuidString.prefix(8))"
    /// The process ID of a tmux control client. The client prints a line at each event, and the test waits for these
    /// lines.
    private var control: Int32
    private var eventPipe: Int32
    /// The input of the control client. It stays open, because the client exits at the end of its input.
    private var commands: Int32
    private let folder: TemporaryFolder

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// - Parameters:
    ///   - command: the shell command that runs in the pane.
    ///   - folder: a directory to prepend to PATH; nil for none.
    init(
        columns: Int, rows: Int, command: String = "exec bash --norc --noprofile", folder: URL? = nil
    ) throws {
        let usual = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let environment = folder.map { ["PATH": $0.path + ":" + usual] } ?? [:]
        self.folder = try TemporaryFolder()
        let socket = self.socket
        func begin(_ arguments: String...) throws {
            let outcome = try run("/usr/bin/tmux", ["-L", socket] + arguments, environment: environment)
            guard outcome.status == 0 else { throw Failure(description: "tmux \(arguments): \(outcome.errors)") }
        }
        try begin(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command, ";",
            "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-g", "status", "off", ";",
            "set", "-g", "window-size", "manual", ";", "set", "-g", "default-shell", "/bin/bash")
        (control, eventPipe, commands) = try Self.startClient(socket)
        try begin("resize-window", "-x", "\(columns)", "-y", "\(rows)")
        // Keys that are typed before the shell's line editor starts can be lost.
        try wait(for: "a prompt") { try format("#{cursor_x}") != "0" }
    }

    private static func startClient(_ socket: String) throws -> (process: Int32, events: Int32, commands: Int32) {
        var events: [Int32] = [0, 0]
        var input: [Int32] = [0, 0]
        guard pipe(&events) == 0, pipe(&input) == 0 else { throw Failure(description: "no pipe") }
        defer { for end in [input[0], events[1]] { close(end) } }
        let process = try spawn(
            "/usr/bin/tmux", ["-L", socket, "-C", "attach", "-f", "ignore-size"], [:], nil,
            [input[0], events[1], events[1]])
        return (process, events[0], input[1])
    }

    /// Detaches the control client, so that no client shows the pane. Waits then end at output of the pane.
    func detach() throws {
        let output = folder.path("output")
        guard mkfifo(output, 0o600) == 0 else { throw Failure(description: "no FIFO") }
        // Opened for reading and writing, so that neither end waits for the other.
        let events = open(output, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        try tmux("pipe-pane", "-O", "cat > '\(output)'")
        endClient()
        (control, eventPipe, commands) = (-1, events, -1)
        try wait(for: "a detached session") { try format("#{session_attached}") == "0" }
    }

    /// Attaches the control client again.
    func attach() throws {
        close(eventPipe)
        try tmux("pipe-pane")
        (control, eventPipe, commands) = try Self.startClient(socket)
    }

    private func endClient() {
        close(commands)
        close(eventPipe)
        guard control > 0 else { return }
        kill(control, SIGKILL)
        waitpid(control, nil, 0)
    }

    deinit {
        let path = try? format("#{socket_path}")
        _ = try? tmux("kill-server")
        if let path { unlink(path) }
        endClient()
    }

    @discardableResult
    func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

    @discardableResult
    func tmux(_ arguments: [String]) throws -> String {
        let outcome = try run("/usr/bin/tmux", ["-L", socket] + arguments)
        guard outcome.status == 0 else {
            throw Failure(description: "tmux \(arguments): \(outcome.errors)")
        }
        return outcome.text
    }

    /// The shell command that attaches a terminal to this server.
    var attachCommand: String { "env -u TMUX tmux -L \(socket) attach" }

    func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

    func press(_ keys: String...) throws {
        for key in keys { try tmux("send-keys", key) }
    }

    /// Types a line and presses Enter; does not wait for the command to finish.
    func shell(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    // The following functions wait until the screen shows a text.

    func type(_ text: String, until shown: String) throws {
        try type(text)
        try wait(forText: shown)
    }

    func press(_ keys: String..., until text: String) throws {
        for key in keys { try press(key) }
        try wait(forText: text)
    }

    func shell(_ line: String, until text: String) throws {
        try shell(line)
        try wait(forText: text)
    }

    /// Starts gifplay on an empty screen. Its exit status follows as `status=…`.
    /// - Parameter arguments: quoted for the shell.
    func gifplay(_ arguments: String, _ environment: [String: String], until text: String) throws {
        try shell("clear; \(Binary.shellCommand(arguments, environment)); echo status=$?", until: text)
    }

    /// Presses a key that ends the program, and waits until the shell prints the exit status.
    func quit(_ key: String = "q", status: Int = 0) throws { try press(key, until: "status=\(status)") }

    func text(pane: String = "") throws -> String {
        try tmux("capture-pane", "-p", "-t", pane.isEmpty ? ":" : pane)
    }

    func format(_ format: String, pane: String = "") throws -> String {
        try tmux("display-message", "-p", "-t", pane.isEmpty ? ":" : pane, format)
            .trimmingCharacters(in: .newlines)
    }

    /// Returns the screen of a pane with its colours.
    func screen(columns: Int, rows: Int, pane: String = "") throws -> VirtualScreen {
        let captured = try tmux("capture-pane", "-p", "-e", "-N", "-t", pane.isEmpty ? ":" : pane)
        var screen = VirtualScreen(columns: columns, rows: rows)
        let lines = captured.split(separator: "\n", omittingEmptySubsequences: false).prefix(rows)
        for (number, line) in lines.enumerated() {
            try screen.feed(Array("\u{1B}[\(number + 1)H".utf8) + Array(line.utf8))
        }
        return screen
    }

    /// Waits until `condition` returns true. Checks the condition again at each event of the server.
    func wait(for what: String, until condition: () throws -> Bool) throws {
        let end = Date().addingTimeInterval(PseudoTerminal.timeout)
        while try !condition() {
            guard Date() < end else {
                throw Failure(description: "timed out waiting for \(what); the screen:\n\(try text())")
            }
            // Changes of modes and of the cursor cause no event, so the condition is checked at least every 200 ms.
            var descriptor = pollfd(
                fd: eventPipe, events: Int16(POLLIN), revents: 0)
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            if poll(&descriptor, 1, 200) > 0 { _ = read(eventPipe, &bytes, bytes.count) }
        }
    }

    func wait(forText text: String, pane: String = "") throws {
        try wait(for: "\"\(text)\"") { try self.text(pane: pane).contains(text) }
    }
}
