import Foundation
import Testing

/// Runs the recipes of README in a real tmux and with the real zsh. The tests change only the timeouts, from 300
/// seconds to 1 second.
@Suite(.timeLimit(.minutes(15)), .serialized) struct RecipeTests {
    private let readme: String
    /// A directory in PATH that contains `gifplay`, a link to the program under test.
    private let folder: TemporaryFolder

    init() throws {
        readme = try String(contentsOf: Binary.package.appendingPathComponent("README.md"), encoding: .utf8)
        folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appendingPathComponent("gifplay").path, withDestinationPath: Binary.path)
    }

    /// Returns README's fenced code blocks in a language, such as `sh`.
    private func blocks(_ language: String) -> [String] {
        readme.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
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
        try outer.shell("exec \(inner.attachCommand)")
        try outer.wait(forText: "still here")
        // Locks after 1 second instead of 300, to keep the test short.
        let settings = recipe.replacingOccurrences(of: "lock-after-time 300", with: "lock-after-time 1")
        let file = try folder.write(Array(settings.utf8), to: "tmux.conf")
        try inner.tmux("source-file", file)
        // tmux measures the idle time from the last key.
        try outer.press("Enter")
        try outer.wait(for: "a picture") { try outer.text().contains("▀") }
        try inner.tmux("set", "-g", "lock-after-time", "0")
        try outer.press("x")
        try outer.wait(forText: "still here")
        #expect(try !outer.text().contains("▀"))
    }

    @Test("When zsh is idle for TMOUT seconds, the screensaver starts; a key restores the prompt")
    func zshTimeout() throws {
        let recipe = try #require(blocks("zsh").first)
        #expect(recipe.contains("TMOUT=300"))
        let settings = recipe.replacingOccurrences(of: "TMOUT=300", with: "TMOUT=1")
        let file = try folder.write(Array(settings.utf8), to: "zshrc")
        let tmux = try Tmux(columns: 60, rows: 20, command: "exec zsh -f", folder: folder.url)
        try tmux.shell("PS1='ready '; . \(file)")
        try tmux.wait(for: "a picture") { try tmux.text().contains("▀") }
        try tmux.shell("x")
        try tmux.wait(for: "the prompt") { try tmux.format("#{alternate_on}") == "0" }
        try tmux.type("TMOUT=0; echo go\"\"ne on")
        try tmux.press("Enter")
        try tmux.wait(forText: "gone on")
    }
}
