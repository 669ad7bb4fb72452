import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct IsolationTests {
    private static let variables = [
        "HOME", "HISTFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
        "TMUX_TMPDIR",
    ]

    /// Parses the output of `env`.
    private func table(_ text: String) -> [String: String] {
        let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs) { $1 }
    }

    @Test("No test helper starts a process that uses the developer's home directory or XDG directories")
    func environment() throws {
        let terminal = try PseudoTerminal([], path: "/usr/bin/env")
        try terminal.finish()
        let started = [
            table(try run("/usr/bin/env", []).text), table(terminal.text),
            table(String(decoding: try ChildProcess("env").readAll(), as: UTF8.self)),
        ]
        for environment in started {
            for name in Self.variables {
                let value = try #require(environment[name])
                #expect(value.hasPrefix(TestHome.path) || value.hasPrefix("/dev/null/"), "\(name)=\(value)")
            }
        }
    }

    @Test("An interactive shell in tmux writes its history to the home directory of the tests")
    func history() throws {
        // scripts/test writes a history of 5,000 lines into the runner's home directory. Without the isolation, bash
        // would shorten this history to 500 lines.
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "/nonexistent"
        let outer = URL(fileURLWithPath: home).appendingPathComponent(".bash_history")
        let before = try? Data(contentsOf: outer)
        let marker = "marker-\(UUID().uuidString)"
        let tmux = try Tmux(columns: 80, rows: 10)
        try tmux.shell("PS1='$ '; tmux_marker=\(marker)")
        try tmux.shell("history -w; echo wri\"\"tten", until: "written")
        let own = try String(contentsOfFile: TestHome.path + "/history", encoding: .utf8)
        #expect(own.contains(marker))
        let after = try? Data(contentsOf: outer)
        #expect(after == before)
    }
}
