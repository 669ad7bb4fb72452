import Foundation
import Pixels
import TestSupport

/// Runs the gallery or the player on a pseudo-terminal, with fake desktop programs that record their arguments and
/// input.
final class GalleryDriver {
    let folder: TemporaryFolder
    let terminal: PseudoTerminal
    private var screen: VirtualScreen
    /// The number of bytes of the output that ``screen`` has processed.
    private var shown = 0
    var root: String { folder.url.path }
    var downloads: String { root + "/downloads" }

    /// The names of the fake desktop programs, which open or copy a link.
    static let programs = ["xdg-open", "wl-copy"]

    /// - Parameters:
    ///   - environment: environment variables, such as those that select a ``FakeSite``.
    ///   - isPlayer: whether to start the player instead of the gallery.
    ///   - opener: shell commands that the fake xdg-open runs after the recording. If nil, gifplay finds neither the
    ///     fake xdg-open nor the system's.
    init(
        _ arguments: [String], folder: TemporaryFolder, environment: [String: String], columns: Int = 110,
        rows: Int = 32,
        isPlayer: Bool = false, opener: String? = ""
    ) throws {
        self.folder = folder
        screen = VirtualScreen(columns: columns, rows: rows)
        let bin = try folder.makeFolder("bin")
        for name in Self.programs where name != "xdg-open" || opener != nil {
            let log = folder.path(name)
            // Each run first collects its lines in a file of its own and then appends this file to the record, so that
            // the lines of concurrent runs are not mixed.
            let script = """
                #!/bin/sh
                { printf '%s\\n' "$@"; cat; echo; } > '\(log).'$$
                cat '\(log).'$$ >> '\(log).given'; rm '\(log).'$$
                tr '\\0' '\\n' < /proc/$$/environ > '\(log).partial'; mv '\(log).partial' '\(log).environ'
                \(name == "xdg-open" ? opener ?? "" : "")

                """
            try folder.writeProgram(script, to: "bin/" + name)
        }
        let own = [
            "XDG_DATA_HOME": folder.path("data"), "XDG_CACHE_HOME": folder.path("cache"),
            "XDG_DOWNLOAD_DIR": folder.path("downloads"),
            "PATH": bin + (opener == nil ? "" : ":/usr/bin:/bin"),
            "WAYLAND_DISPLAY": "none", "LANG": "C.UTF-8",
        ]
        terminal = try PseudoTerminal(
            (isPlayer ? [] : ["browse"]) + arguments, columns: columns, rows: rows,
            environment: environment.merging(own) { $1 }, path: Binary.path)
    }

    /// Waits until the screen shows `text`.
    /// - Parameter keys: the keys to send each time the screen does not show `text` yet.
    func wait(forText text: String, pressing keys: String = "") throws {
        try terminal.read("\"\(text)\" on the screen") { terminal in
            self.show()
            if (0..<self.screen.size.rows).contains(where: { self.screen.text(row: $0).contains(text) }) { return true }
            terminal.send(keys)
            return false
        }
    }

    func send(_ keys: String, until text: String) throws {
        terminal.send(keys)
        try wait(forText: text)
    }

    /// Shows the new output on the screen, unless it ends within an escape sequence.
    private func show() {
        var text = String(decoding: terminal.output[shown...], as: UTF8.self)
        // Removes queries and clipboard sequences, which ``VirtualScreen`` does not support. They do not change the
        // screen.
        text = TerminalQueries.removed(from: text)
        text = text.replacing(/\u{1B}\]52;c;[^\u{7}]*\u{7}/, with: "")
        var next = screen
        guard (try? next.feed(Array(text.utf8))) != nil else { return }
        screen = next
        shown = terminal.output.count
    }

    /// Waits for a condition outside the terminal. Reads the output during the wait, so that the GIFs continue to play.
    func wait(for what: String, until condition: () throws -> Bool) throws {
        try terminal.read(what) { _ in (try? condition()) ?? false }
    }

    /// Waits until a fake desktop program has recorded its input. Returns the record and the program's environment.
    func received(by name: String) throws -> (text: String, environment: String) {
        try wait(for: name) { access("\(root)/\(name).environ", F_OK) == 0 }
        return (
            try String(contentsOfFile: "\(root)/\(name).given", encoding: .utf8),
            try String(contentsOfFile: "\(root)/\(name).environ", encoding: .utf8)
        )
    }

    /// Sends 'q' twice, because the first 'q' only closes the large view if it is open. Returns the exit status.
    func quit() throws -> Int32 {
        terminal.send("qq")
        return try terminal.finish()
    }
}
