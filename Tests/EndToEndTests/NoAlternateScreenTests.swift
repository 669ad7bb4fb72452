import Foundation
import Testing

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
