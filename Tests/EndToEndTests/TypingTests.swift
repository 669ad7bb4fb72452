import Foundation
import Testing

/// Tests typing and the language of the screen in a real tmux, with a fake service on loopback.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct TypingTests {
    @Test("Letters are commands until '/' is pressed; the old query is replaced; earlier queries are suggested")
    func typing() throws {
        let home = try BrowserHome()
        let tmux = try home.browse("octopus", until: "Octopus 1")
        try tmux.type("eep", until: "press / to search")
        try tmux.type("/squid")
        try tmux.press("Enter", until: "[“squid”]")
        try tmux.wait(forText: "Octopus 1")
        try tmux.type("/oct", until: "\n  octopus")
        try tmux.press("Down", "Enter", until: "[“octopus”]")
        try tmux.quit()
        #expect(home.site.searchCount(containing: "eep") == 0)
        try withoutHistory(home)
    }

    private func withoutHistory(_ home: BrowserHome) throws {
        let tmux = try home.browse("--no-history zebra", until: "Octopus 1")
        try tmux.type("/squi")
        // The search begins long after the suggestions would have been displayed.
        try tmux.wait(forText: "[“squi”]")
        #expect(try !tmux.text().contains("squid"))
        try tmux.press("Escape", until: "/ search  ? keys")
        try tmux.quit()
    }

    @Test("With a German locale, the player and the gallery are German, and standard error is English")
    func german() throws {
        let home = try BrowserHome()
        let german = ["LANG": "de_DE.UTF-8"]
        let tmux = try home.start("--offline 'dancing cat'", german, rows: 24, until: "eingebaut")
        try tmux.wait(forText: "? Tasten")
        try tmux.press("?", until: "Tasten zeigen")
        try tmux.press("x", "/", until: "Enter suchen")
        try tmux.press("Escape", until: "/ suchen  ? Tasten")
        try tmux.press("e", until: "zum Suchen / drücken")
        try tmux.press("q", until: "eingebaut")
        try tmux.quit()
        try tmux.gifplay("/missing.gif", home.environment(german), until: "No such file")
    }
}
