import Foundation
import Pixels
import TestSupport
import Testing

/// Tests kitty graphics in the real program. The tests act as the terminal and decode the images.
@Suite(.ownThreads) struct GraphicsTests {
    private static let cell = PixelSize(width: 8, height: 16)
    /// The cell size that tmux reports if it does not know the terminal's cell size.
    private static let tmuxCell = PixelSize(width: 16, height: 32)
    private static let query = "\u{1B}[c"
    private static let attributes = "\u{1B}[?62;22c"

    private enum Memory: CaseIterable {
        /// The terminal is on another machine, so it cannot read the test image in shared memory.
        case unreadable
        case readable
        /// The terminal reports that it can show the test image although it has not read the image.
        case untrue
    }

    /// Plays a file with `--mode kitty`.
    /// - Returns: the screen after the last frame.
    private func play(_ file: String, _ memory: Memory, cell: PixelSize = cell) throws -> KittyScreen {
        var screen = Self.screen(cell)
        screen.readsMemory = memory == .readable
        let terminal = try PseudoTerminal(
            ["--mode", "kitty", "--bare", "--loop", "1", file], columns: 20, rows: 6, cell: cell, answers: false)
        try reply(terminal, memory, on: &screen, "the end of the picture") { $0.text.contains("?1049l") }
        #expect(try terminal.finish() == 0)
        #expect(try SharedObjects.names(of: terminal.process).isEmpty, "\(memory)")
        return screen
    }

    /// Shows the output of a program and replies to its queries until `condition` returns true.
    private func reply(
        _ terminal: PseudoTerminal, _ memory: Memory, on screen: inout KittyScreen, _ what: String,
        until condition: (PseudoTerminal) -> Bool
    ) throws {
        var (replies, shown) = (Replies(), 0)
        try show(terminal, from: &shown, on: &screen, what) { screen in
            replies.send(to: terminal, screen, memory)
            return condition(terminal)
        }
    }

    /// The command that lets the terminal repeat the frames.
    private static let repetition = ",s=3,v=1,q=2"

    @Test(
        "A terminal with kitty's animations gets the frames of one loop iteration; Ctrl-Z stops the inline animation",
        arguments: [["--loop", "4"], ["--inline"]])
    func terminalLoop(options: [String]) throws {
        let folder = try TemporaryFolder()
        let file = NumberedAnimation(columns: 20, rows: 6, frames: 3, centiseconds: 10)
        let path = try folder.write(file.bytes, to: "a.gif")
        let terminal = try PseudoTerminal(
            ["--mode", "kitty", "--bare"] + options + [path], columns: 20, rows: 6, cell: Self.cell, answers: false)
        var screen = Self.screen(Self.cell)
        screen.keepsFrames = true
        var hasStopped = false
        try reply(terminal, .unreadable, on: &screen, "the end of the picture") { terminal in
            if options == ["--inline"], terminal.text.contains(Self.repetition), !hasStopped {
                terminal.send("\u{1A}")
                hasStopped = true
            }
            return terminal.text.contains(hasStopped ? ",s=1,q=2" : "?1049l")
        }
        if hasStopped { return }
        #expect(try terminal.finish() == 0)
        let parts = terminal.text.components(separatedBy: Self.repetition)
        #expect(parts.count == 2 && parts[0].components(separatedBy: "_Ga=f,X=1").count == 3)
        // Nothing is sent but the last frame, which ends the animation, and the end of the session.
        #expect(parts.last.map { $0.utf8.count < 250 && !$0.contains("a=f") } == true)
        #expect(screen.images.isEmpty)
    }

    /// Replies to the queries of a program, to each one once.
    private struct Replies {
        private var replied = 0
        private var queries = 0

        mutating func send(to terminal: PseudoTerminal, _ screen: KittyScreen, _ memory: Memory) {
            let replies = screen.replies.split(separator: "\u{1B}\\", omittingEmptySubsequences: true)
            for reply in replies.dropFirst(replied) where memory != .unreadable || !reply.contains("Gi=32") {
                terminal.send(reply + "\u{1B}\\")
            }
            replied = replies.count
            let count = terminal.output.ranges(of: Array(GraphicsTests.query.utf8)).count
            for _ in queries..<count { terminal.send(GraphicsTests.attributes) }
            queries = count
        }
    }

