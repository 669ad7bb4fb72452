import Foundation
import Testing

/// Lets a shell in a real tmux choose a GIF with `browse --print`, and uses the actions of the player's keys.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct PickerTests {
    /// Starts a picker in a shell, which prints the line in angle brackets and the status when it has ended.
    private func start(_ arguments: String, _ home: BrowserHome, in tmux: Tmux) throws {
        let command = home.shellCommand(arguments).replacingOccurrences(of: "; echo status=$?", with: "")
        try tmux.shell("clear; x=$(\(command)); echo \"<$x> $?\"")
    }

    private func pick(_ option: String, _ home: BrowserHome, in tmux: Tmux, pressing keys: String...) throws {
        try start("\(option) octopus", home, in: tmux)
        try tmux.wait(forText: "Octopus 1")
        for key in keys { try tmux.press(key) }
    }

    @Test("Enter prints the chosen part of the selected GIF; Esc and 'q' print nothing and end with status 130")
    func parts() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try pick("", home, in: tmux, pressing: "Enter")
        try tmux.wait(forText: "<\(home.site.site.base)/media/Octopus_1.gif> 0")
        try pick("--print page", home, in: tmux, pressing: "Down", "Up", "Enter")
        try tmux.wait(forText: "<https://commons.wikimedia.org/wiki/File:Octopus_1.gif> 0")
        try pick("--print file", home, in: tmux, pressing: "Enter")
        try tmux.wait(forText: "<\(home.downloads.path)/Octopus-1.gif> 0")
        try pick("--print markdown", home, in: tmux, pressing: "Enter")
        try tmux.wait(forText: "<![Octopus 1](\(home.site.site.base)/media/Octopus_1.gif)")
        try pick("", home, in: tmux, pressing: "Escape")
        try tmux.wait(forText: "<> 130")
        try pick("--print url", home, in: tmux, pressing: "q")
        try tmux.wait(forText: "<> 130")
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
        _ = try folder.write(bytes, to: "a\nb.gif")
        let tmux = try Tmux(columns: 100, rows: 30)
        try start("--print file '\(folder.url.path)'", home, in: tmux)
        try tmux.wait(forText: "Enter choose  ? keys")
        try tmux.press("?")
        try tmux.wait(forText: "choose this GIF")
        try tmux.press("?")
        try tmux.press("Enter")
        try tmux.wait(forText: "rename it first")
        try tmux.press("q")
        try tmux.wait(forText: "<> 130")
        try FileManager.default.moveItem(
            atPath: folder.url.path + "/a\nb.gif", toPath: folder.url.path + "/a\u{A0}b.gif")
        try start("--print file '\(folder.url.path)'", home, in: tmux)
        try tmux.wait(forText: "1 of 1")
        try tmux.press("Enter")
        try tmux.wait(forText: "/a\u{A0}b.gif> 0")
        for (option, line) in [
            ("--print url", "<file://\(folder.url.path)/a%C2%A0b.gif> 0"), ("", "<\(folder.url.path)/a\u{A0}b.gif> 0"),
        ] {
            try start("\(option) '\(folder.url.path)'", home, in: tmux)
            try tmux.wait(forText: "1 of 1")
            try tmux.press("Enter")
            try tmux.wait(forText: line)
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
        try tmux.shell(". '\(snippet)'; clear; PS1='ready '")
        try tmux.wait(forText: "ready")
        try tmux.type("echo at  end")
        for _ in 0..<4 { try tmux.press("Left") }
        try tmux.press("M-g")
        try tmux.wait(forText: "Random 1")
        try tmux.press("Enter")
        try tmux.wait(forText: "media/Random_")
        try tmux.press("Enter")
        try tmux.wait(forText: "\nat \(home.site.site.base)/media/Random_1.gif end")
    }

    @Test("In the player, keys save, mark and dismiss the GIF; the history has what was shown, unless --no-history")
    func playerActions() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        func play(_ options: String) throws {
            try tmux.shell("clear; " + home.shellCommand(options).replacingOccurrences(of: "' browse", with: "'"))
        }
        try play("octopus")
        try tmux.wait(forText: "Octopus 1")
        try tmux.press("f")
        try tmux.wait(forText: "added to favourites")
        try tmux.press("f")
        try tmux.wait(forText: "removed from favourites")
        try tmux.press("s")
        try tmux.wait(forText: "saved \(home.downloads.path.prefix(5))")
        try tmux.wait(for: "the saved file") {
            FileManager.default.fileExists(atPath: home.downloads.path + "/Octopus-1.gif")
        }
        try tmux.press("d")
        try tmux.wait(forText: "dismissed · u: undo")
        try tmux.wait(forText: "Octopus 2")
        for outcome in ["restored", "nothing to undo"] {
            try tmux.press("u")
            try tmux.wait(forText: outcome)
        }
        try tmux.press("m")
        try tmux.wait(forText: "quadrants")
        try tmux.press("f")
        try tmux.wait(forText: "added to favourites")
        try tmux.press("q")
        try tmux.wait(forText: "status=0")
        try play("--no-history --pick 5 octopus")
        try tmux.wait(forText: "Octopus 5")
        try tmux.press("q")
        try tmux.wait(forText: "status=0")
        let listed = home.shellCommand("").replacingOccurrences(of: "' browse", with: "' library list")
        try tmux.shell("clear; " + listed)
        try tmux.wait(forText: "File:Octopus_2.gif")
        let text = try tmux.text()
        #expect(text.contains("Octopus 1") && text.contains("Octopus 2") && !text.contains("Octopus 5"), "\(text)")
    }
}
