import Foundation
import Testing

/// Tests typing and the language of the screen in a real tmux, with a fake service on loopback.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct TypingTests {
    @Test("Letters are commands until '/' is pressed; the old query is replaced; earlier queries are suggested")
    func typing() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.shellCommand("octopus"))
        try tmux.wait(forText: "Octopus 1")
        try tmux.type("eep")
        try tmux.wait(forText: "press / to search")
        try tmux.type("/squid")
        try tmux.press("Enter")
        try tmux.wait(forText: "[“squid”]")
        try tmux.wait(forText: "Octopus 1")
        try tmux.type("/oct")
        try tmux.wait(forText: "\n  octopus")
        try tmux.press("Down", "Enter")
        try tmux.wait(forText: "[“octopus”]")
        try tmux.press("q")
        try tmux.wait(forText: "status=0")
        #expect(home.site.searchCount(containing: "eep") == 0)
        try withoutHistory(home)
    }

    private func withoutHistory(_ home: BrowserHome) throws {
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.shell(home.shellCommand("--no-history zebra"))
        try tmux.wait(forText: "Octopus 1")
        try tmux.type("/squi")
        // The search begins long after the suggestions would have been displayed.
        try tmux.wait(forText: "[“squi”]")
        #expect(try !tmux.text().contains("squid"))
        try tmux.press("Escape")
        try tmux.wait(forText: "/ search  ? keys")
        try tmux.press("q")
        try tmux.wait(forText: "status=0")
    }

    @Test("With a German locale, the player and the gallery are German, and standard error is English")
    func german() throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 100, rows: 24)
        let command = home.shellCommand("", ["LANG": "de_DE.UTF-8"])
        try tmux.shell(command.replacingOccurrences(of: "' browse", with: "' --offline 'dancing cat'"))
        try tmux.wait(forText: "eingebaut")
        try tmux.wait(forText: "? Tasten")
        try tmux.press("?")
        try tmux.wait(forText: "Tasten zeigen")
        try tmux.press("x", "/")
        try tmux.wait(forText: "Enter suchen")
        try tmux.press("Escape")
        try tmux.wait(forText: "/ suchen  ? Tasten")
        try tmux.press("e")
        try tmux.wait(forText: "zum Suchen / drücken")
        try tmux.press("q")
        try tmux.wait(forText: "eingebaut")
        try tmux.press("q")
        try tmux.wait(forText: "status=0")
        try tmux.shell(command.replacingOccurrences(of: "' browse", with: "' /missing.gif"))
        try tmux.wait(forText: "No such file")
    }
}
