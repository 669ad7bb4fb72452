import Foundation
import TestSupport
import Testing

/// A shell in a private tmux server, and the state of the shell's terminal before any program starts.
///
/// The started program is called `./play`, so that the shell's messages about it are short.
final class ShellPane {
    let tmux: Tmux
    let folder: TemporaryFolder
    private let before: TerminalState
    /// The number of commands that were started. Each command ends with a line that shows its exit status, so the test
    /// can count the finished commands.
    private var runs = 0
    /// The expected lines of the scrollback and the screen after the next command.
    private var expected: [String]

    init(columns: Int = 80, rows: Int = 24) throws {
        folder = try TemporaryFolder()
        tmux = try Tmux(columns: columns, rows: rows)
        let pane = tmux
        try pane.shell("PS1='$ '; cd '\(folder.url.path)'; stty -g > before; clear; seq 1 40")
        // `clear` keeps the scrollback, which must be unchanged at the end.
        try pane.wait(for: "the numbers and a prompt") { try pane.text().contains("40\n$\n") }
        before = try pane.state()
        expected = before.history
        try pane.tmux("pipe-pane", "-O", "cat > '\(folder.url.path)/recorded'")
    }

    // MARK: - Starting

    /// Runs a shell line in which `./play` starts a program.
    /// - Parameters:
    ///   - command: the program with its arguments, quoted for the shell.
    ///   - environment: environment variables for the program only.
    ///   - preparation: shell commands to run before the program, such as one that sets a limit.
    ///   - line: the line to run; `./play` in it starts the program.
    func start(
        _ command: String, environment: [String: String] = [:], preparation: String = "", line: String = "./play"
    ) throws {
        let variables = environment.sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'\n" }.joined()
        try folder.writeProgram(
            "#!/bin/sh\n\(variables)echo $$ > pid\n\(preparation)\nexec \(command)\n", to: "play")
        try run(line)
    }

    /// Starts gifplay with arguments quoted for the shell.
    func play(
        _ arguments: String, environment: [String: String] = [:], preparation: String = "", line: String = "./play",
        until text: String? = nil
    ) throws {
        try start(
            "'\(Binary.path)' \(arguments)", environment: environment, preparation: preparation, line: line)
        if let text { try tmux.wait(forText: text) }
    }

    /// Runs a line in the shell, which then prints the exit status.
    func run(_ line: String) throws {
        runs += 1
        try folder.write("\(line)\necho status=$?\nstty -g > after\n", to: "go")
        expected[expected.count - 1] += " . ./go"
        try tmux.shell(". ./go")
    }

    /// Waits until the started process is in `state`, one of Linux's state letters, such as 'T' for stopped.
    func wait(forState state: Character) throws {
        try tmux.wait(for: "the state \(state)") {
            guard FileManager.default.fileExists(atPath: path("pid")) else { return false }
            return processState(try process()) == state
        }
    }

    /// The process ID of the started program.
    func process() throws -> Int32 { try Self.process(in: path("pid")) }

    /// Reads the process ID from a file, for threads that cannot use the pane.
    static func process(in file: String) throws -> Int32 {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return try #require(Int32(text.trimmingCharacters(in: .newlines)))
    }

    func path(_ name: String) -> String { folder.path(name) }

    // MARK: - Restored terminal

    /// Waits for the prompt after the latest command.
    /// - Returns: whether the shell got the reply to a query of a program that had ended. docs/RELIABILITY.md names this
    ///   limit. It happens if tmux is stopped after it has read a query.
    func hasLateReply() throws -> Bool {
        var lines: [String] = []
        try tmux.wait(for: "a prompt") {
            lines = try tmux.state().history
            return lines.last?.contains("$") == true && lines.count { $0.hasPrefix("status=") } == runs
        }
        return lines.contains { $0.contains("1;2c") }
    }

    /// Presses a key that ends the program, and expects the initial state of the terminal.
    func quit(
        _ key: String = "q", status: Int = 0, printed: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try tmux.press(key)
        try expectRestored(status: status, printed: printed, sourceLocation: sourceLocation)
    }

