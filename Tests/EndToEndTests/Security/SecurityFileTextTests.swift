import Foundation
import Library
import TestServer
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SecurityFileTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Creates a directory with a hostile name and returns its path. The directory contains one file for each hostile
    /// text, alternately a valid and an invalid GIF. It also contains one valid GIF for each file name that is not
    /// valid UTF-8.
    private func files() throws -> String {
        let inner = folder.url.path + "/" + HostileText.marked[4].filter { $0 != "/" }
        mkdir(inner, 0o700)
        let good = try Data(Binary.bytes("campfire"))
        for (number, text) in HostileText.marked.enumerated() {
            let name = String(text.unicodeScalars.filter { $0 != "/" }.prefix(40)) + ".gif"
            try write(number.isMultiple(of: 2) ? Array(good) : Array("rubbish".utf8), Array("\(inner)/\(name)".utf8))
        }
        for bytes in HostileText.bytes {
            try write(Array(good), Array("\(inner)/Mallory".utf8) + bytes + Array(".gif".utf8))
        }
        return inner
    }

    private func write(_ content: [UInt8], _ path: [UInt8]) throws {
        let file = open((path + [0]).map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        #expect(Glibc.write(file, content, content.count) == content.count)
        close(file)
    }

    @Test("Hostile file and directory names are harmless in messages and on the status line")
    func names() throws {
        let inner = try files()
        let outcome = try runGifplay(["--size", "2x2", inner])
        #expect(OutputCheck.faults(in: Array(outcome.errors.utf8)) == [])
        #expect(outcome.errors.contains(HostileText.mark) && outcome.status == 1)
        let terminal = try PseudoTerminal(["--duration", "10ms", "--every", "10ms", inner], columns: 100, rows: 12)
        #expect(try terminal.finish() == 1)
        #expect(OutputCheck.faults(in: terminal.output, isScreen: true) == [])
        #expect(terminal.count(of: "Mallory 0") > 0)
    }

    @Test("Neither 'info' nor the player prints the comments, application extensions or plain text of a GIF")
    func extensions() throws {
        let builder = GIFBuilder(width: 2, height: 2)
        for text in HostileText.marked {
            _ = builder.comment(text).plainText(text).applicationExtension(text, [Array(text.utf8)])
        }
        let bytes = builder.loop(1).control(delay: 2).image(width: 2, height: 2, [0, 1, 1, 0])
            .control(delay: 2).image(width: 2, height: 2, [1, 0, 0, 1]).trailer().bytes
        let path = try folder.write(bytes, to: "hostile.gif")
        let json = try runGifplay(["info", "--json", path])
        #expect(json.status == 0 && OutputCheck.faults(in: json.output) == [])
        #expect(!json.text.contains(HostileText.mark))
        for arguments in [["info", path], ["--loop", "1", "--speed", "max", path]] {
            let terminal = try PseudoTerminal(arguments)
            #expect(try terminal.finish() == 0)
            let output = terminal.output.filter { $0 != 0x0D }
            #expect(OutputCheck.faults(in: output, isScreen: arguments[0] != "info") == [])
            #expect(!terminal.text.contains(HostileText.mark))
        }
    }

    @Test("A hostile file name is harmless in the output of 'info' on a terminal")
    func info() throws {
        let name = HostileText.marked[4] + HostileText.marked[18]
        let path = try folder.write(
            try Binary.bytes("campfire"), to: name)
        let terminal = try PseudoTerminal(["info", path])
        #expect(try terminal.finish() == 0)
        #expect(OutputCheck.faults(in: terminal.output.filter { $0 != 0x0D }) == [])
        #expect(terminal.text.contains(HostileText.mark))
    }

    @Test("Hostile text in the library is harmless in its lists")
    func library() throws {
        let environment = ["XDG_DATA_HOME": folder.path("data")]
        let gifs = HostileText.marked.indices.map { StoredLibrary.gif("\($0)") }
        let path = try StoredLibrary.fill(folder.path("data"), favourites: gifs)
        let columns = ["title", "author", "licence", "attribution", "community", "rating", "page", "tags"]
        let changes = columns.map { "\($0) = ?1" }.joined(separator: ", ")
        // Another program of the user might write these texts, because the library cleans what it stores.
        for (number, text) in HostileText.marked.enumerated() {
            try Connection(path: path).run("UPDATE work SET \(changes) WHERE name = ?2", [text, "\(number)"])
        }
        for arguments in [[], ["--favourites"], ["--json"], ["clear", "--all"]] {
            let outcome = try runGifplay(["library"] + arguments, environment: environment)
            #expect(OutputCheck.faults(in: outcome.output) == [], "\(arguments)")
            #expect(OutputCheck.faults(in: Array(outcome.errors.utf8)) == [], "\(arguments)")
            let marks = outcome.text.components(separatedBy: HostileText.mark).count
            #expect(arguments.first == "clear" || marks >= HostileText.texts.count, "\(arguments)")
        }
    }
}
