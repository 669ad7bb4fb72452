import Foundation
import Pixels
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct TmuxTests {
    @Test("The cells on screen equal the scaled frame, even after a resize")
    func cells() throws {
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.shell("exec '\(Binary.path)' --fidelity exact 'dancing cat'", until: "built-in")
        try tmux.press("Space", until: "paused")
        let frame = try pausedFrame(tmux)
        try expectSample(on: tmux, frame: frame, columns: 80, rows: 24)
        try tmux.tmux("resize-window", "-x", "61", "-y", "17")
        try tmux.wait(for: "the status line in row 17") {
            try tmux.text().split(separator: "\n", omittingEmptySubsequences: false)
                .prefix(17).last?.contains("frame \(frame + 1)") == true
        }
        try expectSample(on: tmux, frame: frame, columns: 61, rows: 17)
        try tmux.press(".")
        try tmux.wait(for: "the next frame") { try pausedFrame(tmux) == frame + 1 }
        try expectSample(on: tmux, frame: frame + 1, columns: 61, rows: 17)
    }

    private func pausedFrame(_ tmux: Tmux) throws -> Int {
        let text = try tmux.text()
        let mark = try #require(text.range(of: "paused · frame "))
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

    @Test("After the pane has grown during playback, nothing of the picture is left on the screen")
    func grown() throws {
        let tmux = try Tmux(columns: 50, rows: 12)
        try tmux.shell("echo before; '\(Binary.path)' 'dancing cat'; echo status=$?; read line", until: "built-in")
        try tmux.tmux("resize-window", "-x", "90", "-y", "30")
        try tmux.wait(for: "the status line in row 30") {
            try tmux.text().split(separator: "\n", omittingEmptySubsequences: false)
                .prefix(30).last?.contains("built-in") == true
        }
        try tmux.quit()
        let text = try tmux.text()
        #expect(text.contains("before") && !text.contains("▀") && !text.contains("▄"), "\(text)")
    }

    @Test(
        "Few frames are drawn while no tmux client shows the pane, and all frames when a client shows it",
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
        // From the second loop iteration on, the frames come from the loop cache, so no thread writes to wake another.
        try tmux.wait(forText: "/0:02")
        let pid = try String(contentsOf: folder.url.appendingPathComponent("pid"), encoding: .utf8)
        let counters = "/proc/\(pid.trimmingCharacters(in: .newlines))/io"
        func writeCount() throws -> Int {
            let text = try String(contentsOfFile: counters, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw: ") })
            return try #require(Int(line.dropFirst("syscw: ".count)))
        }
        try tmux.tmux(hiding)
        // During playback, the program writes 20 frames per second. In the hidden pane, it writes one per second, in up
        // to five pieces.
        var (start, time) = (try writeCount(), Date())
        try tmux.wait(for: "few frames (\(reason))") {
            let count = try writeCount()
            if count - start > 20 { (start, time) = (count, Date()) }
            return Date().timeIntervalSince(time) > 3
        }
        try tmux.tmux(showing)
        let shown = (try writeCount(), Date())
        try tmux.wait(for: "more frames") { try writeCount() - shown.0 > 60 }
        #expect(Date().timeIntervalSince(shown.1) < 20)
    }

    @Test("In a popup without COLORTERM, the colours have 24 bits if the terminals of the session's clients have them")
    func popup() throws {
        let inner = try Tmux(columns: 80, rows: 24)
        try inner.tmux("set", "-as", "terminal-features", ",*:RGB")
        let outer = try Tmux(columns: 80, rows: 24)
        try outer.shell("exec \(inner.attachCommand)")
        try outer.wait(for: "the attached session") { try inner.format("#{session_attached}") != "1" }
        let command = "env -u COLORTERM TERM=tmux-256color '\(Binary.path)' '\(Binary.sample("campfire"))'"
        try inner.tmux("bind-key", "-n", "F5", "display-popup", "-E", command)
        try outer.press("F5")
        try outer.wait(for: "24-bit colours") {
            try outer.tmux("capture-pane", "-p", "-e").contains("38;2;")
        }
        try outer.press("q")
    }
}

/// Tests terminals without an alternate screen, such as mosh and GNU Screen.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct NoAlternateScreenTests {
    @Test("Without an alternate screen, the prompt after the exit is below the picture", arguments: ["", "--bare "])
    func prompt(options: String) throws {
        let tmux = try Tmux(columns: 60, rows: 16)
        try tmux.tmux("set", "-g", "-w", "alternate-screen", "off")
        try tmux.shell("PS1='$ '; clear")
        try tmux.wait(for: "the prompt") { try tmux.text().hasPrefix("$\n") }
        try tmux.shell("'\(Binary.path)' \(options)'\(Binary.sample("dancing-cat"))'; echo status=$?")
        try tmux.wait(for: "the picture") { try tmux.format("#{cursor_flag}") == "0" && tmux.text().contains("▀") }
        try tmux.quit()
        try tmux.wait(for: "the last prompt") { try tmux.format("#{cursor_x},#{cursor_y}") == "2,15" }
        let lines = try tmux.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(Array(lines[14...15]) == ["status=0", "$"])
        #expect(!lines[..<14].contains { $0.hasPrefix("$") || $0.contains("status") })
        #expect(lines[..<14].contains { $0.contains("▀") })
    }
}
