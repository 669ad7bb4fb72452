import Foundation
import Pixels
import TestServer
import TestSupport
import Testing

/// Tests images that go on without a process: in pipes, below the prompt, and in the cells of other programs.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct RepeatingOutputTests {
    private let folder: TemporaryFolder
    private let path: String
    private static let frames = 5

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write(
            NumberedAnimation(columns: 20, rows: 6, frames: Self.frames, centiseconds: 7).bytes, to: "a.gif")
    }

    private func screen(_ bytes: [UInt8]) throws -> KittyScreen {
        var screen = KittyScreen(size: PixelSize(width: 240, height: 128), cell: PixelSize(width: 8, height: 16))
        (screen.scales, screen.keepsFrames) = (true, true)
        try screen.feed(bytes + [0x1B])
        return screen
    }

    @Test("A pipe gets one image with all frames and no query, and the same number each time")
    func pipe() throws {
        let outputs = try [[path], [path], ["--file", path]].map {
            try runGifplay(["--animate", "--mode", "kitty", "--size", "20x6"] + $0)
        }
        #expect(outputs.allSatisfy { $0.status == 0 && $0.errors.isEmpty && $0.output == outputs[0].output })
        let screen = try screen(outputs[0].output)
        #expect(screen.images.count == 1 && screen.keys["c"] == "20" && screen.keys["r"] == "6")
        #expect(screen.animations.values.first?.frames.map(\.gap) == Array(repeating: 70, count: Self.frames))
        #expect(!outputs[0].text.contains("\u{1B}[") && outputs[0].text.hasSuffix("\u{1B}\\\n"))
        #expect(outputs[0].text.split(separator: "\u{1B}_G").allSatisfy { $0.contains("q=2") })
    }

    @Test("Standard input has a number for each content, and several files have one for each")
    func numbers() throws {
        let other = try folder.write(
            NumberedAnimation(columns: 8, rows: 4, frames: 2, centiseconds: 5).bytes, to: "b.gif")
        let options = ["--animate", "--mode", "kitty"]
        let inputs = try [path, other].map { file in
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
            return try screen(runGifplay(options + ["-"], input: bytes).output).images
        }
        #expect(inputs[0] != inputs[1])
        #expect(try screen(runGifplay(options + [path, other, path]).output).images.count == 2)
        let small = try runGifplay(options + ["--colors", "256", path])
        #expect(try screen(small.output).images.allSatisfy { (1...255).contains($0) })
    }

    @Test(
        "In fzf and tmux, stills and animations are images in placeholders, and the text after them follows below",
        arguments: [["FZF_PREVIEW_LINES": "6"], ["TMUX": "/tmp/t,1,0"]], [[], ["--animate"]])
    func placeholders(environment: [String: String], options: [String]) throws {
        let outcome = try runGifplay(
            options + ["--mode", "kitty", "--size", "20x6", path], environment: environment)
        let screen = try screen(outcome.output)
        #expect(screen.keys["U"] == "1" && screen.images.count == 1)
        #expect(screen.animations.values.first?.frames.count == (options.isEmpty ? 1 : Self.frames))
        let rows = outcome.text.split(separator: "\n")
        #expect(rows.count == 6 && rows.dropFirst().allSatisfy { $0.hasPrefix("\u{1B}[0;38;2;") })
        #expect(outcome.text.contains("\u{1B}Ptmux;") == (environment["TMUX"] != nil))
    }

    @Test("'--upload' sends the image to another terminal, and standard output has only its cells")
    func upload() throws {
        let cells = folder.path("cells")
        let terminal = try PseudoTerminal(
            ["-c", "'\(Binary.path)' --upload /dev/tty --colors 256 --size 20x6 '\(path)' > '\(cells)'"], columns: 40,
            rows: 10, path: "/bin/sh")
        #expect(try terminal.finish() == 0)
        let screen = try screen(terminal.output)
        #expect(screen.keys["U"] == "1" && screen.animations.values.first?.frames.count == Self.frames)
        let text = try String(contentsOfFile: cells, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 6 && !text.contains("_G"))
        #expect(text.utf8.starts(with: "\u{1B}[0;38;5;\(screen.images.first ?? 0)m\u{10EEEE}".utf8))
        for (place, problem) in [("/dev/null", "not a terminal"), ("/nowhere", "No such file or directory")] {
            let failed = try runGifplay(["--upload", place, path])
            #expect(failed.status == 1 && failed.output.isEmpty)
            #expect(failed.errors == "gifplay: --upload \(place): \(problem)\n")
        }
        let pipe = try folder.makePipe("pipe")
        #expect(try runGifplay(["--upload", pipe, path]).errors == "gifplay: --upload \(pipe): not a terminal\n")
        #expect(try runGifplay(["--upload", "", path]).errors == "gifplay: --upload '': names no file\n")
        #expect(try runGifplay(["--upload", "/dev/tty", "--mode", "sixel", path]).status == 2)
    }

    @Test(
        "A named pipe without a writer is named while gifplay waits for it, and Ctrl-C ends the wait",
        arguments: ["--upload /dev/tty", "", "--animate", "info"])
    func silentPipe(options: String) throws {
        let pipe = try folder.makePipe("silent.gif")
        let terminal = try PseudoTerminal(
            ["-c", "exec '\(Binary.path)' \(options) '\(pipe)' > /dev/null"], columns: 40, rows: 10, path: "/bin/sh")
        try terminal.read(until: "until a program has written to this pipe")
        #expect(terminal.text.contains("silent.gif: waiting"))
        terminal.send("\u{3}")
        #expect(try terminal.finish() == -SIGINT)
    }

    @Test("'--leave' prints the animation below the prompt and ends; another terminal gets the last frame")
    func leave() throws {
        let replies =
            "\u{1B}P>|kitty(0.41.1)\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=6777190,r=2;OK\u{1B}\\\u{1B}[?62;c"
        for (replies, options, isRepeated) in [
            (replies, [], true), (replies, ["--mode", "half"], false), ("\u{1B}P>|foot\u{1B}\\\u{1B}[?62c", [], false),
        ] {
            let terminal = try PseudoTerminal(
                options + ["--leave", path], columns: 40, rows: 10, cell: PixelSize(width: 8, height: 16),
                answers: false, until: "\u{1B}[c")
            terminal.send(replies)
            #expect(try terminal.finish() == 0)
            let answer = try #require(terminal.text.range(of: "\u{1B}[c"))
            let output = terminal.text[answer.upperBound...]
            #expect(!output.contains("\u{1B}[?1049h") && output.contains("a=a,") == isRepeated)
            #expect(output.contains("▀") != isRepeated && output.hasSuffix("\r\n"))
        }
    }

    /// A GIF whose image takes more bytes than a pseudo-terminal buffers.
    private func largeGIF() throws -> String {
        try folder.write(
            NumberedAnimation(columns: 60, rows: 20, frames: 40, centiseconds: 7).bytes, to: "large.gif")
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    @Test(
        "A signal ends '--leave' and '--upload' while the terminal takes nothing, and ends the cut command",
        arguments: signals)
    func endedWhileBlocked(signal: Int32) throws {
        let path = try largeGIF()
        for isUpload in [true, false] {
            let options = isUpload ? "--upload /dev/tty --size 60x20" : "--leave --mode 'kitty!'"
            let terminal = try PseudoTerminal(
                ["-c", "ulimit -c 0; exec '\(Binary.path)' \(options) '\(path)' \(isUpload ? "> /dev/null" : "")"],
                columns: 80, rows: 24, path: "/bin/sh", until: "\u{1B}_G")
            terminal.waitUntilFull()
            kill(terminal.process, signal)
            #expect(try #require(terminal.reap(within: 20)) == -signal)
            while terminal.take(atMost: 1 << 16) > 0 {}
            // The signal can also arrive between two commands.
            let ends = ["\u{18}\u{1B}\\\u{1B}[0m\r\n", "\u{1B}\\"]
            #expect(ends.contains(where: terminal.text.hasSuffix), "\(terminal.text.suffix(30).debugDescription)")
            #expect(terminal.hasInitialModes)
        }
    }

    @Test("A signal or Ctrl-C ends the wait for replies, and removes the test image", arguments: signals + [0])
    func endedWhileWaiting(signal: Int32) throws {
        let terminal = try PseudoTerminal(
            ["-c", "ulimit -c 0; exec '\(Binary.path)' --leave '\(path)'"],
            environment: ["SSH_CONNECTION": "::1 1 ::1 22"], answers: false, path: "/bin/sh", until: "\u{1B}[c")
        func objects() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
                .filter { $0.contains("-\(terminal.process)-") }
        }
        #expect(try !objects().isEmpty)
        if signal == 0 { terminal.send("\u{1B}[99;5u") } else { kill(terminal.process, signal) }
        #expect(try terminal.finish() == (signal == 0 ? -SIGINT : -signal))
        #expect(try objects() == [] && terminal.hasInitialModes)
    }

    @Test("With '--mode iterm2', a pipe gets the file itself, or the frames that an image of 1 MiB can contain")
    func files() throws {
        func file(_ path: String) throws -> (image: [UInt8], result: ProgramResult) {
            let result = try runGifplay(["--animate", "--mode", "iterm2", "--size", "20x6", path])
            let data = result.text.split(separator: ":").last?.prefix { $0 != "\u{07}" } ?? ""
            return ([UInt8](Data(base64Encoded: String(data)) ?? Data()), result)
        }
        let small = try file(path)
        #expect(try small.image == Array(Data(contentsOf: URL(fileURLWithPath: path))) && small.result.errors.isEmpty)
        var (random, gif) = (SeededRandom(1), GIFBuilder(width: 400, height: 400))
        for _ in 0..<8 {
            let indices = (0..<160_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            gif = gif.control(delay: 5).image(width: 400, height: 400, indices, codeSize: 8)
        }
        let large = try file(folder.write(gif.trailer().bytes, to: "large.gif"))
        #expect(large.image.count < 700 << 10 && large.image.last == 0x3B && large.result.output.count < 1 << 20)
        #expect(large.result.status == 0 && large.result.errors.contains("only the first frames"))
        let cut = try runGifplay(["info", "--json", folder.write(large.image, to: "part.gif")])
        #expect(cut.status == 0 && !cut.text.contains("cut"), "\(cut.text.suffix(300))")
    }

    @Test("Sixels and characters are written frame by frame, and one line says why they do not repeat")
    func others() throws {
        for mode in ["half", "sixel"] {
            let outcome = try runGifplay(["--animate", "--mode", mode, "--size", "10x4", path, path])
            #expect(outcome.status == 0 && !outcome.output.isEmpty)
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("--mode kitty"))
        }
    }

    @Test("A file that cannot be played is an error, and nothing of it is written")
    func failures() throws {
        let text = try folder.write("no picture", to: "text.gif")
        let options = ["--animate", "--mode"]
        for mode in ["kitty", "iterm2"] {
            let outcome = try runGifplay(options + [mode, text, "/nowhere.gif"])
            #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errors.split(separator: "\n").count == 2)
        }
        let mixed = try runGifplay(options + ["kitty", text, path])
        #expect(try mixed.status == 1 && screen(mixed.output).images.count == 1)
    }

    @Test(
        "A preview has the shape of the cells of the session's terminal, even if no standard stream is connected to it")
    func shape() throws {
        // 20 columns of 10 pixels and 6 rows of 10 pixels: a picture of 20x12 half-blocks is 20 columns wide only there.
        let square = try folder.write(
            GIFBuilder(width: 8, height: 8).frame(1, delay: 5, width: 8, height: 8).trailer().bytes, to: "square.gif")
        let output = folder.path("out")
        let terminal = try PseudoTerminal(
            ["-c", "'\(Binary.path)' --size 20x6 '\(square)' </dev/null >'\(output)' 2>/dev/null"], columns: 20,
            rows: 6,
            cell: PixelSize(width: 10, height: 15), path: "/bin/sh")
        #expect(try terminal.finish() == 0)
        let line = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")[0]
        #expect(line.count { $0 == " " || $0 == "▀" } == 9)
    }
}