    /// Shows the output of a program on a screen until `condition` returns true.
    /// - Parameter shown: the number of bytes that the screen has received.
    private func show(
        _ terminal: PseudoTerminal, from shown: inout Int, on screen: inout KittyScreen, _ what: String,
        until condition: (KittyScreen) -> Bool
    ) throws {
        var failure: (any Error)?
        try terminal.read(what) { terminal in
            let new = Array(terminal.output[shown...])
            shown = terminal.output.count
            do { try screen.feed(new) } catch { failure = error }
            return failure != nil || condition(screen)
        }
        if let failure { throw failure }
    }

    private static func screen(_ cell: PixelSize) -> KittyScreen {
        KittyScreen(size: PixelSize(width: 20 * cell.width, height: 6 * cell.height), cell: cell)
    }

    /// Writes an animation of two frames. Each frame lasts 0.6 s, so that none is dropped.
    private func writeAnimation(to folder: TemporaryFolder) throws -> String {
        try folder.write(NumberedAnimation(columns: 20, rows: 6, frames: 2, centiseconds: 60).bytes, to: "a.gif")
    }

    @Test(
        "The picture is sent in shared memory only if the terminal reads it; images sent in commands look the same",
        .enabled(if: SharedObjects.areAvailable, "no /dev/shm"))
    func sharedMemory() throws {
        let folder = try TemporaryFolder()
        let path = try writeAnimation(to: folder)
        let screens = try Memory.allCases.map { try play(path, $0) }
        // The first object in shared memory is the test image.
        #expect(screens[1].sharedObjects.count > 2 && screens[1].missingObjects == 0)
        #expect(screens[0].sharedObjects.count == 1 && screens[2].sharedObjects.count == 1)
        #expect(Set(screens[0].pixels.map(\.bits)).count > 1)
        #expect(screens[1].pixels == screens[0].pixels && screens[2].pixels == screens[0].pixels)
    }

    @Test(
        "No object remains in shared memory if the terminal is closed, or if the program ends while the terminal hangs",
        .enabled(if: SharedObjects.areAvailable, "no /dev/shm"),
        arguments: [["--inline"], []], [true, false])
    func unread(options: [String], isClosed: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try writeAnimation(to: folder)
        let terminal = try PseudoTerminal(
            ["--mode", "kitty", "--bare"] + options + [path], columns: 20, rows: 6, answers: false, until: Self.query)
        var screen = Self.screen(Self.cell)
        let end = try #require(terminal.output.firstRange(of: Array(Self.query.utf8))).upperBound
        try screen.feed(Array(terminal.output[..<end]))
        terminal.send(screen.replies + Self.attributes)
        try terminal.read(until: "t=s,q=2;")
        #expect(try !SharedObjects.names(of: terminal.process).isEmpty)
        if isClosed {
            terminal.closeMaster()
        } else {
            try terminal.read("a query without a reply") { $0.output.ranges(of: Array(Self.query.utf8)).count > 1 }
            Glibc.kill(terminal.process, SIGTERM)
        }
        #expect(terminal.reap(within: 15) == (isClosed ? 129 : 143))
        #expect(try SharedObjects.names(of: terminal.process) == [])
    }

    @Test(
        "The gallery shows images in a terminal that confirms kitty graphics, none below the keys, and none at the end",
        arguments: [Memory.unreadable, .readable])
    private func gallery(memory: Memory) throws {
        let folder = try TemporaryFolder()
        for name in ["a.gif", "b.gif", "c.gif"] {
            try folder.write(
                NumberedAnimation(columns: 20, rows: 6, frames: 2, centiseconds: 60).bytes, to: name)
        }
        let terminal = try PseudoTerminal(
            ["browse", "--mode", "auto", folder.url.path], cell: Self.cell, answers: false)
        var screen = KittyScreen(size: PixelSize(width: 80 * 8, height: 24 * 16), cell: Self.cell)
        screen.readsMemory = memory == .readable
        var (replies, shown) = (Replies(), 0)
        func wait(_ what: String, until condition: (Set<Int>) -> Bool) throws {
            try show(terminal, from: &shown, on: &screen, what) { screen in
                replies.send(to: terminal, screen, memory)
                return condition(screen.images)
            }
        }
        var tiles: Set<Int> = []
        try wait("the tiles") {
            tiles = $0
            return $0.count >= 3
        }
        #expect(terminal.text.contains("loading") || terminal.text.contains("▀"))
        terminal.send("?")
        try wait("the keys") { $0.isEmpty && terminal.text.contains("Keys") }
        terminal.send("?")
        try wait("the tiles again") { $0.count >= 3 }
        terminal.send("\r")
        try wait("the large view") { images in
            !images.isEmpty && images.isDisjoint(with: tiles)
        }
        terminal.send("q")
        try wait("the tiles after the large view") { $0.count >= 3 }
        terminal.send("q")
        try wait("the end") { $0.isEmpty && terminal.text.contains("?1049l") }
        #expect(try terminal.finish() == 0)
        #expect(try SharedObjects.names(of: terminal.process).isEmpty)
    }