    /// Waits for the prompt after the latest command, and checks that the terminal is in its initial state.
    /// - Parameters:
    ///   - status: the exit status that the shell prints.
    ///   - printed: the lines that the command printed on the terminal.
    func expectRestored(
        status: Int, printed: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var after = before
        try tmux.wait(for: "status \(status) and a prompt") {
            after = try tmux.state()
            return after.history.last == "$" && after.history.count { $0.hasPrefix("status=") } == runs
        }
        expected += printed + ["status=\(status)", "$"]
        #expect(after.modes == before.modes, sourceLocation: sourceLocation)
        #expect(after.cursor == before.cursor, sourceLocation: sourceLocation)
        #expect(after.history == expected, sourceLocation: sourceLocation)
        expected = after.history
        let modes = try ["before", "after"].map { try String(contentsOfFile: path($0), encoding: .utf8) }
        #expect(modes[0] == modes[1], sourceLocation: sourceLocation)
        let recorded = { try Data(contentsOf: URL(fileURLWithPath: self.path("recorded"))) }
        try tmux.wait(for: "the prompt in the recording") { try recorded().suffix(2) == Data("$ ".utf8) }
        #expect(ModeTracker(Array(try recorded())).unrestored == [], sourceLocation: sourceLocation)
    }
}

/// The state of a pane's terminal as reported by tmux.
struct TerminalState: Equatable {
    /// Modes, title, scrolling region and tab stops.
    var modes: String
    /// The cursor's column and row. The row is relative to the last line of text.
    var cursor: String
    /// The lines of scrollback and screen, without empty lines and the shell's job messages.
    var history: [String]
}

extension Tmux {
    private static let flags = [
        "alternate_on", "cursor_flag", "insert_flag", "keypad_flag", "keypad_cursor_flag", "mouse_all_flag",
        "mouse_any_flag", "mouse_button_flag", "mouse_sgr_flag", "mouse_standard_flag", "mouse_utf8_flag",
        "origin_flag", "wrap_flag", "scroll_region_upper", "scroll_region_lower", "pane_in_mode", "pane_title",
        "pane_tabs",
    ]

    func state() throws -> TerminalState {
        let format = (["cursor_x", "cursor_y"] + Self.flags).map { "#{\($0)}" }.joined(separator: ",")
        // tmux 3.4 escapes control characters in messages.
        let separator = "@@@@"
        let answer = try tmux(
            "display-message", "-p", format, ";", "capture-pane", "-p", ";", "display-message", "-p", separator, ";",
            "capture-pane", "-p", "-J", "-S", "-")
        let parts = answer.components(separatedBy: separator + "\n")
        let words = parts[0].prefix { $0 != "\n" }.components(separatedBy: ",")
        let screen = parts[0].components(separatedBy: "\n").dropFirst()
        let last = (screen.lastIndex { !$0.isEmpty } ?? 1) - 1
        let lines = parts.dropFirst().joined().components(separatedBy: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        return TerminalState(
            modes: words.dropFirst(2).joined(separator: " "),
            cursor: "\(words[0]) \((Int(words[1]) ?? 0) - last)",
            history: lines.filter { !$0.isEmpty && !$0.hasPrefix("[1]") })
    }
}

/// Finds the terminal modes that a byte stream sets and does not reset. It detects modes that tmux does not report,
/// such as bracketed paste, focus reports and the cursor shape.
struct ModeTracker {
    private(set) var unrestored: Set<String> = []

    init(_ bytes: [UInt8]) {
        // The recording begins and ends at the shell's prompt, where bracketed paste (mode 2004) is enabled.
        var modes: [Substring: Bool] = ["25": true, "7": true, "2004": true]
        let usual = modes
        // Leaves out most colours and movements (CSI without `?` and space), because regular expressions are slow.
        let starts = bytes.ranges(of: [0x1B]).map(\.lowerBound)
        let text = zip(starts, starts.dropFirst() + [bytes.count]).filter { start, end in
            let head = bytes[start..<min(start + 5, end)]
            return head.count < 3 || head[start + 1] != 0x5B || head[start + 2] == 0x3F || head.contains(0x20)
        }.map { String(decoding: bytes[$0..<min($1, $0 + 80)], as: UTF8.self) }.joined()
        for match in text.matches(of: /\u{1B}\[\?([0-9;]+)([hl])/) {
            for mode in match.1.split(separator: ";") { modes[mode] = match.2 == "h" }
        }
        for (mode, isSet) in modes where isSet != usual[mode, default: false] { unrestored.insert("?\(mode)") }
        for match in text.matches(of: /\u{1B}\[[0-9]* q|\u{1B}\][0-9]+;|\u{1B}[=>]/)
        where !match.0.hasPrefix("\u{1B}]11;") && !match.0.hasPrefix("\u{1B}]52;") {
            unrestored.insert(String(match.0.dropFirst()))
        }
    }
}
