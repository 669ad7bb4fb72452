import Foundation
import Library
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LockedLibraryTests {
    private let home: BrowserHome
    private let pane: ShellPane
    private var path: String { home.folder.path("data/gifplay/library.sqlite") }

    init() throws {
        home = try BrowserHome()
        pane = try ShellPane(columns: 120)
        try StoredLibrary.fill(home.folder.path("data"))
    }

    /// Locks the library with a write transaction on another connection.
    private func lock() throws -> Connection {
        let locker = try Connection(path: path, lockSeconds: 20)
        try locker.execute("BEGIN IMMEDIATE")
        return locker
    }

    private func favourites() throws -> String {
        try runGifplay(["library", "--favourites"], environment: home.environment()).text
    }

    /// Starts the gallery while the library is locked, and presses 'f'.
    private func markFavourite() throws {
        try pane.play("browse octopus", environment: home.environment(), until: "Octopus 1")
        try pane.tmux.wait(forText: "library in use by another program")
        try pane.tmux.press("f", until: "not stored yet")
    }

    @Test("If the library is locked, the gallery starts without it, reports the lock, and quits within 8 s")
    func lockedAtStart() throws {
        let locker = try lock()
        try markFavourite()
        let start = Date()
        try pane.tmux.press("C-c")
        try pane.expectRestored(
            status: 130,
            printed: [
                "gifplay: \(path): not stored: 1 favourite; the library was locked or could not be written"
            ])
        // At its exit, the program waits at most 1 s for the library. The test allows 8 s for slow machines.
        #expect(Date().timeIntervalSince(start) < 8)
        try locker.execute("ROLLBACK")
    }

    @Test("If another process holds the lock of the library's folder, 'library' reports the wait and then continues")
    func lockedFolder() throws {
        let folder = open(home.folder.path("data/gifplay"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        #expect(flock(folder, LOCK_EX) == 0)
        let terminal = try PseudoTerminal(["library"], environment: home.environment())
        try terminal.read(until: "\(path): waiting, because another program may have locked the library")
        #expect(flock(folder, LOCK_UN) == 0)
        try terminal.read(until: "nothing is stored")
        #expect(try terminal.finish() == 0)
    }

    @Test("A favourite is stored once the library is no longer locked")
    func unlocked() throws {
        let locker = try lock()
        try markFavourite()
        try locker.execute("ROLLBACK")
        try pane.tmux.wait(for: "the stored favourite") { try favourites().contains("Octopus 1") }
        try pane.quit()
    }

    @Test("If the library is locked at the exit, the program reports that a favourite is not stored")
    func lockedLater() throws {
        try pane.play("browse octopus", environment: home.environment(), until: "Octopus 1")
        try pane.tmux.press("f")
        try pane.tmux.wait(for: "the stored favourite") { try favourites().contains("Octopus 1") }
        let locker = try lock()
        try pane.tmux.press("Right", "f", until: "library in use by another program")
        try pane.tmux.press("q")
        try pane.expectRestored(
            status: 1,
            printed: [
                "gifplay: \(path): not stored: 1 favourite; the library was locked or could not be written"
            ])
        try locker.execute("ROLLBACK")
        #expect(try !favourites().contains("Octopus 2"))
    }
}
