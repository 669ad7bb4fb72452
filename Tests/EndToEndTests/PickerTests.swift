import Foundation
import Testing

/// Lets a shell in a real tmux choose a GIF with `browse --print`, and uses the actions of the player's keys.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct PickerTests {
    private func pick(_ option: String, _ home: BrowserHome, in tmux: Tmux, pressing keys: String...) throws {
        // The line of the shell before it can name the first one.
        try home.pick("\(option) octopus", in: tmux, until: "Octopus 3")
        for key in keys { try tmux.press(key) }
    }

    @Test("Enter prints the chosen part of the selected GIF; Esc and 'q' print nothing and end with status 130")
    func parts() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        let url = "\(home.site.site.base)/media/Octopus_1.gif"
        for (option, key, printed) in [
            ("", "Enter", "<\(url)> 0"),
            ("--print page", "Enter", "<https://commons.wikimedia.org/wiki/File:Octopus_1.gif> 0"),
            ("--print file", "Enter", "<\(home.downloads.path)/Octopus-1.gif> 0"),
            ("--print markdown", "Enter", "<![Octopus 1](\(url))"), ("", "Escape", "<> 130"),
            ("--print url", "q", "<> 130"),
        ] {
            try pick(option, home, in: tmux, pressing: "Down", "Up", key)
            try tmux.wait(forText: printed)
        }
    }

    @Test("Enter prints a line for each marked GIF, in the order of the listing", arguments: ["url", "file"])
    func marks(part: String) throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try pick("--print \(part)", home, in: tmux, pressing: "Right", "t", "Home", "t", "Enter")
        let files =
            part == "file"
            ? (1...2).map { "\(home.downloads.path)/Octopus-\($0).gif" }
            : (1...2).map { "\(home.site.site.base)/media/Octopus_\($0).gif" }
        try tmux.wait(forText: "<\(files[0])\n\(files[1])> 0")
    }

    @Test("A picker says that Enter chooses, and refuses a file whose name is not one line")
    func fileNames() throws {
        let home = try BrowserHome()
        let folder = try TemporaryFolder()
        let bytes = NumberedAnimation(columns: 20, rows: 6, frames: 2, centiseconds: 60).bytes
        try folder.write(bytes, to: "a\nb.gif")
        let tmux = try Tmux(columns: 100, rows: 30)
        try home.pick("--print file '\(folder.url.path)'", in: tmux, until: "Enter choose  ? keys")
        try tmux.press("?", until: "choose this GIF")
        try tmux.press("?")
        try tmux.press("Enter", until: "rename it first")
        try tmux.press("q", until: "<> 130")
        try FileManager.default.moveItem(atPath: folder.path("a\nb.gif"), toPath: folder.path("a\u{A0}b.gif"))
        for (option, line) in [
            ("--print file", "<\(folder.url.path)/a\u{A0}b.gif> 0"),
            ("--print url", "<file://\(folder.url.path)/a%C2%A0b.gif> 0"), ("", "<\(folder.url.path)/a\u{A0}b.gif> 0"),
        ] {
            try home.pick("\(option) '\(folder.url.path)'", in: tmux, until: "1 of 1")
            try tmux.press("Enter", until: line)
        }
    }

    @Test("In bash and zsh, Alt-g inserts the URL of the chosen GIF at the cursor", arguments: ["bash", "zsh"])
    func widgets(shell: String) throws {
        let home = try BrowserHome()
        let bin = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: bin.url.appendingPathComponent("gifplay").path, withDestinationPath: Binary.path)
        let command = shell == "bash" ? "exec bash --norc --noprofile" : "exec zsh -f"
        let tmux = try Tmux(columns: 120, rows: 24, command: command, folder: bin.url)
        for (name, value) in home.environment() { try tmux.shell("export \(name)='\(value)'") }
        let snippet = Binary.package.appendingPathComponent("share/gifplay/gifplay.\(shell)").path
        try tmux.shell(". '\(snippet)'; clear; PS1='ready '", until: "ready")
        try tmux.type("echo at  end")
        for _ in 0..<4 { try tmux.press("Left") }
        try tmux.press("M-g", until: "Random 1")
        try tmux.press("Enter", until: "media/Random_")
        try tmux.press("Enter", until: "\nat \(home.site.site.base)/media/Random_1.gif end")
    }

    @Test("In the player, keys save, mark and dismiss the GIF; the history has what was shown, unless --no-history")
    func playerActions() throws {
        let home = try BrowserHome()
        let tmux = try home.start("octopus", until: "Octopus 1")
        try tmux.press("f", until: "added to favourites")
        try tmux.press("f", until: "removed from favourites")
        try tmux.press("s", until: "saved \(home.downloads.path.prefix(5))")
        try tmux.wait(for: "the saved file") {
            FileManager.default.fileExists(atPath: home.downloads.path + "/Octopus-1.gif")
        }
        try tmux.press("d", until: "dismissed · u: undo")
        try tmux.wait(forText: "Octopus 2")
        for outcome in ["restored", "nothing to undo"] {
            try tmux.press("u", until: outcome)
        }
        try tmux.press("m", until: "quadrants")
        try tmux.press("f", until: "added to favourites")
        try tmux.quit()
        try tmux.gifplay("--no-history --pick 5 octopus", home.environment(), until: "Octopus 5")
        try tmux.quit()
        try tmux.gifplay("library list", home.environment(), until: "File:Octopus_2.gif")
        let text = try tmux.text()
        #expect(text.contains("Octopus 1") && text.contains("Octopus 2") && !text.contains("Octopus 5"), "\(text)")
    }
}
