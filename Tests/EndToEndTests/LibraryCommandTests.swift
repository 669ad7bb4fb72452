import Foundation
import Library
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LibraryCommandTests {
    private let folder: TemporaryFolder
    private var data: String { folder.path("data") }

    init() throws { folder = try TemporaryFolder() }

    private func library(_ arguments: String..., input: String = "") throws -> ProgramResult {
        try runGifplay(["library"] + arguments, input: Array(input.utf8), environment: ["XDG_DATA_HOME": data])
    }

    private var exists: Bool { FileManager.default.fileExists(atPath: data) }

    private func fill() throws {
        var dog = StoredLibrary.gif("2", title: "Dog")
        dog.provider = "giphy"
        dog.cachePolicy = .sessionOnly
        let cat = StoredLibrary.gif("1", title: "A \u{1B}[2Jcat", page: "https://example.org/1")
        try StoredLibrary.fill(data, favourites: [cat], viewed: [dog, dog, dog])
    }

    @Test("Without a library, 'list' and 'clear' report the missing file, exit with status 0 and create no file")
    func withoutLibrary() throws {
        for command in [[], ["list", "--json"], ["clear"], ["clear", "--all", "--yes"]] {
            let outcome = try runGifplay(["library"] + command, environment: ["XDG_DATA_HOME": data])
            #expect(outcome.status == 0 && outcome.output.isEmpty && !exists, "\(outcome)")
            #expect(outcome.errors.contains(folder.path("data/gifplay/library.sqlite")))
        }
    }

    @Test(
        "On a terminal, 'clear --all' asks for confirmation and deletes only if the answer is yes",
        arguments: ["\n", "n\n", "y\n", "Yes\n"])
    func confirms(answer: String) throws {
        try fill()
        let terminal = try PseudoTerminal(
            ["library", "clear", "--all"], environment: ["XDG_DATA_HOME": data], until: "[y/N]")
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
        try fill()
        let terminal = try PseudoTerminal(
            ["-c", "'\(Binary.path)' library clear --all; echo status=$?; stty -a"],
            environment: ["XDG_DATA_HOME": data], path: "/bin/sh", until: "[y/N]")
        terminal.send(keys)
        #expect(try terminal.finish() == 0 || status == 130)
        let isKilled = status == 130 && !terminal.text.contains("status=")
        #expect(isKilled || terminal.text.contains("status=\(status)"), "\(terminal.text)")
        if !isKilled { #expect(terminal.text.contains(" icanon") && terminal.text.contains(" echo ")) }
        #expect(try library().output.isEmpty == (status == 0))
    }

    @Test("Without a terminal, 'clear --all' requires '--yes'")
    func needsYes() throws {
        try fill()
        let refused = try library("clear", "--all", input: "y\n")
        #expect(refused.status == 2 && refused.errors.contains("add --yes"), "\(refused)")
        #expect(try library().text.contains("A cat"))
        #expect(try library("clear", "--all", "--yes").status == 0)
        #expect(try library().output.isEmpty)
    }

    @Test("Stored GIFs can be listed and cleared; the list contains no control characters")
    func listAndClear() throws {
        try fill()
        let list = try library()
        #expect(
            list.text == """
                -v-  2024-05-07  giphy    Dog  \n\
                f--  2024-05-06  commons  A cat  https://example.org/1

                """)
        let line = try library("list", "--history", "--json").text
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["viewed"] as? String == "2024-05-07T07:08:09Z" && object?["times"] as? Int == 3)
        #expect(try library("clear").status == 0)
        #expect(try library("--history").output.isEmpty)
        #expect(try library("--favourites").text.contains("A cat"))
        #expect(try library("clear", "--all", "--yes").status == 0)
        #expect(try library().output.isEmpty)
    }

    /// Runs the command that the message for a removed command names.
    private func runNamed(by outcome: ProgramResult) throws {
        #expect(outcome.status == 2 && outcome.errors.contains(": no such command; to "), "\(outcome)")
        let command = try #require(outcome.errors.firstRange(of: "sqlite3 ").map { outcome.errors[$0.lowerBound...] })
        let result = try run("/bin/sh", ["-c", "cd '\(folder.url.path)' && \(command)"])
        #expect(result.status == 0, "\(result)")
    }

    @Test(
        "'library export' and 'import' name the commands that copy the library while it is in use, and put the copy back",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/sqlite3"), "needs sqlite3"))
    func copy() throws {
        try fill()
        // The open connection keeps the last writes in the log beside the file.
        let connection = try Connection(path: data + "/gifplay/library.sqlite")
        let before = try library("--json").text
        try runNamed(by: library("export", "a.json"))
        #expect(try library("clear", "--all", "--yes").status == 0)
        #expect(try library("--json").output.isEmpty)
        try runNamed(by: library("import", "a.json"))
        #expect(try library("--json").text == before && before.contains("Dog"))
        withExtendedLifetime(connection) {}
    }

    @Test("The path of a damaged library is reported with a hint, and the file stays unchanged")
    func damaged() throws {
        let path = try folder.write("rubbish\n", to: "data/gifplay/library.sqlite")
        let outcome = try library()
        #expect(outcome.status == 1 && outcome.errors.contains(path) && outcome.errors.contains("move it away"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "rubbish\n")
    }
}
