import Foundation
import Pixels
import TestSupport
import Testing

/// Tests the real program in a real tmux. Checks the screen during playback, and the terminal after the exit.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct TmuxTests {
    // MARK: - During playback

    @Test("The cells on screen equal the scaled frame, even after a resize")
    func cells() throws {
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell("exec '\(Binary.path)' --fidelity exact 'dancing cat'")
        try tmux.wait(forText: "built-in")
        try tmux.press("Space")
        try tmux.wait(forText: "⏸")
        let frame = try pausedFrame(tmux)
        try expectSample(on: tmux, frame: frame, columns: 80, rows: 24)
        try tmux.tmux("resize-window", "-x", "61", "-y", "17")
        try tmux.wait(for: "the status line in row 17") {
            try tmux.text().split(separator: "\n", omittingEmptySubsequences: false)
                .prefix(17).last?.contains("⏸ \(frame + 1)/") == true
        }
        try expectSample(on: tmux, frame: frame, columns: 61, rows: 17)
        try tmux.press(".")
        try tmux.wait(forText: "⏸ \(frame + 2)/")
        try expectSample(on: tmux, frame: frame + 1, columns: 61, rows: 17)
    }

    private func pausedFrame(_ tmux: Tmux) throws -> Int {
        let text = try tmux.text()
        let mark = try #require(text.range(of: "⏸ "))
        return try #require(Int(text[mark.upperBound...].prefix { $0.isNumber })) - 1
    }

    private func expectSample(on tmux: Tmux, frame: Int, columns: Int, rows: Int) throws {
        let screen = try tmux.screen(columns: columns, rows: rows - 1)
        let expected = try ExpectedPicture(
            sample: "dancing-cat", frame: frame, box: CellSize(columns: columns, rows: rows - 1))
        let top = (rows - 1 - expected.cells.rows) / 2
        let left = (columns - expected.size.width) / 2
        #expect(screen.halves(row: top, column: left, expected.cells) == expected.pixels)
    }

    @Test(
        "Playback pauses while no tmux client shows the pane, and continues when a client shows it",
        arguments: [
            (
                // If `window-size` is `manual`, `new-window` crashes tmux 3.3a.
                "a hidden window", ["set", "-g", "window-size", "largest", ";", "new-window"],
                ["select-window", "-t", ":0"]
            ),
            ("a zoomed pane beside it", ["split-window", ";", "resize-pane", "-Z"], ["resize-pane", "-Z"]),
        ])
    func hiddenPane(reason: String, hiding: [String], showing: [String]) throws {
        let folder = try TemporaryFolder()
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell(
            "cd '\(folder.url.path)'; sh -c 'echo $$ > pid; exec \"$0\" \"$@\"' '\(Binary.path)' 'dancing cat'")
        try tmux.wait(forText: "built-in")
        let pid = try String(contentsOf: folder.url.appendingPathComponent("pid"), encoding: .utf8)
        let counters = "/proc/\(pid.trimmingCharacters(in: .newlines))/io"
        func writeCount() throws -> Int {
            let text = try String(contentsOfFile: counters, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw: ") })
            return try #require(Int(line.dropFirst("syscw: ".count)))
        }
        try tmux.tmux(hiding)
        // During playback, the program writes a frame every 0.1 s. While playback is paused, the program can only write
        // for its queries to tmux, one every 2 s.
        var (start, time) = (try writeCount(), Date())
        try tmux.wait(for: "a pause (\(reason))") {
            let count = try writeCount()
            if count - start > 3 { (start, time) = (count, Date()) }
            return Date().timeIntervalSince(time) > 2
        }
        try tmux.tmux(showing)
        try tmux.wait(for: "more frames") { try writeCount() - start > 20 }
    }

    // MARK: - After the exit

    enum ExitCause: String, CaseIterable {
        case q, escape, controlC, interrupt, terminate, hangUp, lastLoop, unplayableFile, durationLimit

        /// The exit status as the shell shows it.
        var status: Int {
            switch self {
            case .q, .escape, .lastLoop, .durationLimit: 0
            case .controlC, .interrupt: 130
            case .terminate: 143
            case .hangUp: 129
            case .unplayableFile: 1
            }
        }

        var arguments: String {
            switch self {
            case .lastLoop: "--speed max --loop 1 'dancing cat'"
            case .durationLimit: "--duration 300ms 'dancing cat'"
            case .unplayableFile: "'\(Binary.sample("pixel-slime"))' --loop 1 --speed max broken.gif"
            default: "'dancing cat'"
            }
        }
    }

    private struct PaneState: Equatable {
        var modes: String
        var cursor: String
        var history: String
    }

    private func paneState(_ tmux: Tmux) throws -> PaneState {
        PaneState(
            modes: try tmux.format(
                "#{alternate_on} #{cursor_flag} #{insert_flag} #{keypad_flag} #{keypad_cursor_flag} #{mouse_any_flag} #{wrap_flag} #{origin_flag}"
            ),
            cursor: try tmux.format("#{cursor_x}"),
            history: try tmux.tmux("capture-pane", "-p", "-S", "-"))
    }

    @Test(
        "Every way to exit restores the terminal modes, cursor, screen and scrollback", arguments: ExitCause.allCases)
    func restoresTerminal(cause: ExitCause) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("GIF89a".utf8), to: "broken.gif")
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell("PS1='$ '; cd '\(folder.url.path)'; clear; seq 1 40; stty -g > before")
        try tmux.wait(for: "the numbers and a prompt") { try tmux.text().contains("40\n$\n") }
        let script = "sh -c 'echo $$ > pid; exec \"$0\" \"$@\"' '\(Binary.path)' \(cause.arguments)"
        _ = try folder.write(Array("\(script)\necho status=$?\nstty -g > after\n".utf8), to: "go")
        let before = try paneState(tmux)
        try tmux.shell(". ./go")
        switch cause {
        case .lastLoop, .unplayableFile, .durationLimit: break
        default:
            try tmux.wait(forText: "built-in")
            try exit(cause, tmux, folder)
        }
        try tmux.wait(for: "a prompt") { try tmux.text().contains("status=\(cause.status)\n$\n") }
        let after = try paneState(tmux)
        #expect(after.modes == before.modes)
        #expect(after.cursor == before.cursor)
        let printed = cause == .unplayableFile ? "gifplay: broken.gif: the file ends within its header\n" : ""
        let expected = trimmed(before.history) + " . ./go\n\(printed)status=\(cause.status)\n$"
        #expect(trimmed(after.history) == expected)
        let modes = try ["before", "after"].map {
            try String(contentsOf: folder.url.appendingPathComponent($0), encoding: .utf8)
        }
        #expect(modes[0] == modes[1])
    }

    private func exit(_ cause: ExitCause, _ tmux: Tmux, _ folder: TemporaryFolder) throws {
        let pid = try String(contentsOf: folder.url.appendingPathComponent("pid"), encoding: .utf8)
        let process = try #require(Int32(pid.trimmingCharacters(in: .newlines)))
        switch cause {
        case .q: try tmux.type("q")
        case .escape: try tmux.press("Escape")
        case .controlC: try tmux.press("C-c")
        case .interrupt: kill(process, SIGINT)
        case .terminate: kill(process, SIGTERM)
        case .hangUp: kill(process, SIGHUP)
        case .lastLoop, .unplayableFile, .durationLimit: break
        }
    }

    private func trimmed(_ history: String) -> String {
        history.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("Ctrl-Z and SIGTSTP restore the terminal, and 'fg' resumes playback", arguments: ["key", "signal"])
    func suspends(by method: String) throws {
        let folder = try TemporaryFolder()
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell("PS1='$ '; cd '\(folder.url.path)'; stty -g > before; clear")
        let before = try { () throws -> PaneState in
            try tmux.wait(for: "a clear screen") { try trimmed(tmux.text()) == "$" }
            return try paneState(tmux)
        }()
        try tmux.shell("sh -c 'echo $$ > pid; exec \"$0\" \"$@\"' '\(Binary.path)' 'dancing cat'")
        try tmux.wait(forText: "built-in")
        if method == "key" {
            try tmux.press("C-z")
        } else {
            let pid = try String(contentsOf: folder.url.appendingPathComponent("pid"), encoding: .utf8)
            kill(try #require(Int32(pid.trimmingCharacters(in: .newlines))), SIGTSTP)
        }
        try tmux.wait(forText: "Stopped")
        try tmux.shell("stty -g > stopped; cmp before stopped && echo same")
        try tmux.wait(forText: "\nsame")
        #expect(try paneState(tmux).modes == before.modes)
        try tmux.shell("fg")
        try tmux.wait(for: "the picture again") {
            try tmux.format("#{alternate_on}") == "1" && tmux.text().contains("built-in")
        }
        try tmux.press("q")
        try tmux.wait(for: "the shell again") { try tmux.format("#{alternate_on} #{cursor_flag}") == "0 1" }
        try tmux.shell("stty -g > after; cmp before after && echo alike")
        try tmux.wait(forText: "\nalike")
    }

    @Test("If a stopped program is killed, the terminal is in its initial state")
    func killedWhileStopped() throws {
        let folder = try TemporaryFolder()
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell("PS1='$ '; cd '\(folder.url.path)'; stty -g > before")
        try tmux.shell("'\(Binary.path)' 'dancing cat'")
        try tmux.wait(forText: "built-in")
        try tmux.press("C-z")
        try tmux.wait(forText: "Stopped")
        try tmux.shell("kill %1; wait; stty -g > after; cmp before after && echo same")
        try tmux.wait(forText: "\nsame")
        #expect(try tmux.format("#{alternate_on} #{cursor_flag}") == "0 1")
    }
}
