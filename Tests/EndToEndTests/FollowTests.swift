import Foundation
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(5))) struct FollowTests: FollowSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A folder shows its newest GIF, and each later one when it is closed or renamed, but no other file")
    func directory() throws {
        try writeGIF(1, to: "old.gif")
        let handle = try #require(FileHandle(forWritingAtPath: try folder.write("", to: "new.gif")))
        handle.write(Data(ColoredGIF.bytes(2).dropLast()))
        let terminal = try follow(folder.url.path, color: 1)
        try folder.write("text", to: "text.gif")
        try writeGIF(3, to: "3.png")
        try writeGIF(3, to: ".hidden.gif")
        terminal.readOutput(at: nil, for: .milliseconds(300))
        #expect(terminal.count(of: ColoredGIF.sequences[2]) == 0 && terminal.count(of: ColoredGIF.sequences[3]) == 0)
        handle.write(Data([0x3B]))
        try handle.close()
        try terminal.read(color: 2)
        try FileManager.default.moveItem(atPath: folder.path("3.png"), toPath: folder.path("3.gif"))
        try terminal.read(color: 3)
        try terminal.quit()
    }

    @Test("A damaged GIF, the key 'n' without a newer GIF, and the end of a loop leave the picture")
    func undisturbed() throws {
        let images = folder.path("images")
        try writeGIF(1, to: "images/1.gif")
        let terminal = try follow(images, ["--loop", "1"], columns: 150, color: 1)
        try terminal.read(until: "replay")
        try terminal.send("n", until: "no newer GIF")
        try folder.write("GIF89a, but no picture", to: "images/broken.gif")
        try terminal.read(until: "broken.gif: ")
        // The problem of a file ends with the file.
        let count = terminal.count(of: "/images")
        try FileManager.default.removeItem(atPath: images + "/broken.gif")
        try terminal.read("the folder") { $0.count(of: "/images") > count }
        try FileManager.default.removeItem(atPath: images)
        try writeGIF(2, to: "images/2.gif")
        try terminal.read(color: 2)
        #expect(!terminal.text.contains("loading"))
        try terminal.quit()
        // At the start, an older GIF takes the place of a damaged one.
        try folder.write("GIF89a, but no picture", to: "images/newest.gif")
        try follow(images, color: 2).quit()
    }

    @Test("An empty folder waits; a GIF that is written again is shown again")
    func file() throws {
        let terminal = try follow(folder.url.path, until: "waiting for a GIF in")
        let name = try writeGIF(1, to: "a.gif")
        try terminal.read(color: 1)
        try terminal.quit()
        let second = try follow(name, color: 1)
        try writeGIF(2, to: "a.gif")
        try second.read(color: 2)
        try second.quit()
    }

    @Test(
        "The last line of a list counts whatever its size; a line that is too long is named", arguments: [true, false])
    func longList(isPipe: Bool) throws {
        let gifs = try (1...2).map { try writeGIF($0, to: "\($0).gif") }
        let filling = String(repeating: "/nowhere/at/all.gif\n", count: 3 << 16)
        let list = try makeList(isPipe: isPipe, containing: filling)
        let terminal = try follow(
            list, columns: 200, until: isPipe ? "waiting for a GIF in" : "all.gif: No such file")
        try append(gifs[0] + "\n", isPipe: isPipe)
        try terminal.read(color: 1)
        try append(String(repeating: "x", count: 3 << 20) + (isPipe ? "" : "\n"), isPipe: isPipe)
        try terminal.read(until: "the last line is over 64 KiB")
        try append("\n" + gifs[1] + "\n\n", isPipe: isPipe)
        try terminal.read(color: 2)
        try terminal.quit()
    }

    @Test("Another program that opens the files that gifplay looks at does not end it")
    func otherReaders() throws {
        let names = try (1...3).map { try writeGIF($0, to: "\($0).gif") }
        let terminal = try follow(folder.url.path, columns: 30, until: "0:00")
        for round in 0..<200 {
            try writeGIF(round % 3 + 1, to: "\(round % 3 + 1).gif")
            // With a lease, the kernel would send SIGIO at an open for writing.
            for _ in 0..<20 { close(open(names[round % 3], O_WRONLY | O_NONBLOCK)) }
            terminal.readOutput(at: nil, for: .milliseconds(1))
        }
        try writeGIF(2, to: "last.gif")
        try terminal.read(newColor: 2)
        try terminal.quit()
    }

    @Test("At the start, a GIF without its end waits for its writer; what cannot be shown is named")
    func incomplete() throws {
        // Another process writes the file, because a program that another test starts can inherit the descriptor of this
        // one, and would close it later.
        let other = try TemporaryFolder()
        let part = try other.write(Array(ColoredGIF.bytes(1).dropLast(4)), to: "part")
        #expect(try run("/bin/cp", [part, folder.path("a.gif")]).status == 0)
        let terminal = try follow(folder.url.path, until: "a.gif: incomplete")
        try writeGIF(1, to: "a.gif")
        try terminal.read(color: 1)
        symlink(try folder.makePipe("pipe"), folder.path("b.gif"))
        try terminal.read(until: "b.gif: a FIFO, not a GIF")
        try terminal.quit()
    }

    @Test(
        "A followed folder, file, list or pipe that disappears is named, and its successor is followed",
        arguments: ["folder", "file", "list", "pipe", "link"])
    func disappears(kind: String) throws {
        let gifs = try (1...2).map { try writeGIF($0, to: "\($0).gif") }
        let place = folder.path("place")
        func make(_ number: Int) throws {
            switch kind {
            case "folder": try writeGIF(number, to: "place/a.gif")
            case "link":
                try writeGIF(number, to: "images/a.gif")
                symlink(folder.path("images"), place)
            case "file": try writeGIF(number, to: "place")
            case "list": try folder.write(gifs[number - 1] + "\n", to: "place")
            default: try folder.makePipe("place")
            }
        }
        try make(1)
        let terminal = try follow(place, until: kind == "pipe" ? "waiting for a GIF in" : nil)
        if kind == "pipe" { try write(gifs[0], toPipe: place) }
        try terminal.read(color: 1)
        try FileManager.default.removeItem(atPath: kind == "link" ? folder.path("images") : place)
        try terminal.read(until: "place: was removed; waiting for a new one")
        try make(2)
        if kind == "pipe" { try write(gifs[1], toPipe: place) }
        try terminal.read(color: 2)
        try terminal.quit()
    }

    @Test("A URL in a followed list is refused with a reason; a file URL is followed", arguments: [true, false])
    func addressInList(isPipe: Bool) throws {
        let name = try writeGIF(1, to: "a.gif")
        let terminal = try follow(try makeList(isPipe: isPipe), until: "waiting for a GIF in")
        for (line, text) in [
            ("https://me:hush@a.example/b.gif", "a.example/b.gif: a followed list takes files only"),
            ("data:image/gif;base64,R0lG", "a followed list takes files only"),
            ("file://\(name)", ColoredGIF.sequences[1]),
        ] {
            try append(line + "\n", isPipe: isPipe)
            try terminal.read(until: text)
        }
        try terminal.quit()
        #expect(!terminal.text.contains("hush"))
    }

    @Test("The last line of standard input needs no line break")
    func unfinishedLine() throws {
        let name = try writeGIF(2, to: "a.gif")
        let terminal = try PseudoTerminal(
            ["-c", "printf '\(name)' | \"$0\" --follow -", Binary.path], columns: 30, rows: 9, path: "/bin/sh")
        try terminal.read(color: 2)
        try terminal.quit()
    }

    @Test("A path that cannot be followed, and an option that cannot be combined, is an error")
    func failures() throws {
        #expect(try runGifplay(["--follow", ""]).errors == "gifplay: --follow '': names no file\n")
        for (place, problem) in [
            ("/nope/x", "--follow /nope/x: No such file"), ("ftp://x/y.gif", "not an http:// or https:// URL"),
            ("https://", "not an http:// or https:// URL"), ("file:///nowhere", "No such file or directory"),
        ] { try expectError(["--follow", place], problem) }
        for (path, problem) in [
            ("/nowhere", "No such file or directory"), ("/dev/null", "not a folder, a file or a named pipe"),
        ] {
            let terminal = try PseudoTerminal(["--follow", path], columns: 70, rows: 9)
            #expect(try terminal.finish() == 1 && terminal.text == "gifplay: --follow \(path): \(problem)\r\n")
        }
        for other in ["cat.gif", "--leave", "--animate", "--list", "--random-pick", "--sort=size", "--every=9s"] {
            #expect(try runGifplay(["--follow", "/tmp", other]).status == 2)
        }
        try expectError(["--follow", "/tmp", "--pick", "2"], "cannot be combined with '--pick'", status: 2)
        #expect(try runGifplay(["--follow", "/tmp"]).status == 1)
    }
}
