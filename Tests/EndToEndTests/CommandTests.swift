import Foundation
import TestSupport
import Testing

/// Tests the help, and the output of `info`, `samples` and `--trace`, which scripts can parse.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CommandTests {
    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func twoFrames(loop: Int?) -> [UInt8] {
        var builder = GIFBuilder(width: 2, height: 1)
        if let loop { builder = builder.loop(loop) }
        return builder.control(delay: 5).image(width: 2, height: 1, [1, 2])
            .control(delay: 1, transparent: 0).image(width: 1, height: 1, [3]).trailer().bytes
    }

    @Test("'info --json' prints the properties of each file as one JSON object per line")
    func info() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(twoFrames(loop: 3), to: "a.gif")
        let outcome = try runGifplay(["info", file, file, "--json"])
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == lines[1])
        let info = try object(String(lines[0]))
        #expect(info["width"] as? Int == 2 && info["height"] as? Int == 1 && info["frames"] as? Int == 2)
        #expect(info["loop"] as? Int == 3 && info["version"] as? String == "GIF89a")
        #expect(info["delays_ms"] as? [Int] == [50, 10] && info["play_ms"] as? [Int] == [50, 100])
        // The SHA-256 hashes of the RGBA pixels ff0000ff 00ff00ff (first frame) and 0000ffff 00ff00ff (second frame).
        #expect(
            info["sha256"] as? [String] == [
                "8e56467a23ff16f4059b738417081abf48600e4d0d9958217178f2d5d4ca93f8",
                "da4c5be9ec7df8eb4eb65fe50b527d88e11d9aa2f577e25263d11a7eb2922068",
            ])
        #expect((info["damaged"] as? [String])?.isEmpty == true)
    }

    @Test("'info' prints an error object for a missing file, describes the other files and exits with status 1")
    func infoErrors() throws {
        let folder = try TemporaryFolder()
        let good = try folder.write(twoFrames(loop: nil), to: "a.gif")
        let outcome = try runGifplay(["info", "/nowhere.gif", good, "--json"])
        #expect(outcome.status == 1)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        let missing = ["error": "No such file or directory", "file": "/nowhere.gif"]
        #expect(try object(lines[0]) as? [String: String] == missing)
        #expect(try object(lines[1])["frames"] as? Int == 2)
        #expect(try object(lines[1])["file"] as? String == good)
    }

    @Test("'--trace --virtual-time' prints the time of each frame, which is the sum of the previous delays")
    func trace() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(twoFrames(loop: 1), to: "a.gif")
        let outcome = try runGifplay(["play", file, "--trace", "--virtual-time", "--bare"])
        let lines = outcome.text.split(separator: "\n").map { line in
            line.split(separator: " ").prefix(6).joined(separator: " ")
        }
        #expect(
            lines == [
                "0.000000 iteration 0 frame 0 shown", "0.050000 iteration 0 frame 1 shown",
                "0.150000 iteration 1 frame 0 shown", "0.200000 iteration 1 frame 1 replayed",
                "0.300000 ended: finished",
            ])
    }

    @Test(
        "The help of each command begins with its own summary and names the whole command",
        arguments: [
            (["--help"], "Play animated GIFs in the terminal", "gifplay [<options>] [<argument> ...]"),
            (["help"], "Play animated GIFs in the terminal", "gifplay [<options>] [<argument> ...]"),
            (["play", "--help"], "Play files, URLs or search results", "gifplay play"),
            (["help", "play"], "Play files, URLs or search results", "gifplay play"),
            (["browse", "-h"], "Browse GIFs in an animated gallery", "gifplay browse"),
            (["--nonsense", "--help"], "Play animated GIFs in the terminal", "gifplay [<options>]"),
            (["library", "clear", "--help"], "Delete history, searches and result lists", "gifplay library clear"),
            (["help", "library", "clear"], "Delete history, searches and result lists", "gifplay library clear"),
        ])
    func commandHelp(arguments: [String], summary: String, usage: String) throws {
        let help = try runGifplay(arguments)
        #expect(help.status == 0 && help.text.hasPrefix(summary), "\(help.text)")
        #expect(help.text.contains("\nUsage: \(usage)"), "\(help.text)")
        #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 79 }, "\(help.text)")
    }

    @Test("'-h' fits on a screen of 80x24 and has six examples and twelve options")
    func shortHelp() throws {
        let help = try runGifplay(["-h"])
        let lines = help.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(help.status == 0 && lines.count <= 24 && lines.allSatisfy { $0.count <= 79 }, "\(help.text)")
        #expect(lines.count { $0.hasPrefix("  gifplay") } == 6)
        #expect(lines.count { $0.contains("--") && $0.hasPrefix("  ") } == 12, "\(help.text)")
    }

    @Test("'--version' and 'version' print the versions of gifplay and its libraries")
    func version() throws {
        let outcome = try runGifplay(["--version"])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains(/^gifplay 1\.1\.0\ngiflib 5\.[0-9.]+\nlibcurl [0-9.]+\n$/))
        for arguments in [["version"], ["-V"], ["--version", "-v"], ["-V", "--offline"], ["info", "--version"]] {
            #expect(try runGifplay(arguments).output == outcome.output)
        }
        #expect(try runGifplay(["--offline", "--list", "--", "--version"]).output != outcome.output)
    }
}

/// Tests the files that scripts/make/options writes from the table of options.
@Suite(.ownThreads) struct ManualTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Binary.package.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(
        "The man page gifplay(1) and the shell completions are those of the program",
        arguments: [
            ("man", "docs/man/gifplay.1"), ("complete-bash", "share/bash-completion/completions/gifplay"),
            ("complete-zsh", "share/zsh/site-functions/_gifplay"),
            ("complete-fish", "share/fish/vendor_completions.d/gifplay.fish"),
        ])
    func isUpToDate(kind: String, path: String) throws {
        let result = try runGifplay(["--generate", kind])
        let file = try text(path)
        #expect(result.status == 0 && result.text == file, "run scripts/make/options")
    }

    @Test(
        "docs/REFERENCE.md contains the tables of the present options, and gifplay(5) the present settings of sources")
    func reference() throws {
        let tables = try runGifplay(["--generate", "reference"]).text
        #expect(tables.contains("| `-s`, `--size SIZE` |"), "\(tables.prefix(2_000))")
        let reference = try text("docs/REFERENCE.md")
        #expect(reference.contains(tables), "run scripts/make/options")
        let page = try text("docs/man/gifplay.5")
        for option in [
            "sources", "key", "endpoint", "contact", "report-use", "reddit", "reddit-feed-user", "cache-size",
        ] {
            #expect(page.contains("Fl -\(option)"), "\(option)")
        }
    }

    @Test("An unknown kind of text is refused")
    func unknownKind() throws {
        let result = try runGifplay(["--generate", "woman"])
        #expect(result.status == 2)
        #expect(result.errors.contains("expected man, complete-bash, complete-zsh, complete-fish or reference"))
    }
}
