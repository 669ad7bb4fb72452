import Foundation
import Pixels
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct GraphicsChoiceTests {
    private static let cell = PixelSize(width: 8, height: 16)
    /// The raster attributes of a sixel image.
    private static let sixel = "q\"1;1;"

    private func terminal(_ mode: String, _ options: [String] = []) throws -> PseudoTerminal {
        try PseudoTerminal(
            ["--mode", mode] + options + [Binary.sample("campfire")], columns: 80, rows: 12, cell: Self.cell,
            answers: false)
    }

    /// Waits for the first picture, and replies to the queries.
    private func reply(_ attributes: String, to terminal: PseudoTerminal) throws {
        try terminal.read(until: "\u{1B}[c")
        terminal.send(attributes)
    }

    @Test("A terminal that reports sixels shows half-blocks in the first frame, and then sixels")
    func confirmed() throws {
        let terminal = try terminal("sixel")
        try terminal.read(until: "▀")
        #expect(!terminal.text.contains(Self.sixel))
        try reply("\u{1B}[?62;4;22c", to: terminal)
        try terminal.read(until: Self.sixel)
        #expect(terminal.exitProblem(within: .seconds(2.5)) == nil)
    }

    @Test("A terminal without sixels shows half-blocks, and the status line says why", arguments: [nil, "de_DE.UTF-8"])
    func refused(locale: String?) throws {
        let terminal = try PseudoTerminal(
            ["--mode", "sixel", Binary.sample("campfire")], rows: 12, cell: Self.cell,
            environment: locale.map { ["LC_ALL": $0] } ?? [:])
        try terminal.read(
            until: locale == nil
                ? "terminal has no sixel; --mode sixel! forces it" : "Terminal ohne sixel; --mode sixel!")
        #expect(!terminal.text.contains(Self.sixel) && terminal.text.contains("▀"))
        #expect(terminal.exitProblem() == nil)
    }

    @Test("Without a status line, the reason is printed at the end")
    func bare() throws {
        let terminal = try PseudoTerminal(
            ["--mode", "kitty", "--bare", "--inline", "--loop", "1", Binary.sample("campfire")], columns: 40, rows: 12)
        #expect(try terminal.finish() == 0)
        #expect(terminal.text.hasSuffix("gifplay: terminal has no kitty; --mode kitty! forces it\r\n"))
        #expect(!terminal.text.contains("_Ga=T"))
    }

    @Test("A forced mode needs no reply, and no reason is printed")
    func forced() throws {
        let terminal = try terminal("sixel!", ["--bare"])
        try terminal.read(until: Self.sixel)
        #expect(!TerminalQueries.removed(from: terminal.text).contains("▀"))
        #expect(terminal.exitProblem(within: .seconds(2.5)) == nil && !terminal.text.contains("has no sixel"))
    }

    @Test("A terminal that never replies shows half-blocks, and the reason after the timeout")
    func silent() throws {
        let terminal = try terminal("kitty")
        try terminal.read(until: "terminal has no kitty")
        #expect(!terminal.text.contains("_Ga=T"))
        terminal.kill()
    }

    @Test(
        "In tmux without COLORTERM, the feature RGB of the client's terminal gives 24-bit colours",
        arguments: [true, false])
    func tmuxColors(hasRGB: Bool) throws {
        let tmux = try Tmux(columns: 60, rows: 12)
        if hasRGB { try tmux.tmux("set", "-as", "terminal-features", "xterm*:RGB") }
        let terminal = try PseudoTerminal(["-c", tmux.attachCommand], columns: 60, rows: 12, path: "/bin/sh")
        try terminal.read(until: "bash")
        try tmux.shell("exec env -u COLORTERM '\(Binary.path)' '\(Binary.sample("campfire"))'")
        func capture() throws -> String { try tmux.tmux("capture-pane", "-p", "-e") }
        if hasRGB {
            try tmux.wait(for: "24-bit colours") { try capture().contains("[38;2;") }
        } else {
            try tmux.wait(forText: "0:01/")
            #expect(try !capture().contains("[38;2;") && capture().contains("[38;5;"))
        }
    }

    @Test("In tmux, a chosen protocol that the client's terminal does not have is refused")
    func tmuxRefusal() throws {
        let tmux = try Tmux(columns: 80, rows: 12)
        try tmux.shell("exec '\(Binary.path)' --mode kitty '\(Binary.sample("campfire"))'")
        try tmux.wait(forText: "terminal has no kitty; --mode kitty! forces it")
    }
}
