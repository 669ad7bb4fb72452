import Testing

@testable import Application

/// Tests the checks of environment variables. The other checks query the terminal.
@Suite("Terminal checks") struct TerminalChecksTests {
    private func checks(_ environment: [String: String]) -> TerminalChecks { TerminalChecks(environment: environment) }

    @Test("The type of the terminal is reported with the terminal program and the multiplexer")
    func terminalType() {
        #expect(checks(["TERM": "xterm"]).terminalType.line == "ok       terminal type: xterm (TERM)")
        let all = ["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TMUX": "/tmp/tmux", "STY": "1"]
        #expect(checks(all).terminalType.text == "tmux-256color (TERM), tmux, in tmux")
        #expect(checks(["TERM": "screen", "STY": "1"]).terminalType.text == "screen (TERM), in screen")
        for environment in [[:], ["TERM": ""]] {
            #expect(checks(environment).terminalType.status == .warning)
        }
        let dumb = checks(["TERM": "dumb"]).terminalType
        #expect(dumb.status == .error && dumb.text == "TERM is dumb" && dumb.advice != nil)
    }

    @Test(
        "The first variable of the locale that is set determines the encoding",
        arguments: [
            (["LANG": "C.UTF-8"], "ok       encoding: UTF-8 (LANG)"),
            (["LC_ALL": "de_DE.utf8", "LANG": "C"], "ok       encoding: UTF-8 (LC_ALL)"),
            (["LC_ALL": "", "LC_CTYPE": "en_GB.UTF-8"], "ok       encoding: UTF-8 (LC_CTYPE)"),
            (["LC_CTYPE": "C", "LANG": "C.UTF-8"], "warning  encoding: LC_CTYPE is C, which is not UTF-8"),
            ([:], "warning  encoding: no locale is set"),
        ])
    func encoding(environment: [String: String], line: String) {
        #expect(checks(environment).encoding.line.hasPrefix(line))
    }

    @Test(
        "If the terminal does not report its colours, the environment determines them",
        arguments: [
            (["COLORTERM": "truecolor"], "ok       colours: 24-bit (COLORTERM)"),
            (["COLORTERM": "24bit"], "ok       colours: 24-bit (COLORTERM)"),
            (["TERM": "xterm-direct"], "ok       colours: 24-bit (TERM and terminfo)"),
            (["COLORTERM": "yes", "TERM": "xterm-256color"], "ok       colours: 256 (TERM and terminfo)"),
            (["TERM": "linux"], "ok       colours: 8 (TERM and terminfo)"),
            (["TERM": "vt100"], "ok       colours: none (TERM and terminfo)"),
            (
                ["COLORTERM": "truecolor", "NO_COLOR": "1"],
                "warning  colours: NO_COLOR is set, so gifplay does not draw"
            ),
        ])
    func colors(environment: [String: String], line: String) {
        #expect(checks(environment).colors(nil).line.hasPrefix(line))
    }
}
