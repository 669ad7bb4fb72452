import Foundation
import Testing

/// What the user typed for the shell before the program used the terminal is no key of the player.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct TypedAheadTests {
    /// A shell that reads one line and becomes gifplay, with a command for itself and further lines in the terminal's buffer.
    private static func terminal(_ arguments: String, typed: String) throws -> PseudoTerminal {
        let script = "echo ready; read line; exec '\(Binary.path)' \(arguments)"
        let terminal = try PseudoTerminal(["-c", script], path: "/bin/sh", until: "ready")
        terminal.send("start\n" + typed)
        return terminal
    }

    @Test(
        "'--duration' ends a GIF although a blank, which pauses, was typed before the start",
        arguments: ["--inline", ""])
    func duration(option: String) throws {
        let file = Binary.sample("campfire")
        let terminal = try Self.terminal("\(option) --duration 50ms '\(file)'", typed: "echo hi\n")
        #expect(try terminal.finish() == 0)
    }

    @Test("Keys that were typed before the start neither quit nor end a screensaver; keys after the start do")
    func keys() throws {
        for option in ["--loop forever", "--screensaver"] {
            let terminal = try Self.terminal("\(option) '\(Binary.sample("campfire"))'", typed: "q\nq\n")
            try terminal.read("some frames") { $0.output.count > 20_000 }
            try terminal.quit()
        }
    }
}
