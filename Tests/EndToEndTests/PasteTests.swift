import Foundation
import Testing

/// Tests pasted text in a real tmux. The tmux command `paste-buffer -p` sends a bracketed paste if the program has
/// enabled bracketed pastes.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct PasteTests {
    private func paste(_ text: String, bracketed: Bool, in pane: ShellPane) throws {
        let file = try pane.folder.write(text, to: "pasted")
        try pane.tmux.tmux("load-buffer", file)
        _ = try bracketed ? pane.tmux.tmux("paste-buffer", "-p") : pane.tmux.tmux("paste-buffer")
    }

    @Test("In the search field, pasted lines are inserted as text and not interpreted as keys")
    func lines() throws {
        let pane = try ShellPane()
        let home = try BrowserHome()
        try pane.play("browse octopus", environment: home.environment(), until: "Octopus 1")
        try pane.tmux.press("/", "C-u")
        try paste("zebra\nq\necho leaked\n", bracketed: true, in: pane)
        try pane.tmux.wait(forText: "/ zebra q echo leaked")
        try pane.tmux.press("C-u", until: "search GIFs")
        try paste(String(repeating: "word\n", count: 20_000), bracketed: true, in: pane)
        try pane.tmux.wait(forText: "word word word")
        try pane.tmux.press("C-u", until: "search GIFs")
        try pane.quit("C-c", status: 130)
    }

    @Test("A paste while a GIF plays has no effect")
    func player() throws {
        let pane = try ShellPane()
        try pane.play("'dancing cat'", until: "built-in")
        try paste("q\necho leaked\n", bracketed: true, in: pane)
        try pane.tmux.press("Space", until: "paused")
        try pane.quit()
    }

    @Test("If an unbracketed paste quits the program, the rest of it does not reach the shell", arguments: [300, 3000])
    func rest(lines: Int) throws {
        let pane = try ShellPane()
        try pane.play("'dancing cat'", until: "built-in")
        try paste("q" + String(repeating: "\necho leaked", count: lines), bracketed: false, in: pane)
        try pane.expectRestored(status: 0)
    }
}

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct NarrowerPaneTests {
    @Test("If a narrower pane rewraps the inline picture, the new picture replaces the lines of the old picture")
    func narrower() throws {
        let pane = try ShellPane(columns: 80, rows: 60)
        try pane.play("--inline --size 64x24 'dancing cat'", until: "built-in")
        try pane.tmux.press("Space", until: "paused")
        // Returns the number of lines that contain a part of a picture, in the scrollback and on the screen.
        func pictureLines() throws -> Int {
            try pane.tmux.tmux("capture-pane", "-p", "-S", "-").split(separator: "\n")
                .count { $0.contains("▀") || $0.contains("▄") }
        }
        try #require(try pictureLines() > 14)
        try pane.tmux.tmux("resize-window", "-x", "36", "-y", "60")
        try pane.tmux.wait(for: "the narrow picture alone") { try (5...14).contains(pictureLines()) }
        try pane.tmux.quit()
        #expect(try pictureLines() <= 14)
    }

    @Test("Splits and resizes leave no earlier status line in the history, and no earlier picture on the screen")
    func splits() throws {
        let pane = try ShellPane(columns: 80, rows: 24)
        try pane.play("--inline 'dancing cat'", until: "built-in")
        func statusLines() throws -> Int {
            try pane.tmux.tmux("capture-pane", "-p", "-S", "-").split(separator: "\n").count { $0.contains("Dancing") }
        }
        let changes = [
            ["split-window", "-d", "-h"], ["resize-pane", "-x", "60"], ["resize-pane", "-x", "20"],
            ["split-window", "-d", "-v"], ["resize-pane", "-y", "7"], ["resize-pane", "-y", "16"],
        ]
        for change in changes {
            try pane.tmux.tmux(change)
            let columns = try Int(pane.tmux.format("#{pane_width}")) ?? 0
            // The picture is 192 pixels wide and 144 pixels high, and a cell is twice as high as wide.
            let rows = min(columns * 3 / 8, try (Int(pane.tmux.format("#{pane_height}")) ?? 0) - 1)
            try pane.tmux.wait(for: "one picture of \(rows) rows after \(change)") {
                let lines = try pane.tmux.text().split(separator: "\n").count { $0.contains("▀") || $0.contains("▄") }
                return try (rows - 3...rows + 1).contains(lines) && statusLines() == 1
            }
        }
        try pane.tmux.quit()
    }
}
