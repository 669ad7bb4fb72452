import Foundation
import TestServer
import Testing

/// Tests what `--follow`, `--leave` and `--upload` do with files, lists and servers that change or fail.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct FollowFaultTests: FollowSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "The GIF that the latest line names is shown, and again when it is written, damaged or replaced",
        arguments: [true, false])
    func targets(isPipe: Bool) throws {
        let other = try TemporaryFolder()
        let name = try other.write(ColoredGIF.bytes(1), to: "a.gif")
        let terminal = try follow(try makeList(isPipe: isPipe), until: "waiting for a GIF in")
        // A line without a GIF changes nothing.
        try append("/nowhere.gif\n", isPipe: isPipe)
        try append(name + "\n", isPipe: isPipe)
        try terminal.read(color: 1)
        try other.write("text", to: "a.gif")
        try terminal.read(until: "a.gif: not a GIF (text)")
        #expect(rename(try other.write(ColoredGIF.bytes(2), to: "b.gif"), name) == 0)
        try terminal.read(color: 2)
        // The file of an earlier line no longer counts.
        try append("/nowhere.gif\n", isPipe: isPipe)
        try append(writeGIF(3, to: "c.gif") + "\n", isPipe: isPipe)
        try terminal.read(color: 3)
        let count = terminal.count(of: ColoredGIF.sequences[1])
        try other.write(ColoredGIF.bytes(1), to: "a.gif")
        terminal.readOutput(at: nil, for: .milliseconds(300))
        #expect(terminal.count(of: ColoredGIF.sequences[1]) == count)
        try terminal.quit()
    }

    @Test("A folder, a list and a pipe that follow each other under one name are all followed")
    func otherKinds() throws {
        let gifs = try (1...3).map { try writeGIF($0, to: "\($0).gif") }
        try writeGIF(1, to: "place/a.gif")
        let place = folder.path("place")
        let terminal = try follow(place, columns: 90, color: 1)
        try FileManager.default.removeItem(atPath: place)
        try folder.write(gifs[1] + "\n", to: "place")
        try terminal.read(color: 2)
        try FileManager.default.removeItem(atPath: place)
        try folder.makePipe("place")
        try write(gifs[2], toPipe: place)
        try terminal.read(color: 3)
        try FileManager.default.removeItem(atPath: place)
        try terminal.read(until: "place: was removed; waiting for a new one")
        try terminal.read(newColor: 1) { try writeGIF(1, to: "place/a.gif") }
        try terminal.quit()
    }

    @Test("At the start, a text file is no GIF, and one without its trailer is incomplete; any name is followed")
    func names() throws {
        try folder.write("text", to: "x.gif")
        let terminal = try follow(folder.url.path, until: "x.gif: not a GIF (text)")
        #expect(!terminal.text.contains("incomplete"))
        let source = try writeGIF(2, to: "copy")
        #expect(try run("/bin/sh", ["-c", "cp '\(source)' '\(folder.url.path)'/$(printf 'x\\377.gif')"]).status == 0)
        try terminal.read(color: 2)
        try terminal.quit()
    }

    @Test("The reason comes before or behind a short name, so that a narrow line has it", arguments: [30, 60])
    func reasons(columns: Int) async throws {
        let list = try folder.write(String(repeating: "y", count: 5_000) + ".gif\n", to: "list")
        let reason = columns == 30 ? "y.gif: File name" : "y.gif: File name too long"
        try follow(list, columns: columns, until: reason).quit(status: 1)
        let server = try await LoopbackServer { _, _ in .init(404) }
        let address = server.base + "/" + String(repeating: "y", count: 90) + ".gif"
        let missing = try follow(address, columns: columns, until: "404, not found · 127.0.0.1")
        try missing.quit(status: 1)
        #expect(missing.text.contains("gifplay: --follow: 127.0.0.1 answered 404, not found"))
    }

    @Test("A standard input that has ended, and a wait without a status line, are named")
    func messages() throws {
        let ended = try PseudoTerminal(
            ["-c", "exec '\(Binary.path)' --follow - < /dev/null"], path: "/bin/sh", until: "standard input has ended")
        try ended.quit()
        let bare = try follow(folder.url.path, ["--bare"], until: "\u{1B}[?1049h")
        try bare.quit()
        #expect(bare.text.contains("gifplay: waiting for a GIF in \(folder.url.path)…"))
    }

    @Test("A 'file:' URL of a folder is followed, and '/' opens that folder")
    func gallery() throws {
        try writeGIF(1, to: "a.gif")
        let terminal = try follow("file://" + folder.url.path, color: 1)
        try terminal.send("/", until: "filter")
        #expect(!terminal.text.contains("Random"))
        terminal.send("\u{3}")
        _ = try terminal.finish()
    }

    @Test("'Ctrl-R' keeps the picture of a followed URL while its server is silent")
    func reload() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            if number > 0 { return connection.waitForHangUp() }
            connection.respond(ColoredGIF.bytes(1), headers: "Connection: close\r\n")
        }
        let terminal = try follow(server.base + "/radar.gif", color: 1)
        try terminal.send("\u{12}", until: "loading…")
        try terminal.read("the second request") { _ in server.requests.count == 2 }
        let end = terminal.output.count
        terminal.readOutput(at: nil, for: .milliseconds(600))
        let later = String(decoding: terminal.output[end...], as: UTF8.self)
        #expect(!later.contains("\u{1B}[2J") && !later.contains("waiting for"), "\(later)")
        try terminal.quit()
    }

    @Test(
        "A download that ends early is an error where a terminal repeats or keeps the picture",
        arguments: ["--leave", "--mode kitty! --leave", "--animate --mode kitty", "--upload /dev/tty"])
    func cutDownload(options: String) throws {
        let file = NumberedAnimation(columns: 60, rows: 20, frames: 8, centiseconds: 7).bytes
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.respond(file.prefix(file.count / 2), length: file.count)
        }
        let output = options.contains("--leave") ? "" : "> /dev/null"
        let command = "exec '\(Binary.path)' \(options) \(server.base)/half.gif \(output)"
        let terminal = try PseudoTerminal(
            ["-c", command], columns: 90, rows: 9, environment: ["GIFPLAY_OFFLINE": "0"], path: "/bin/sh")
        #expect(try terminal.finish() == 1)
        let text = terminal.text
        #expect(text.contains("half.gif: the download from 127.0.0.1 ended after"), "\(text.suffix(300))")
    }
}
