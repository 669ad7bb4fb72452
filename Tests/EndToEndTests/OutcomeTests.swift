import Foundation
import TestServer
import TestSupport
import Testing

/// Tests that the outcome of a key can be read in a terminal of 80 columns.
@Suite(.ownThreads, .timeLimit(.minutes(10)), .serialized) struct OutcomeTests {
    /// The last line of the screen.
    private func status(_ tmux: Tmux) throws -> String {
        try tmux.text().split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test("In the player, the outcomes of 's', 'f', 'y' and 'o' have the line for themselves, in both languages")
    func player() throws {
        for (language, texts) in [
            (
                "C.UTF-8",
                ["saved ~/downloads/Octopus-1.gif", "added to favourites", "link copied", "no browser: link copied"]
            ),
            (
                "de_DE.UTF-8",
                [
                    "gespeichert: ~/downloads/Octopus-1.gif", "Favorit hinzugefügt", "Link kopiert",
                    "kein Browser: Link kopiert",
                ]
            ),
        ] {
            let home = try BrowserHome()
            let additions = [
                "HOME": home.folder.url.path, "LANG": language, "LC_ALL": language, "DISPLAY": "",
                "WAYLAND_DISPLAY": "",
            ]
            let tmux = try home.start("octopus", additions, columns: 80, rows: 24, until: "Octopus 1")
            for (key, text) in zip(["s", "f", "y", "o"], texts) {
                try tmux.press(key)
                try tmux.wait(for: text) { try status(tmux) == text }
            }
            try tmux.press("x")
            try tmux.wait(for: "the wrong key") { try status(tmux).hasPrefix("x: ") }
            try tmux.press("e")
            try tmux.wait(for: "the next wrong key") { try status(tmux).hasPrefix("e: ") }
            try tmux.wait(forText: "Octopus 1")
            try tmux.quit()
        }
    }

    @Test("What is not of the cache is named by 'cache', 'cache --clear' and 'doctor', and stays")
    func foreignFiles() throws {
        let folder = try TemporaryFolder()
        let media = folder.path("gifplay/media")
        let names = ["a", "b", "c"].map { String(repeating: $0, count: 64) }
        try folder.makeFolder("gifplay/media/" + names[0])
        chmod(media, 0o700)
        #expect(mkfifo(media + "/" + names[1], 0o600) == 0 && symlink("/etc/passwd", media + "/" + names[2]) == 0)
        try folder.write([1], to: "gifplay/media/notes.txt")
        let environment = ["XDG_CACHE_HOME": folder.url.path]
        for arguments in [["cache"], ["cache", "--clear"], ["doctor", "--offline"]] {
            let outcome = try runGifplay(arguments, environment: environment)
            let text = outcome.text + outcome.errors
            #expect(text.contains("not written by gifplay: \(names.joined(separator: ", ")) and 1 more"), "\(text)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: media).count == 4)
    }
}
