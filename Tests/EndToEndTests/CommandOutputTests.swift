import Foundation
import Pixels
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CommandOutputTests {
    @Test("If standard output is a file, a still picture of the requested size or of 24 rows is written as text")
    func still() throws {
        let outcome = try runGifplay(["--size", "40x10", Binary.sample("dancing-cat")])
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 10)
        #expect(lines.allSatisfy { $0.hasSuffix("\u{1B}[0m") })
        var screen = VirtualScreen(columns: 40, rows: 10)
        for (row, line) in lines.enumerated() { try screen.feed(Array("\u{1B}[\(row + 1)H".utf8) + Array(line.utf8)) }
        let expected = try ExpectedPicture(sample: "dancing-cat", frame: 0, box: CellSize(columns: 40, rows: 10))
        #expect(screen.halves(CellSize(columns: expected.size.width, rows: 10)) == expected.pixels)
        let usual = try runGifplay([Binary.sample("dancing-cat")])
        #expect(usual.text.split(separator: "\n").count == 24)
    }

    private static let printing: [[String]] =
        [
            ["--help"], ["-h"], ["help", "info"], ["--version"], ["info", Binary.sample("dancing-cat")],
            ["info", "--json"] + Array(repeating: Binary.sample("campfire"), count: 3), ["samples"], ["sources"],
            ["cache"], ["config"], ["doctor"], ["--list", "cat"], ["--list", "--json", "cat"],
            ["browse", "--plain", "cat"], ["--trace", "--virtual-time", Binary.sample("dancing-cat")],
            ["--complete", "--"], [Binary.sample("dancing-cat")],
            ["--animate", "--mode", "kitty", Binary.sample("dancing-cat")],
            ["record", "-o", "-", Binary.sample("dancing-cat")],
        ] + ["man", "reference", "complete-bash", "complete-zsh", "complete-fish"].map { ["--generate", $0] }

    private static func result(_ arguments: [String], to output: String) throws -> ProgramResult {
        let folder = try TemporaryFolder()
        return try run(
            "/bin/bash", ["-c", "\"$0\" \"$@\" \(output); exit ${PIPESTATUS[0]}", Binary.path] + arguments,
            environment: ["XDG_DATA_HOME": folder.url.path, "XDG_CACHE_HOME": folder.url.path])
    }

    @Test(
        "If standard output is on a full disk or closed, each command reports an error and exits with status 1",
        arguments: printing)
    func lostOutput(arguments: [String]) throws {
        for (output, message) in [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
            let outcome = try Self.result(arguments, to: output)
            #expect(outcome.status == 1 && outcome.errors.contains(message), "\(output) \(outcome)")
        }
    }

    @Test("If the reader closes the pipe before or after the first byte, no command fails", arguments: printing)
    func closedPipe(arguments: [String]) throws {
        for output in ["| true", "| head -c 1 >/dev/null"] {
            let outcome = try Self.result(arguments, to: output)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(output) \(outcome)")
        }
    }

    @Test("A command whose pipe is closed ends, although it has more to print")
    func endlessOutput() throws {
        let file = Binary.sample("campfire")
        let trace = ["--trace", "--virtual-time", "--loop", "1000000", "--duration", "100000h", file]
        #expect(try Self.result(trace, to: "| head -c 1 >/dev/null").status == 0)
    }

    @Test("'--animate' draws each frame over the previous frame")
    func animate() throws {
        let outcome = try runGifplay([
            "--animate", "--size", "20x8", "--fidelity", "exact", Binary.sample("dancing-cat"),
        ])
        #expect(outcome.status == 0)
        var screen = VirtualScreen(columns: 20, rows: 9)
        try screen.feed(outcome.output)
        let expected = try ExpectedPicture(sample: "dancing-cat", frame: 39, box: CellSize(columns: 20, rows: 8))
        #expect(screen.halves(expected.cells) == expected.pixels)
    }

    @Test(
        "If standard input is a terminal, '-' is an error, after which the other files still play",
        arguments: [["-"], ["--file", "-"]])
    func terminalInput(arguments: [String]) throws {
        let message = "standard input is a terminal; pipe a GIF into 'gifplay -' or name a file"
        let alone = try PseudoTerminal(arguments)
        #expect(try alone.finish() == 1)
        #expect(alone.count(of: message) == 1 && alone.count(of: "▀") + alone.count(of: "▄") == 0)
        let terminal = try PseudoTerminal(
            arguments + ["--file", Binary.sample("pixel-slime"), "--size", "4x2", "--loop", "1", "--speed", "max"])
        #expect(try terminal.finish() == 1)
        #expect(terminal.count(of: message) == 1 && terminal.count(of: "▀") + terminal.count(of: "▄") > 0)
    }

    @Test("With the argument '-' or without arguments, a GIF on standard input is played")
    func standardInput() throws {
        let bytes = try Binary.bytes("pixel-slime")
        let named = try runGifplay(["--size", "16x8", "-"], input: bytes)
        #expect(named.status == 0 && named.text.split(separator: "\n").count == 8)
        #expect(try runGifplay(["--size", "16x8"], input: bytes).output == named.output)
        let piped = try run(
            "/bin/sh", ["-c", "cat '\(Binary.sample("pixel-slime"))' | '\(Binary.path)' --size 16x8"])
        #expect(piped.output == named.output)
        let empty = try runGifplay([], input: [])
        #expect(empty.status == 1 && empty.errors == "gifplay: standard input: the file is empty\n")
        // If standard input is /dev/null, as here, or a terminal, a random GIF plays.
        #expect(try runGifplay(["--size", "16x8"]).status == 0)
    }

    @Test("A damaged file plays, the damage is reported, and the exit status is 0", arguments: [[], ["--animate"]])
    func damaged(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let bytes = try Binary.bytes("campfire")
        // Without --animate, only the first frame is drawn, so the file is truncated within this frame.
        let file = try folder.write(Array(bytes.prefix(arguments.isEmpty ? 4_000 : 30_000)), to: "cut.gif")
        let outcome = try runGifplay(["--size", "8x4", "--mode", "kitty"] + arguments + [file])
        #expect(outcome.status == 0 && !outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "gifplay: \(file): damaged: \(arguments.isEmpty ? "frame 1 is incomplete" : "the file ends in frame 13")\n"
        )
    }

    @Test("If the argument is a directory, only its regular files are played")
    func folderWithPipe() throws {
        let folder = try TemporaryFolder()
        let bytes = try Binary.bytes("campfire")
        try folder.write(bytes, to: "b.gif")
        #expect(mkfifo(folder.path("a.gif"), 0o600) == 0)
        let outcome = try runGifplay(["--size", "8x4", folder.url.path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try runGifplay(["--size", "8x4", Binary.sample("campfire")]).output == outcome.output)
    }

    @Test("With NO_COLOR or TERM=dumb, nothing plays, and the error message contains no escape sequences")
    func noColor() throws {
        let refused = try runGifplay([Binary.sample("dancing-cat")], environment: ["NO_COLOR": "1"])
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.errors.contains("NO_COLOR is set") && refused.errors.contains("--color always"))
        let forced = try runGifplay(
            ["--color", "always", Binary.sample("dancing-cat")], environment: ["NO_COLOR": "1"])
        #expect(forced.status == 0 && !forced.output.isEmpty)
        let dumb = try PseudoTerminal(["dancing cat"], environment: ["TERM": "dumb"])
        #expect(try dumb.finish() == 1)
        #expect(dumb.text.contains("TERM is dumb") && !dumb.text.contains("\u{1B}"))
        for (name, value, hint) in [("TERM", "dumb", "--plain"), ("NO_COLOR", "1", refused.errors.dropLast())] {
            let browser = try PseudoTerminal(["browse"], environment: [name: value])
            #expect(try browser.finish() == 1)
            #expect(browser.text.contains(hint) && !browser.text.contains("\u{1B}"))
        }
    }

    @Test(
        "An invalid command line or unplayable input causes a one-line error message",
        arguments: [
            (["nowhere.gif"], 1, "nowhere.gif: No such file or directory"),
            (["quetzalcoatl"], 1, "nothing found for 'quetzalcoatl'"),
            (["dancign"], 1, "did you mean dancing?"),
            (["https://example.org/a.gif"], 1, "not in the media cache, and gifplay is offline"),
            (["sources", "--check"], 2, "--check: unknown option"),
            (["--size", "0x0", "x"], 2, "--size 0x0: expected columns and rows from 1 to 10000"),
            (["-s", "0x0", "x"], 2, "-s 0x0: expected columns and rows"),
            (["--nonsense"], 2, "--nonsense: unknown option"),
            (["--fidelity", "best", "cat"], 2, "--fidelity best: expected exact, standard or low"),
            (["--json", "cat"], 2, "--json: needs --list"),
            (["--width", "40", "x"], 2, "--width: unknown option; did you mean --size 40xROWS?"),
            (["--versoin"], 2, "--versoin: unknown option; did you mean --version?"),
            (["--opton"], 2, "--opton: unknown option; 'gifplay play --help' lists the options"),
            (["--source", "comons", "cat"], 2, "--source comons: unknown source; did you mean commons?"),
            (["search", "cat"], 2, "did you mean 'gifplay --search cat'? To search for it: gifplay --search 'search"),
            (["--offline", "browse"], 2, "did you mean 'gifplay browse --offline'?"),
            (["--offline", "browse", "--plain"], 2, "did you mean 'gifplay browse --offline --plain'?"),
            (["brwose"], 2, "did you mean 'gifplay browse'? To search for it: gifplay --search brwose"),
            (["--list", "librarry"], 2, "did you mean 'gifplay library'?"),
            (["help", "foo"], 2, "foo: no such command; 'gifplay help' lists the commands"),
            (["--file", "/dev/null"], 1, "the file is empty"),
        ])
    func errorMessages(arguments: [String], status: Int32, message: String) throws {
        let outcome = try runGifplay(arguments)
        #expect(outcome.status == status)
        #expect(outcome.errors.hasPrefix("gifplay: ") && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.output.isEmpty)
    }

    @Test("Missing files and files that cannot be played are reported, and the other files play")
    func badFiles() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write("GIF89a", to: "bad.gif")
        let outcome = try runGifplay(["--size", "10x5", bad, "missing.gif", Binary.sample("pixel-slime")])
        #expect(outcome.status == 1)
        #expect(outcome.text.split(separator: "\n").count == 5)
        let messages = ["\(bad): the file ends within its header", "missing.gif: No such file or directory"]
        #expect(Set(outcome.errors.split(separator: "\n")) == Set(messages.map { "gifplay: \($0)" }))
    }

    @Test("If an argument names an existing file, this file plays; with '--search', the argument is a query")
    func fileNamedLikeQuery() throws {
        let folder = try TemporaryFolder()
        let slime = try Binary.bytes("pixel-slime")
        try folder.write(slime, to: "cat")
        let file = try runGifplay(["--size", "80x24", "cat"], folder: folder.url)
        let search = try runGifplay(["--size", "80x24", "--search", "cat"], folder: folder.url)
        let dashes = try runGifplay(["--size", "80x24", "--", "cat"], folder: folder.url)
        #expect(file.status == 0 && search.status == 0)
        #expect(file.output != search.output)
        #expect(dashes.output == file.output)
    }
}
