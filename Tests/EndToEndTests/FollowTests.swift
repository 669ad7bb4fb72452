import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct FollowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ path: String) throws -> PseudoTerminal {
        try PseudoTerminal(["--follow", path], columns: 30, rows: 9)
    }

    private func expect(_ color: Int, in terminal: PseudoTerminal) throws {
        let count = terminal.count(of: ColoredGIF.sequences[color])
        try terminal.read("colour \(color)") { $0.count(of: ColoredGIF.sequences[color]) > count }
    }

    private func path(_ name: String) -> String { folder.path(name) }

    @Test("A folder shows its newest GIF, and each later one when it is closed or renamed, but no other file")
    func directory() throws {
        try folder.write(ColoredGIF.bytes(1), to: "old.gif")
        #expect(FileManager.default.createFile(atPath: path("new.gif"), contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: path("new.gif")))
        handle.write(Data(ColoredGIF.bytes(2).dropLast()))
        let terminal = try start(folder.url.path)
        try terminal.read(until: ColoredGIF.sequences[1])
        try folder.write("text", to: "text.gif")
        try folder.write(ColoredGIF.bytes(3), to: "3.png")
        try folder.write(ColoredGIF.bytes(3), to: ".hidden.gif")
        terminal.readOutput(at: nil, for: .milliseconds(300))
        #expect(terminal.count(of: ColoredGIF.sequences[2]) == 0 && terminal.count(of: ColoredGIF.sequences[3]) == 0)
        handle.write(Data([0x3B]))
        try handle.close()
        try terminal.read(until: ColoredGIF.sequences[2])
        try FileManager.default.moveItem(atPath: path("3.png"), toPath: path("3.gif"))
        try terminal.read(until: ColoredGIF.sequences[3])
        try terminal.quit()
    }

    @Test("A damaged GIF, the key 'n' without a newer GIF, and the end of a loop leave the picture")
    func undisturbed() throws {
        let images = path("images")
        func write(_ bytes: [UInt8], _ name: String) throws {
            try FileManager.default.createDirectory(atPath: images, withIntermediateDirectories: true)
            try folder.write(bytes, to: "images/\(name)")
        }
        try write(ColoredGIF.bytes(1), "1.gif")
        let terminal = try PseudoTerminal(["--follow", images, "--loop", "1"], columns: 60, rows: 9)
        try terminal.read(until: ColoredGIF.sequences[1])
        try terminal.read(until: "replay")
        try terminal.send("n", until: "no newer GIF")
        try write(Array("GIF89a, but no picture".utf8), "broken.gif")
        try terminal.read(until: "broken.gif: ")
        try FileManager.default.removeItem(atPath: images)
        try write(ColoredGIF.bytes(2), "2.gif")
        try terminal.read(until: ColoredGIF.sequences[2])
        #expect(!terminal.text.contains("loading"))
        try terminal.quit()
        // At the start, an older GIF takes the place of a damaged one.
        try write(Array("GIF89a, but no picture".utf8), "newest.gif")
        let second = try start(images)
        try second.read(until: ColoredGIF.sequences[2])
        try second.quit()
    }

    @Test("An empty folder waits; a GIF that is written again is shown again")
    func file() throws {
        let terminal = try start(folder.url.path)
        try terminal.read(until: "waiting for a GIF in")
        let name = try folder.write(ColoredGIF.bytes(1), to: "a.gif")
        try terminal.read(until: ColoredGIF.sequences[1])
        try terminal.quit()
        let second = try start(name)
        try second.read(until: ColoredGIF.sequences[1])
        try folder.write(ColoredGIF.bytes(2), to: "a.gif")
        try second.read(until: ColoredGIF.sequences[2])
        try second.quit()
    }

    @Test(
        "The last line of a list counts whatever its size; a line that is too long is named", arguments: [true, false])
    func longList(isPipe: Bool) throws {
        let gifs = try (1...2).map { try folder.write(ColoredGIF.bytes(UInt8($0)), to: "\($0).gif") }
        let list = path("list")
        let filling = String(repeating: "/nowhere/at/all.gif\n", count: 3 << 16)
        if isPipe { #expect(mkfifo(list, 0o600) == 0) } else { try folder.write(filling, to: "list") }
        let terminal = try PseudoTerminal(["--follow", list], columns: 200, rows: 9)
        try terminal.read(until: isPipe ? "waiting for a GIF in" : "all.gif: No such file")
        func append(_ text: String) throws {
            let handle = try #require(FileHandle(forUpdatingAtPath: list))
            if !isPipe { try handle.seekToEnd() }
            handle.write(Data(text.utf8))
            try handle.close()
        }
        try append(gifs[0] + "\n")
        try terminal.read(until: ColoredGIF.sequences[1])
        try append(String(repeating: "x", count: 3 << 20) + (isPipe ? "" : "\n"))
        try terminal.read(until: "the last line is over 64 KiB")
        try append("\n" + gifs[1] + "\n\n")
        try terminal.read(until: ColoredGIF.sequences[2])
        try terminal.quit()
    }

    @Test("Another program that opens the files that gifplay looks at does not end it")
    func otherReaders() throws {
        let names = try (1...3).map { try folder.write(ColoredGIF.bytes(UInt8($0)), to: "\($0).gif") }
        let terminal = try start(folder.url.path)
        try terminal.read(until: "0:00")
        for round in 0..<200 {
            let name = names[round % 3]
            try folder.write(ColoredGIF.bytes(UInt8(round % 3 + 1)), to: "\(round % 3 + 1).gif")
            // With a lease, the kernel would send SIGIO at an open for writing.
            for _ in 0..<20 { close(open(name, O_WRONLY | O_NONBLOCK)) }
            terminal.readOutput(at: nil, for: .milliseconds(1))
        }
        try folder.write(ColoredGIF.bytes(2), to: "last.gif")
        try expect(2, in: terminal)
        try terminal.quit()
    }

    @Test("At the start, a GIF without its end waits for its writer; what cannot be shown is named")
    func incomplete() throws {
        // Another process writes the file, because a program that another test starts can inherit the descriptor of this
        // one, and would close it later.
        let other = try TemporaryFolder()
        let part = try other.write(Array(ColoredGIF.bytes(1).dropLast(4)), to: "part")
        #expect(try run("/bin/cp", [part, path("a.gif")]).status == 0)
        let terminal = try PseudoTerminal(["--follow", folder.url.path], columns: 120, rows: 9)
        try terminal.read(until: "a.gif: incomplete")
        try folder.write(ColoredGIF.bytes(1), to: "a.gif")
        try terminal.read(until: ColoredGIF.sequences[1])
        mkfifo(path("pipe"), 0o600)
        symlink(path("pipe"), path("b.gif"))
        try terminal.read(until: "b.gif: a FIFO, not a GIF")
        try terminal.quit()
    }

    @Test(
        "A followed folder, file, list or pipe that disappears is named, and its successor is followed",
        arguments: ["folder", "file", "list", "pipe", "link"])
    func disappears(kind: String) throws {
        let gifs = try (1...2).map { try folder.write(ColoredGIF.bytes(UInt8($0)), to: "\($0).gif") }
        let place = path("place")
        func make(_ number: Int) throws {
            switch kind {
            case "folder", "link":
                let images = kind == "link" ? path("images") : place
                try FileManager.default.createDirectory(atPath: images, withIntermediateDirectories: true)
                if kind == "link" { symlink(images, place) }
                _ = try FileManager.default.copyItem(atPath: gifs[number - 1], toPath: images + "/a.gif")
            case "file": try FileManager.default.copyItem(atPath: gifs[number - 1], toPath: place)
            case "list": try folder.write(Array((gifs[number - 1] + "\n").utf8), to: "place")
            default: #expect(mkfifo(place, 0o600) == 0)
            }
        }
        func write(_ number: Int) throws {
            guard kind == "pipe" else { return }
            // Waits until gifplay has opened the pipe.
            let handle = try #require(FileHandle(forWritingAtPath: place))
            handle.write(Data((gifs[number - 1] + "\n").utf8))
            try handle.close()
        }
        try make(1)
        let terminal = try PseudoTerminal(["--follow", place], columns: 150, rows: 9)
        if kind == "pipe" { try terminal.read(until: "waiting for a GIF in") }
        try write(1)
        try terminal.read(until: ColoredGIF.sequences[1])
        try FileManager.default.removeItem(atPath: kind == "link" ? path("images") : place)
        try terminal.read(until: "place: was removed; waiting for a new one")
        try make(2)
        try write(2)
        try terminal.read(until: ColoredGIF.sequences[2])
        try terminal.quit()
    }

    @Test("A URL in a followed list is refused with a reason; a file URL is followed", arguments: [true, false])
    func addressInList(isPipe: Bool) throws {
        let name = try folder.write(ColoredGIF.bytes(1), to: "a.gif")
        let list = path("list")
        if isPipe { #expect(mkfifo(list, 0o600) == 0) } else { try folder.write([], to: "list") }
        let terminal = try PseudoTerminal(["--follow", list], columns: 150, rows: 9, until: "waiting for a GIF in")
        for (line, text) in [
            ("https://me:hush@a.example/b.gif", "a.example/b.gif: a followed list takes files only"),
            ("data:image/gif;base64,R0lG", "a followed list takes files only"),
            ("file://\(name)", ColoredGIF.sequences[1]),
        ] {
            let handle = try #require(FileHandle(forUpdatingAtPath: list))
            if !isPipe { try handle.seekToEnd() }
            handle.write(Data((line + "\n").utf8))
            try handle.close()
            try terminal.read(until: text)
        }
        terminal.send("q")
        #expect(try terminal.finish() == 0 && !terminal.text.contains("hush"))
    }

    @Test("The last line of standard input needs no line break")
    func unfinishedLine() throws {
        let name = try folder.write(ColoredGIF.bytes(2), to: "a.gif")
        let terminal = try PseudoTerminal(
            ["-c", "printf '\(name)' | \"$0\" --follow -", Binary.path], columns: 30, rows: 9, path: "/bin/sh")
        try terminal.read(until: ColoredGIF.sequences[2])
        try terminal.quit()
    }

    @Test("A path that cannot be followed is an error")
    func failures() throws {
        #expect(try runGifplay(["--follow", ""]).errors == "gifplay: --follow '': names no file\n")
        try expectError(["--follow", "/nope/x"], "--follow /nope/x: No such file")
        for (path, problem) in [
            ("/nowhere", "No such file or directory"), ("/dev/null", "not a folder, a file or a named pipe"),
        ] {
            let terminal = try PseudoTerminal(["--follow", path], columns: 70, rows: 9)
            #expect(try terminal.finish() == 1 && terminal.text == "gifplay: --follow \(path): \(problem)\r\n")
        }
        for other in ["cat.gif", "--leave", "--animate", "--list", "--random-pick", "--sort=size", "--every=9s"] {
            #expect(try runGifplay(["--follow", "/tmp", other]).status == 2)
        }
        #expect(try runGifplay(["--follow", "/tmp"]).status == 1)
    }
}
