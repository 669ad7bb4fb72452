import Foundation
import Testing

/// Runs the recipes of the guide in a real tmux and with the real zsh. The tests change only the timeouts, from 300
/// seconds to 1 second.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct RecipeTests {
    private let guide: String
    /// A directory in PATH that contains `gifplay`, a link to the program under test.
    private let folder: TemporaryFolder

    init() throws {
        guide = try String(contentsOf: Binary.package.appendingPathComponent("docs/GUIDE.md"), encoding: .utf8)
        folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("gifplay"), withDestinationPath: Binary.path)
    }

    /// Makes a directory with a program `gifplay` that runs the program under test and then makes the file `ended`.
    ///
    /// Keys that are typed before gifplay has ended can be lost, because it discards late replies of the terminal. Keys
    /// that are typed after its end wait for the shell.
    private func recorder() throws -> (folder: TemporaryFolder, ended: String) {
        let programs = try TemporaryFolder()
        let ended = programs.url.appendingPathComponent("ended").path
        let script = "#!/bin/sh\n'\(Binary.path)' \"$@\"\nstatus=$?\n: > '\(ended)'\nexit $status\n"
        try programs.writeProgram(script, to: "gifplay")
        return (programs, ended)
    }

    /// Returns the fenced code blocks in a language, such as `sh`.
    private func blocks(_ language: String) -> [String] {
        guide.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test("In the tmux status pane, a GIF plays without a status line; the other pane stays unchanged")
    func statusPane() throws {
        let recipe = try #require(blocks("sh").first { $0.contains("split-window") })
        let tmux = try Tmux(columns: 80, rows: 30, folder: folder.url)
        try tmux.shell("PS1='$ '; clear; echo untouched; \(recipe)")
        try tmux.wait(for: "a second pane with a picture") {
            try tmux.tmux("list-panes").split(separator: "\n").count == 2 && tmux.text(pane: ":.1").contains("▀")
        }
        #expect(try tmux.format("#{pane_height}", pane: ":.1") == "8")
        #expect(try !tmux.text(pane: ":.1").contains("built-in"))
        #expect(try tmux.text(pane: ":.0").contains("\nuntouched") || tmux.text(pane: ":.0").hasPrefix("untouched"))
    }

    @Test("When tmux is idle, its lock command shows the screensaver; a key restores the screen")
    func lockCommand() throws {
        let recipe = try #require(blocks("tmux").first)
        #expect(recipe.contains("lock-after-time 300"))
        let inner = try Tmux(columns: 60, rows: 20, folder: folder.url)
        try inner.shell("PS1='inner '; clear; echo still here")
        let outer = try Tmux(columns: 60, rows: 20, folder: folder.url)
        try outer.shell("exec \(inner.attachCommand)", until: "still here")
        // Locks after 1 second instead of 300, to keep the test short.
        let settings = recipe.replacingOccurrences(of: "lock-after-time 300", with: "lock-after-time 1")
        let file = try folder.write(settings, to: "tmux.conf")
        try inner.tmux("source-file", file)
        // tmux measures the idle time from the last key.
        try outer.press("Enter")
        try outer.wait(for: "a picture") { try outer.text().contains("▀") }
        try inner.tmux("set", "-g", "lock-after-time", "0")
        try outer.press("x", until: "still here")
        #expect(try !outer.text().contains("▀"))
    }

    @Test(
        "When GNU Screen is idle, its blanker shows the screensaver; a key restores the screen",
        .enabled(if: isInstalled("screen"), "GNU Screen is not installed"))
    func blanker() throws {
        let path = Binary.package.appendingPathComponent("share/gifplay/gifplay.screenrc")
        let recipe = try String(contentsOf: path, encoding: .utf8)
        #expect(recipe.contains("idle 300 blanker"))
        // Blanks after 1 second instead of 300, to keep the test short.
        let settings = "startup_message off\n" + recipe.replacingOccurrences(of: "idle 300", with: "idle 1")
        let file = try folder.write(settings, to: "screenrc")
        let tmux = try Tmux(columns: 60, rows: 20, folder: folder.url)
        try tmux.shell("mkdir -m 700 '\(folder.url.path)/screens'; export SCREENDIR='\(folder.url.path)/screens'")
        try tmux.shell("exec screen -U -c '\(file)' sh -c 'echo still here; exec sh'")
        try tmux.wait(for: "a picture") { try tmux.text().contains("▀") }
        try tmux.press("x", until: "still here")
        #expect(try !tmux.text().contains("▀"))
    }

    @Test("When zsh is idle for TMOUT seconds, the screensaver starts; a key restores the prompt")
    func zshTimeout() throws {
        let recipe = try #require(blocks("zsh").first)
        #expect(recipe.contains("TMOUT=300"))
        let settings = recipe.replacingOccurrences(of: "TMOUT=300", with: "TMOUT=1")
        let file = try folder.write(settings, to: "zshrc")
        let (programs, ended) = try recorder()
        let tmux = try Tmux(columns: 60, rows: 20, command: "exec zsh -f", folder: programs.url)
        try tmux.shell("PS1='ready '; . \(file)")
        try tmux.wait(for: "a picture") { try tmux.text().contains("▀") }
        try tmux.shell("x")
        try tmux.wait(for: "the end of gifplay") { FileManager.default.fileExists(atPath: ended) }
        #expect(try tmux.format("#{alternate_on}") == "0")
        try tmux.type("TMOUT=0; echo go\"\"ne on")
        try tmux.press("Enter", until: "gone on")
    }

    // MARK: - Snippets in share/gifplay

    private func snippet(_ name: String) -> String {
        Binary.package.appendingPathComponent("share/gifplay/\(name)").path
    }

    @Test("In tmux, the prefix and 'g' open and close a pane with GIFs; the prefix and 'G' open the gallery")
    func tmuxSnippet() throws {
        let inner = try Tmux(columns: 100, rows: 30, folder: folder.url)
        let outer = try Tmux(columns: 100, rows: 30, folder: folder.url)
        try outer.shell("exec \(inner.attachCommand)")
        try inner.tmux("source-file", snippet("gifplay.tmux"))
        try outer.wait(for: "the attached session") { try inner.format("#{session_attached}") != "1" }
        try outer.press("C-b", "g")
        try outer.wait(for: "a picture") { try outer.text().contains("▀") }
        #expect(try inner.format("#{window_panes} #{pane_index}") == "2 0")
        try outer.press("C-b", "g")
        try outer.wait(for: "a single pane") { try inner.format("#{window_panes}") == "1" }
        try outer.press("C-b", "G", until: "search GIFs")
        try outer.press("Escape")
        try outer.wait(for: "the closed popup") { try !outer.text().contains("search GIFs") }
    }

    @Test("In bash and zsh, Alt-g opens the gallery and returns to the command line", arguments: ["bash", "zsh"])
    func shellSnippet(shell: String) throws {
        let command = shell == "bash" ? "exec bash --norc --noprofile" : "exec zsh -f"
        let (programs, ended) = try recorder()
        let tmux = try Tmux(columns: 80, rows: 24, command: command, folder: programs.url)
        try tmux.shell(". '\(snippet("gifplay.\(shell)"))'; PS1='ready '", until: "\nready")
        try tmux.type("echo go")
        try tmux.press("M-g", until: "search GIFs")
        // In zsh, SIGALRM ends the idle time, which includes the time in the gallery.
        if shell == "zsh" { #expect(kill(try #require(pid_t(tmux.format("#{pane_pid}"))), SIGALRM) == 0) }
        try tmux.press("q")
        try tmux.wait(for: "the end of gifplay") { FileManager.default.fileExists(atPath: ended) }
        try tmux.type("ne on")
        try tmux.press("Enter", until: "\ngone on")
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test("lf shows a GIF in its preview pane", .enabled(if: isInstalled("lf"), "lf is not installed"))
    func lfPreview() throws {
        let sample = try Data(Binary.bytes("dancing-cat"))
        try folder.write(Array(sample), to: "cat.gif")
        let lf = "cd '\(folder.url.path)' && lf -command 'set previewer \(snippet("preview"))' cat.gif"
        let tmux = try Tmux(columns: 100, rows: 24, folder: folder.url)
        try tmux.shell(lf)
        try tmux.wait(for: "a picture") { try tmux.text().contains("▀▀▀") }
    }

    @Test(
        "ranger shows a GIF in its preview column in 256 colours",
        .enabled(if: isInstalled("ranger"), "ranger is not installed"))
    func rangerPreview() throws {
        let sample = try Data(Binary.bytes("dancing-cat"))
        let path = try folder.write(Array(sample), to: "cat.gif")
        // If root runs ranger, it turns previews off at startup. The options '--cmd' turn them on again.
        let settings = ["preview_files true", "use_preview_script true", "preview_script \(snippet("preview"))"]
        let ranger = "ranger --clean " + settings.map { "--cmd='set \($0)' " }.joined() + "--selectfile='\(path)'"
        let tmux = try Tmux(columns: 100, rows: 24, folder: folder.url)
        try tmux.shell("HOME='\(folder.url.path)' " + ranger)
        try tmux.wait(for: "a picture") { try tmux.text().contains("▀▀▀") }
        #expect(try tmux.tmux("capture-pane", "-p", "-e").contains("[48;5;"))
    }

    @Test("fzf shows a GIF in its preview pane", .enabled(if: isInstalled("fzf"), "fzf is not installed"))
    func fzfPreview() throws {
        let recipe = try #require(guide.firstMatch(of: /\n    (fzf --preview .*)\n/)?.output.1)
        let tmux = try Tmux(columns: 100, rows: 24, folder: folder.url)
        try tmux.shell("printf '%s\\n' '\(Binary.sample("dancing-cat"))' | \(recipe)")
        try tmux.wait(for: "a picture") { try tmux.text().contains("▀▀▀") }
    }

    @Test("'find -print0' selects the files to play; if it finds none, an error is reported")
    func fileList() throws {
        let files = try TemporaryFolder()
        let sample = try Data(Binary.bytes("pixel-slime"))
        for name in ["one\ntwo.gif", "--three.gif"] { try files.write(Array(sample), to: name) }
        func play(_ find: String) throws -> ProgramResult {
            let line = "find . \(find) -print0 | '\(Binary.path)' --size 10x5 --files0 -"
            return try run("/bin/sh", ["-c", line], folder: files.url)
        }
        let one = try play("-name 'one*'")
        let both = try play("-type f")
        #expect(one.status == 0 && both.status == 0, "\(both.errors)")
        #expect(!one.output.isEmpty && both.output.count == 2 * one.output.count)
        let none = try play("-name none")
        #expect(none.status == 1)
        #expect(none.errors == "gifplay: --files0 -: the list contains no file\n")
    }

    @Test("jq reads the output of '--list --json'", .enabled(if: isInstalled("jq"), "jq is not installed"))
    func listForJQ() throws {
        let line = "'\(Binary.path)' --list --json 'dancing cat' | jq -r .title | head -n 1"
        let result = try run("/bin/sh", ["-c", line])
        #expect(result.text.lowercased().contains("cat"), "\(result.errors)")
    }
}
