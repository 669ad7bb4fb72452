import Foundation
import TestServer
import Testing

/// Tests what `--follow`, `--leave` and `--upload` do with files, lists and servers that change or fail.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct FollowFaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path(name) }

    private func start(_ arguments: [String], columns: Int = 90, path: String = Binary.path) throws -> PseudoTerminal {
        try PseudoTerminal(
            arguments, columns: columns, rows: 9, environment: ["GIFPLAY_OFFLINE": "0"], path: path)
    }

    private func quit(_ terminal: PseudoTerminal) throws {
        try terminal.quit()
    }

    private func append(_ line: String, to list: String, isPipe: Bool) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: list))
        if !isPipe { try handle.seekToEnd() }
        handle.write(Data((line + "\n").utf8))
        try handle.close()
    }

    @Test(
        "The GIF that the latest line names is shown, and again when it is written, damaged or replaced",
        arguments: [true, false])
    func targets(isPipe: Bool) throws {
        let other = try TemporaryFolder()
        let name = try other.write(ColoredGIF.bytes(1), to: "a.gif")
        let list = path("list")
        if isPipe { #expect(mkfifo(list, 0o600) == 0) } else { try folder.write([], to: "list") }
        let terminal = try start(["--follow", list])
        try terminal.read(until: "waiting for a GIF in")
        // A line without a GIF changes nothing.
        try append("/nowhere.gif", to: list, isPipe: isPipe)
        try append(name, to: list, isPipe: isPipe)
        try terminal.read(until: ColoredGIF.sequences[1])
        let handle = try #require(FileHandle(forWritingAtPath: name))
        try handle.truncate(atOffset: 0)
        handle.write(Data("text".utf8))
        try handle.close()
        try terminal.read(until: "a.gif: not a GIF (text)")
        #expect(rename(try other.write(ColoredGIF.bytes(2), to: "b.gif"), name) == 0)
        try terminal.read(until: ColoredGIF.sequences[2])
        // The file of an earlier line no longer counts.
        try append("/nowhere.gif", to: list, isPipe: isPipe)
        try append(try folder.write(ColoredGIF.bytes(3), to: "c.gif"), to: list, isPipe: isPipe)
        try terminal.read(until: ColoredGIF.sequences[3])
        let count = terminal.count(of: ColoredGIF.sequences[1])
        try other.write(ColoredGIF.bytes(1), to: "a.gif")
        terminal.readOutput(at: nil, for: .milliseconds(300))
        #expect(terminal.count(of: ColoredGIF.sequences[1]) == count)
        try quit(terminal)
    }

    @Test("A folder, a list and a pipe that follow each other under one name are all followed")
    func otherKinds() throws {
        let gifs = try (1...3).map { try folder.write(ColoredGIF.bytes(UInt8($0)), to: "\($0).gif") }
        let place = path("place")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: gifs[0], toPath: place + "/a.gif")
        let terminal = try start(["--follow", place])
        try terminal.read(until: ColoredGIF.sequences[1])
        try FileManager.default.removeItem(atPath: place)
        try folder.write(Array((gifs[1] + "\n").utf8), to: "place")
        try terminal.read(until: ColoredGIF.sequences[2])
        try FileManager.default.removeItem(atPath: place)
        #expect(mkfifo(place, 0o600) == 0)
        // Waits until gifplay has opened the pipe.
        let handle = try #require(FileHandle(forWritingAtPath: place))
        handle.write(Data((gifs[2] + "\n").utf8))
        try handle.close()
        try terminal.read(until: ColoredGIF.sequences[3])
        try FileManager.default.removeItem(atPath: place)
        try terminal.read(until: "place: was removed; waiting for a new one")
        let count = terminal.count(of: ColoredGIF.sequences[1])
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: gifs[0], toPath: place + "/a.gif")
        try terminal.read("the folder") { $0.count(of: ColoredGIF.sequences[1]) > count }
        try quit(terminal)
    }

    @Test("At the start, a text file is no GIF, and one without its trailer is incomplete; any name is followed")
    func names() throws {
        try folder.write("text", to: "x.gif")
        let terminal = try start(["--follow", folder.url.path])
        try terminal.read(until: "x.gif: not a GIF (text)")
        #expect(!terminal.text.contains("incomplete"))
        let source = try folder.write(ColoredGIF.bytes(2), to: "copy")
        #expect(try run("/bin/sh", ["-c", "cp '\(source)' '\(folder.url.path)'/$(printf 'x\\377.gif')"]).status == 0)
        try terminal.read(until: ColoredGIF.sequences[2])
        try quit(terminal)
    }

    @Test("The reason comes before or behind a short name, so that a narrow line has it", arguments: [30, 60])
    func reasons(columns: Int) async throws {
        let list = try folder.write(Array((String(repeating: "y", count: 5_000) + ".gif\n").utf8), to: "list")
        let terminal = try start(["--follow", list], columns: columns)
        try terminal.read(until: columns == 30 ? "y.gif: File name" : "y.gif: File name too long")
        try quit(terminal)
        let server = try await LoopbackServer { request, _ in
            request.path == "/good.gif" ? .init(body: ColoredGIF.bytes(1)) : .init(404)
        }
        let address = try start(
            ["--follow", server.base + "/" + String(repeating: "y", count: 90) + ".gif"], columns: columns)
        try address.read(until: "404, not found · 127.0.0.1")
        try quit(address)
    }

    @Test("What cannot be followed is named: an ended standard input, other schemes, a choice among results")
    func refusals() throws {
        let ended = try start(["-c", "exec '\(Binary.path)' --follow - < /dev/null"], path: "/bin/sh")
        try ended.read(until: "standard input has ended")
        try quit(ended)
        for (name, problem) in [
            ("ftp://x/y.gif", "not an http:// or https:// URL"), ("https://", "not an http:// or https:// URL"),
            ("file:///nowhere", "No such file or directory"),
        ] {
            try expectError(["--follow", name], problem)
        }
        try expectError(["--follow", "/tmp", "--pick", "2"], "cannot be combined with '--pick'", status: 2)
        let bare = try start(["--bare", "--follow", folder.url.path])
        try bare.read(until: "\u{1B}[?1049h")
        try quit(bare)
        #expect(bare.text.contains("gifplay: waiting for a GIF in \(folder.url.path)…"))
    }

    @Test("A 'file:' URL of a folder is followed, and '/' opens that folder")
    func gallery() throws {
        try folder.write(ColoredGIF.bytes(1), to: "a.gif")
        let terminal = try start(["--follow", "file://" + folder.url.path])
        try terminal.read(until: ColoredGIF.sequences[1])
        try terminal.send("/", until: "filter")
        #expect(!terminal.text.contains("Random"))
        terminal.send("\u{3}")
        _ = try terminal.finish()
    }

    @Test("'Ctrl-R' keeps the picture of a followed URL while its server is silent")
    func reload() async throws {
        let server = try RawServer { connection, number in
            connection.readHead()
            guard number > 0 else {
                connection.send(RawServer.response(200, headers: "Connection: close\r\n", body: ColoredGIF.bytes(1)))
                return
            }
            connection.waitForHangUp()
        }
        let terminal = try start(["--follow", server.base + "/radar.gif"])
        try terminal.read(until: ColoredGIF.sequences[1])
        try terminal.send("\u{12}", until: "loading…")
        try terminal.read("the second request") { _ in server.requests.count == 2 }
        let end = terminal.output.count
        terminal.readOutput(at: nil, for: .milliseconds(600))
        let later = String(decoding: terminal.output[end...], as: UTF8.self)
        #expect(!later.contains("\u{1B}[2J") && !later.contains("waiting for"), "\(later)")
        try quit(terminal)
    }

    @Test(
        "A download that ends early is an error where a terminal repeats or keeps the picture",
        arguments: ["--leave", "--mode kitty! --leave", "--animate --mode kitty", "--upload /dev/tty"])
    func cutDownload(options: String) throws {
        let file = NumberedAnimation(columns: 60, rows: 20, frames: 8, centiseconds: 7).bytes
        let server = try RawServer { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\n\r\n")
            connection.send(Array(file[..<(file.count / 2)]))
        }
        let output = options.contains("--leave") ? "" : "> /dev/null"
        let terminal = try start(
            ["-c", "exec '\(Binary.path)' \(options) \(server.base)/half.gif \(output)"], path: "/bin/sh")
        #expect(try terminal.finish() == 1)
        let text = terminal.text
        #expect(text.contains("half.gif: the download from 127.0.0.1 ended after"), "\(text.suffix(300))")
    }
}
