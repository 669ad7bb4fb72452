import Foundation
import TestServer
import TestSupport
import Testing

/// Untrusted text in files and file names does not act on a terminal.
@Suite(.timeLimit(.minutes(15))) struct SecurityFileTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Creates a directory with an evil name. It contains a file for each evil text, alternately good and bad, and a
    /// good file for each name that is invalid UTF-8.
    private func files() throws -> String {
        let inner = folder.url.path + "/" + EvilText.marked[4].filter { $0 != "/" }
        mkdir(inner, 0o700)
        let good = try Data(contentsOf: URL(fileURLWithPath: Binary.sample("campfire")))
        for (number, text) in EvilText.marked.enumerated() {
            let name = String(text.unicodeScalars.filter { $0 != "/" }.prefix(40)) + ".gif"
            try write(number.isMultiple(of: 2) ? Array(good) : Array("rubbish".utf8), Array("\(inner)/\(name)".utf8))
        }
        for bytes in EvilText.bytes {
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

    @Test("File names and folder names, in sentences and in the status line")
    func names() throws {
        let inner = try files()
        let outcome = try runGifplay(["--size", "2x2", inner])
        #expect(Harm.faults(in: Array(outcome.errors.utf8)) == [])
        #expect(outcome.errors.contains(EvilText.mark) && outcome.status == 1)
        let terminal = try PseudoTerminal(["--duration", "10ms", "--every", "10ms", inner], columns: 100, rows: 12)
        #expect(try terminal.finish() == 1)
        #expect(Harm.faults(in: terminal.output, isScreen: true) == [])
        #expect(terminal.text.components(separatedBy: "Mallory 0").count > 1)
    }

    @Test("Comments, application extensions and plain text in a GIF, for info and for the player")
    func extensions() throws {
        let builder = GIFBuilder(width: 2, height: 2)
        for text in EvilText.marked {
            _ = builder.comment(text).plainText(text).applicationExtension(text, [Array(text.utf8)])
        }
        let bytes = builder.loop(1).control(delay: 2).image(width: 2, height: 2, [0, 1, 1, 0])
            .control(delay: 2).image(width: 2, height: 2, [1, 0, 0, 1]).trailer().bytes
        let path = try folder.write(bytes, to: "evil.gif")
        let json = try runGifplay(["info", "--json", path])
        #expect(json.status == 0 && Harm.faults(in: json.output) == [])
        #expect(!json.text.contains(EvilText.mark))
        for arguments in [["info", path], ["--loop", "1", "--speed", "max", path]] {
            let terminal = try PseudoTerminal(arguments)
            #expect(try terminal.finish() == 0)
            let output = terminal.output.filter { $0 != 0x0D }
            #expect(Harm.faults(in: output, isScreen: arguments[0] != "info") == [])
            #expect(!terminal.text.contains(EvilText.mark))
        }
    }

    @Test("info in a terminal tells of a file with an evil name in one line")
    func info() throws {
        let name = EvilText.marked[4] + EvilText.marked[18]
        let path = try folder.write(
            Array(try Data(contentsOf: URL(fileURLWithPath: Binary.sample("campfire")))), to: name)
        let terminal = try PseudoTerminal(["info", path])
        #expect(try terminal.finish() == 0)
        #expect(Harm.faults(in: terminal.output.filter { $0 != 0x0D }) == [])
        #expect(terminal.text.contains(EvilText.mark))
    }

    @Test("The library's import document, from there to every listing and the next export")
    func library() throws {
        let environment = ["XDG_DATA_HOME": folder.url.path + "/data"]
        func library(_ arguments: String..., input: [UInt8]? = nil) throws -> Outcome {
            let outcome = try run(Binary.browser, ["library"] + arguments, input: input, environment: environment)
            #expect(Harm.faults(in: outcome.output) == [], "\(arguments)")
            #expect(Harm.faults(in: Array(outcome.errors.utf8)) == [], "\(arguments)")
            return outcome
        }
        #expect(try library("import", "-", input: Self.document { _ in "1" }).status == 0)
        let list = try library("list")
        #expect(list.text.components(separatedBy: EvilText.mark).count >= EvilText.texts.count)
        #expect(try library("list", "--json").text.contains(EvilText.mark))
        let export = try library("export")
        #expect(export.text.contains(EvilText.mark))
        #expect(try library("import", "-", input: export.output).text.contains("new: 0 favourites"))
        // Invalid names are refused, and are not printed unescaped.
        for evil in EvilText.marked.prefix(26) {
            #expect(try library("import", "-", input: Self.document { _ in evil }).status == 1)
        }
        let unknown = "{\"version\": 1, \(Self.quoted(EvilText.joined)): 1}"
        #expect(try library("import", "-", input: Array(unknown.utf8)).status == 1)
        for bytes in EvilText.bytes + [Array("\"\\uD800\"".utf8)] {
            let document = Array("{\"version\": 1, \"x".utf8) + bytes + Array("\": 1}".utf8)
            #expect(try library("import", "-", input: document).status == 1)
        }
    }

    private static func quoted(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func document(identifier: (Int) -> String) -> [UInt8] {
        let favourites = EvilText.marked.enumerated().map { number, text in
            let evil = quoted(text)
            let id = quoted("\(number)" + identifier(number))
            return """
                {"since": "2024-05-06T07:08:09Z", "gif": {"provider": "commons", "id": \(id), "title": \(evil),
                 "author": \(evil), "licence": \(evil), "attribution": \(evil), "community": \(evil), "rating": \(evil),
                 "tags": [\(evil)], "cachePolicy": "persistent", "renditions": []}}
                """
        }
        return Array("{\"version\": 1, \"favourites\": [\(favourites.joined(separator: ",\n"))]}".utf8)
    }
}
