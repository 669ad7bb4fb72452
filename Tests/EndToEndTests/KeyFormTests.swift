import Foundation
import Testing

/// Tests the forms in which terminals send keys and reports, in all views of the real program.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct KeyFormTests {
    @Test("Reports of the terminal do not end the screensaver, and nothing of a typed line is left for the shell")
    func screensaverReports() throws {
        let pane = try ShellPane()
        try pane.play("--screensaver 'dancing cat'", until: "built-in")
        try pane.tmux.type("echo BYE")
        try pane.quit("Enter")
        let terminal = try PseudoTerminal(["--screensaver", "--loop", "forever", "dancing cat"], until: "\u{1B}[38;2;")
        for report in [
            "\u{1B}[I", "\u{1B}[O", "\u{1B}[48;24;80;384;640t", "\u{1B}[?997;1n", "\u{1B}[0n", "\u{1B}[3;7R",
            "\u{1B}[200~\u{1B}[201~", "\u{1B}[<35;5;6M", "\u{1B}[M !!", "\u{1B}[113;1:3u",
        ] {
            terminal.send(report)
            let count = terminal.output.count
            try terminal.read("more frames") { $0.output.count > count + 2000 }
        }
        terminal.send("e")
        terminal.send("cho BYE\r")
        #expect(try terminal.finish() == 0 && !terminal.text.contains("cho") && terminal.hasInitialModes)
    }

    private static let encodedKeys: [(keys: String, status: Int32)] = [
        ("\u{1B}[99;5u", 130), ("\u{1B}[99;5:1u", 130), ("\u{1B}[27;5;99~", 130), ("\u{1B}[1089::99;133u", 130),
    ]

    @Test("Ctrl-C ends the program in every view, in each form that terminals send", arguments: encodedKeys)
    func encodedInterrupt(keys: String, status: Int32) throws {
        let home = try BrowserHome()
        let views: [(arguments: [String], text: String, before: String, shown: String)] = [
            (["--loop", "forever", "dancing cat"], "built-in", "", ""),
            (["--loop", "forever", "dancing cat"], "built-in", "\u{1B}[63;1u", "Ctrl-Z"),
            (["browse", "octopus"], "Octopus 1", "", ""),
            (["browse", "octopus"], "Octopus 1", "\u{1B}[47;1u", "Enter"),
            (["browse", "octopus"], "Octopus 1", "\u{1B}[13u", "Octopus 1 · Inkwell"),
            (["browse", "octopus", "--print", "url"], "Octopus 1", "", ""),
            (["--screensaver", "dancing cat"], "\u{1B}[38;2;", "", ""),
        ]
        for view in views {
            let terminal = try PseudoTerminal(
                view.arguments, columns: 110, rows: 32,
                environment: view.arguments[0] == "browse" ? home.environment() : [:], until: view.text)
            if !view.before.isEmpty {
                terminal.send(view.before)
                try terminal.read(until: view.shown)
            }
            terminal.send(keys)
            #expect(try terminal.finish() == status, "\(view.arguments) \(view.before.debugDescription)")
        }
    }

    @Test(
        "Escape quits in each form that terminals send; an Alt sequence does not",
        arguments: ["27u", "27;1:1u", "27;1;27~"])
    func encodedEscape(keys: String) throws {
        let terminal = try PseudoTerminal(["--loop", "forever", "dancing cat"], until: "built-in")
        terminal.send("\u{1B}\u{1B}[D\u{1B}[27;1:3u")
        let count = terminal.output.count
        try terminal.read("more frames") { $0.output.count > count + 4000 }
        terminal.send("\u{1B}[" + keys)
        #expect(try terminal.finish() == 0)
    }
}
