import Foundation
import Testing

/// Tests the output, the files and the exit status of `gifplay library`.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LibraryCommandTests {
    private let folder: TemporaryFolder
    private let document = """
        {"version": 1,
         "favourites": [{"since": "2024-05-06T07:08:09Z", "gif": {"provider": "commons", "id": "1",
           "title": "A \\u001b[2Jcat", "page": "https://example.org/1", "attribution": "Ann",
           "cachePolicy": "persistent", "renditions": [{"url": "https://example.org/1.gif"}]}}],
         "history": [{"viewed": "2024-05-07T07:08:09+02:00", "times": 3, "gif": {"provider": "giphy", "id": "2",
           "title": "Dog", "attribution": "GIPHY", "cachePolicy": "sessionOnly", "renditions": []}}]}
        """

    init() throws { folder = try TemporaryFolder() }

    private func library(_ arguments: String..., input: String = "") throws -> ProgramResult {
        try run(
            Binary.path, ["library"] + arguments, input: Array(input.utf8),
            environment: ["XDG_DATA_HOME": folder.url.path + "/data"])
    }

    private var exists: Bool { FileManager.default.fileExists(atPath: folder.url.path + "/data") }

    @Test("Without a library, 'list' and 'clear' report the missing file, exit with status 0 and create no file")
    func withoutLibrary() throws {
        for command in [[], ["list", "--json"], ["clear"], ["clear", "--all", "--yes"]] {
            let outcome = try run(
                Binary.path, ["library"] + command, environment: ["XDG_DATA_HOME": folder.url.path + "/data"])
            #expect(outcome.status == 0 && outcome.output.isEmpty && !exists, "\(outcome)")
            #expect(outcome.errors.contains(folder.url.path + "/data/gifplay/library.sqlite"))
        }
    }

    @Test("Without a library, 'export' writes an empty document, which can be imported")
    func emptyExport() throws {
        let export = try library("export")
        #expect(export.status == 0 && !exists, "\(export)")
        let lists = try JSONSerialization.jsonObject(with: Data(export.output)) as? [String: Any]
        #expect(lists?["version"] as? Int == 1 && (lists?["favourites"] as? [Any])?.isEmpty == true)
        #expect(try library("import", "-", input: export.text).text == "new: 0 favourites, 0 viewed, 0 dismissed\n")
        let file = folder.url.path + "/out.json"
        #expect(try library("export", file).status == 0)
        #expect(try export.output == Array(Data(contentsOf: URL(fileURLWithPath: file))))
    }

    @Test(
        "On a terminal, 'clear --all' asks for confirmation and deletes only if the answer is yes",
        arguments: ["\n", "n\n", "y\n", "Yes\n"])
    func confirms(answer: String) throws {
        #expect(try library("import", "-", input: document).status == 0)
        let terminal = try PseudoTerminal(
            ["library", "clear", "--all"], environment: ["XDG_DATA_HOME": folder.url.path + "/data"],
            path: Binary.path)
        try terminal.read(until: "[y/N]")
        terminal.send(answer)
        let clears = answer.lowercased().hasPrefix("y")
        #expect(try terminal.finish() == (clears ? 0 : 1))
        #expect(terminal.text.contains(clears ? "deleted: " : "nothing is deleted"))
        #expect(try library().output.isEmpty == clears)
    }

    @Test(
        "Ctrl-C in each form that terminals send, and Ctrl-D, end the question; a corrected answer counts",
        arguments: [
            ("\u{3}", 130), ("\u{1B}[99;5u", 130), ("y\u{1B}[27;5;99~", 130), ("\u{4}", 1), ("\u{1B}[100;5u", 1),
            ("n\u{7F}y\r", 0), ("y\u{7F}\r", 1),
        ] as [(String, Int32)])
    func keysOfQuestion(keys: String, status: Int32) throws {
        #expect(try library("import", "-", input: document).status == 0)
        let terminal = try PseudoTerminal(
            ["-c", "'\(Binary.path)' library clear --all; echo status=$?; stty -a"],
            environment: ["XDG_DATA_HOME": folder.url.path + "/data"], path: "/bin/sh")
        try terminal.read(until: "[y/N]")
        terminal.send(keys)
        #expect(try terminal.finish() == 0 || status == 130)
        let isKilled = status == 130 && !terminal.text.contains("status=")
        #expect(isKilled || terminal.text.contains("status=\(status)"), "\(terminal.text)")
        if !isKilled { #expect(terminal.text.contains(" icanon") && terminal.text.contains(" echo ")) }
        #expect(try library().output.isEmpty == (status == 0))
    }

    @Test("Without a terminal, 'clear --all' requires '--yes'")
    func needsYes() throws {
        #expect(try library("import", "-", input: document).status == 0)
        let refused = try library("clear", "--all", input: "y\n")
        #expect(refused.status == 2 && refused.errors.contains("add --yes"), "\(refused)")
        #expect(try library().text.contains("A cat"))
        #expect(try library("clear", "--all", "--yes").status == 0)
        #expect(try library().output.isEmpty)
    }

    @Test("Imported items can be listed, exported and cleared; the list contains no control characters")
    func importAndExport() throws {
        #expect(try library("import", "-", input: document).text == "new: 1 favourite, 1 viewed, 0 dismissed\n")
        #expect(try library("import", "-", input: document).text == "new: 0 favourites, 0 viewed, 0 dismissed\n")
        let list = try library()
        #expect(
            list.text == """
                -v-  2024-05-07  giphy    Dog  \n\
                f--  2024-05-06  commons  A cat  https://example.org/1

                """)
        let line = try library("list", "--history", "--json").text
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["viewed"] as? String == "2024-05-07T05:08:09Z" && object?["times"] as? Int == 3)
        let file = folder.url.path + "/out.json"
        #expect(try library("export", file).status == 0)
        #expect(try library("export").output == Array(Data(contentsOf: URL(fileURLWithPath: file))))
        #expect(try library("clear").status == 0)
        #expect(try library("--history").output.isEmpty)
        #expect(try library("--favourites").text.contains("A cat"))
        #expect(try library("clear", "--all", "--yes").status == 0)
        #expect(try library().output.isEmpty)
        #expect(try library("import", file).text == "new: 1 favourite, 1 viewed, 0 dismissed\n")
    }

    @Test("An export to a file of the library is refused, and the library stays", arguments: ["", "-wal", "link"])
    func exportOverLibrary(name: String) throws {
        #expect(try library("import", "-", input: document).status == 0)
        let path = folder.url.path + "/data/gifplay/library.sqlite"
        // The import may leave its log; to replace it would lose what was imported.
        if name == "-wal", !FileManager.default.fileExists(atPath: path + name) {
            _ = try folder.write([], to: "data/gifplay/library.sqlite-wal")
        }
        let output = name == "link" ? folder.url.path + "/link" : path + name
        if name == "link" { try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: path) }
        let outcome = try library("export", output)
        let message = "gifplay: \(output): is the library itself; export to another file\n"
        #expect(outcome.status == 2 && outcome.errors == message, "\(outcome)")
        #expect(try library("--favourites").text.contains("A cat"))
    }

    @Test("If the path is a symlink to standard output, 'export' appends to the output and does not replace the link")
    func exportInPlace() throws {
        #expect(try library("import", "-", input: document).status == 0)
        let document = try library("export").output
        let (target, link) = (folder.url.path + "/target", folder.url.path + "/link")
        for name in [target, "/proc/self/fd/1"] {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: name)
            _ = try folder.write(Array("before\n".utf8), to: "target")
            let outcome = try run(
                "/bin/sh", ["-c", "exec \"$0\" library export \"$1\" >> \"$2\"", Binary.path, link, target],
                environment: ["XDG_DATA_HOME": folder.url.path + "/data"])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == name)
            let written = Array(try Data(contentsOf: URL(fileURLWithPath: target)))
            #expect(written == Array("before\n".utf8) + document)
        }
    }

    @Test("'import' rejects an invalid document with status 1, and names the invalid field")
    func refused() throws {
        let line = try library("import", "-", input: "{\"version\": 1,\n\"history\": [}")
        #expect(line.status == 1 && line.errors.contains("standard input: not valid JSON; nothing is imported"))
        let field = try library(
            "import", "-", input: document.replacingOccurrences(of: "\"times\": 3", with: "\"times\": \"3\""))
        #expect(field.status == 1 && field.errors.contains("history[0].times: should be a whole number"))
        #expect(try library().output.isEmpty)
    }

    @Test("The path of a damaged library is reported with a hint, and the file stays unchanged")
    func damaged() throws {
        try FileManager.default.createDirectory(
            atPath: folder.url.path + "/data/gifplay", withIntermediateDirectories: true)
        let path = try folder.write(Array("rubbish\n".utf8), to: "data/gifplay/library.sqlite")
        let outcome = try library()
        #expect(outcome.status == 1 && outcome.errors.contains(path) && outcome.errors.contains("move it away"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "rubbish\n")
    }
}