    @Test("Over ssh, the tiles of the gallery consist of characters, and the large view is an image")
    func galleryOverNetwork() throws {
        let folder = try TemporaryFolder()
        let path = try writeAnimation(to: folder)
        let terminal = try PseudoTerminal(
            ["browse", "--mode", "auto", path], cell: Self.cell, environment: ["SSH_CONNECTION": "::1 1 ::1 22"],
            answers: false)
        var screen = KittyScreen(size: PixelSize(width: 80 * 8, height: 24 * 16), cell: Self.cell)
        screen.readsMemory = false
        var (replies, shown) = (Replies(), 0)
        // The program draws the tile, and shows and hides the keys, after it has received the replies.
        for (key, text) in [("", "▀"), ("?", "Keys"), ("?", "▀"), ("\r", "1 of 1")] {
            #expect(screen.data.isEmpty)
            terminal.send(key)
            let start = shown
            try show(terminal, from: &shown, on: &screen, text) { screen in
                replies.send(to: terminal, screen, .unreadable)
                let isDone = String(decoding: terminal.output[start...], as: UTF8.self).contains(text)
                return isDone && (key != "\r" || !screen.images.isEmpty)
            }
        }
        try terminal.quit("qq")
    }

    /// The combining characters that encode the columns 0 to 19, from the documentation of kitty.
    private static let diacritics =
        "\u{305}\u{30D}\u{30E}\u{310}\u{312}\u{33D}\u{33E}\u{33F}\u{346}\u{34A}\u{34B}\u{34C}\u{350}\u{351}\u{352}"
        + "\u{357}\u{35B}\u{363}\u{364}\u{365}"

    @Test("tmux passes the images to the terminal and shows a placeholder in each of their cells")
    func tmux() throws {
        let folder = try TemporaryFolder()
        let path = try writeAnimation(to: folder)
        let tmux = try Tmux(columns: 20, rows: 6)
        try tmux.tmux("set", "-g", "allow-passthrough", "on", ";", "set", "-as", "terminal-features", "xterm*:RGB")
        let terminal = try PseudoTerminal(
            ["-c", tmux.attachCommand], columns: 20, rows: 6, path: "/bin/sh", until: "bash")
        try tmux.shell("exec '\(Binary.path)' --mode kitty! --bare '\(path)'")
        let direct = try play(path, .unreadable, cell: Self.tmuxCell)
        // A strip has two numbers, of which tmux's placeholders need only the first one.
        let first = try #require(direct.shown.min())
        let expected = (0..<6).map { strip in
            direct.shown.last { ($0 - first) % 16 == strip }.flatMap { direct.data[$0] }
        }
        var (screen, shown) = (Self.screen(Self.tmuxCell), 0)
        try show(terminal, from: &shown, on: &screen, "the images of the last frame") { screen in
            screen.data.keys.sorted().map { screen.data[$0] } == expected
        }
        let images = screen.data.keys.sorted()
        #expect(images.count == 6)
        // tmux writes a cell to the terminal again after each combining character. Therefore the test reads the
        // complete cells from tmux's own screen.
        let lines = try tmux.tmux("capture-pane", "-p", "-e").split(separator: "\n")
        #expect(lines.count == 6)
        let cells = Self.diacritics.unicodeScalars.map { "\u{10EEEE}\u{305}" + String($0) }.joined()
        for (image, line) in zip(images, lines) {
            let color = [16, 8, 0].map { String(image >> $0 & 0xFF) }.joined(separator: ";")
            #expect(line.hasPrefix("\u{1B}[38;2;\(color)m" + cells))
            #expect(terminal.text.contains("\u{1B}[38;2;\(color)m"))
        }
        for mark in Self.diacritics.unicodeScalars {
            #expect(terminal.output.ranges(of: Array("\u{10EEEE}\u{305}\(mark)".utf8)).count >= images.count)
        }
    }
}