/// Tests GIF files that the terminal plays by itself. The test acts as the terminal.
@Suite(.ownThreads) struct RepeatedFileTests {
    private static let image = "\u{1B}]1337;File="

    @Test("A terminal that plays GIF files gets the file once, and then nothing until the last frame")
    func file() throws {
        let folder = try TemporaryFolder()
        let gif = NumberedAnimation(columns: 20, rows: 6, frames: 3, centiseconds: 10)
        let path = try folder.write(gif.bytes, to: "a.gif")
        let terminal = try PseudoTerminal(
            ["--mode", "iterm2", "--bare", "--loop", "4", path], columns: 20, rows: 6,
            cell: PixelSize(width: 8, height: 16), answers: false)
        var queries = 0
        try terminal.read("the end of the picture") { terminal in
            let count = terminal.text.components(separatedBy: "\u{1B}[c").count - 1
            for _ in queries..<count { terminal.send("\u{1B}P>|WezTerm 20240203-110809\u{1B}\\\u{1B}[?62;22c") }
            queries = count
            return terminal.text.contains("?1049l")
        }
        #expect(try terminal.finish() == 0)
        let images = terminal.text.components(separatedBy: Self.image).dropFirst()
        let files = images.compactMap { image -> [UInt8]? in
            let end = image.firstIndex(of: "\u{07}") ?? image.endIndex
            return image.firstIndex(of: ":").flatMap { Data(base64Encoded: String(image[$0..<end].dropFirst())) }
                .map { Array($0) }
        }
        #expect(files.count == images.count && files.filter { $0.starts(with: "GIF".utf8) }.count == 1)
        let rest = files.drop { !$0.starts(with: "GIF".utf8) }.dropFirst()
        // The last frame consists of six strips.
        #expect(!rest.isEmpty && rest.count <= 6)
    }
}
