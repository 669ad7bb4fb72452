import Base
import Catalog
import TestSupport
import Testing

@testable import Application

@Suite struct InvocationTests {
    private func message(_ arguments: [String]) -> String? {
        let error = thrown(Failure.self) {
            let invocation = try Invocation(arguments)
            try invocation.checkOperands()
            return try Settings(given: invocation)
        }
        return error.map { $0.status == .usage ? $0.message : "status \($0.status)" }
    }

    /// The settings as lines of the configuration file, then the operands.
    private func parsed(_ arguments: String...) throws -> [String] {
        let invocation = try Invocation(arguments)
        return [invocation.command.name] + invocation.settings.map(\.line) + invocation.operands
    }

    @Test("An option, its value and the operands are read in all forms of GNU programs")
    func forms() throws {
        let size = ["play", "--size 8x4", "a.gif"]
        #expect(try parsed("--size=8x4", "a.gif") == size && parsed("--size", "8x4", "a.gif") == size)
        #expect(try parsed("-s8x4", "a.gif") == size && parsed("-s", "8x4", "a.gif") == size)
        #expect(try parsed("a.gif", "-s=8x4") == size && parsed("play", "a.gif", "--size", "8x4") == size)
        #expect(try parsed("-Us8x4", "a.gif") == ["play", "--upscale", "--size 8x4", "a.gif"])
        #expect(try parsed("--no-upscale", "--", "--list", "-x.gif") == ["play", "--no-upscale", "--list", "-x.gif"])
        #expect(try parsed("-", "--files0", "-", "a") == ["play", "--files0 -", "-", "a"])
        #expect(try parsed("--file", "--size", "--file=-x") == ["play", "--file --size", "--file -x"])
        #expect(
            try parsed("--search=a=b", "--endpoint", "giphy=http://a=b") == [
                "play", "--search a=b", "--endpoint giphy=http://a=b",
            ])
    }

    @Test("The first words select the command; 'library' alone is 'library list', and 'play' may be omitted")
    func commands() throws {
        #expect(try parsed("library", "clear", "a.json") == ["library clear", "a.json"])
        #expect(try parsed("library", "--json") == ["library list", "--json"])
        #expect(try parsed("cat", "browse") == ["play", "cat", "browse"])
        #expect(try parsed("browse", "-r", "a") == ["browse", "--recursive", "a"])
        #expect(Set(Command.names).isSuperset(of: ["play", "info", "record", "browse", "version", "help"]))
        #expect(Command.names.count == 12 && Command.names.contains("library"))
        #expect(!Command.names.contains("") && !Command.names.contains("list"))
    }

    @Test(
        "A wrong command line is refused with the subject, the problem and a hint",
        arguments: [
            (["--sise", "8x4"], "--sise: unknown option; did you mean --size?"),
            (["--pixel"], "--pixel: unknown option; did you mean --pixelated?"),
            (["--no-up"], "--no-up: unknown option; did you mean --no-upscale?"),
            (["--nonsense"], "--nonsense: unknown option; 'gifplay play --help' lists the options"),
            (["browse", "-x"], "-x: unknown option; 'gifplay browse --help' lists the options"),
            (["-Ux"], "-x: unknown option; 'gifplay play --help' lists the options"),
            (["-wal"], "-wal: unknown option; 'gifplay play --help' lists the options"),
            (["--width", "80"], "--width: unknown option; did you mean --size 80xROWS?"),
            (["--height", "a"], "--height: unknown option; did you mean --size COLSxROWS?"),
            (["--size"], "--size: needs a value; 'gifplay play --help' lists the options"),
            (["--size", "--bare"], "--size: needs a value; 'gifplay play --help' lists the options"),
            (["--pick", "-1"], "--pick -1: expected a whole number from 1 to 10000"),
            (["-s", "8"], "-s 8: expected columns and rows from 1 to 10000, such as 80x24"),
            (["--search", "--bare"], "--search: needs a value; if this is '--bare', write --search='--bare'"),
            (["record", "-o", "--x"], "-o: needs a value; if this is '--x', write -o='--x'"),
            (["--file"], "--file: needs a value; 'gifplay play --help' lists the options"),
            (["--recursive"], "--recursive: unknown option; it is an option of 'browse'"),
            (["-r"], "-r: unknown option; it is an option of 'browse'"),
            (["info", "--no-report-use"], "--no-report-use: unknown option; it is an option of 'play' or 'browse'"),
            (["library", "-d", "1s"], "-d: unknown option; it is an option of 'play' or 'record'"),
            (
                ["browse", "--virtual-time"],
                "--virtual-time: unknown option; 'gifplay browse --help' lists the options"
            ),
            (["help", "--list"], "--list: unknown option; it is an option of 'play'"),
            (["--bare=1"], "--bare: takes no value; write only --bare"),
            (["-U=1"], "-U: takes no value; write only -U"),
            (["info"], "<file> ...: missing; 'gifplay info --help' lists the options"),
            (["samples", "a"], "a: unexpected argument; 'gifplay samples --help' describes the command"),
            (
                ["library", "clear", "a", "b"],
                "a: unexpected argument; 'gifplay library clear --help' describes the command"
            ),
            (["samples", ""], "'': unexpected argument; 'gifplay samples --help' describes the command"),
            ([""], "'': is empty; name a file, a URL or a query"),
            (["info", "a.gif", ""], "'': is empty; name a file, a URL or a query"),
            (["--search= "], "--search ' ': expected a query of 1 to 1000 characters"),
            (["--sources", "commons,,samples"], "--sources commons,,samples: expected values separated by commas"),
            (["--endpoint", "giphy="], "--endpoint giphy=: expected a URL such as https://commons.example"),
            (["--contact", "é"], "--contact é: expected an email address or a URL in ASCII, such as you@example.org"),
            (["--search="], "--search '': expected a query of 1 to 1000 characters"),
            (["--every="], "--every '': expected a time from 1ms to 100000h, such as 30s, 1.5m or 250ms"),
            (["library", "--favourites", "--history"], "--history: cannot be combined with --favourites"),
            (["sources", "--source", "gipy"], "--source gipy: unknown source; did you mean giphy?"),
        ])
    func mistakes(arguments: [String], expected: String) {
        #expect(message(arguments) == expected)
    }

    @Test("A message quotes at most 200 characters of what was typed")
    func longTexts() {
        let text = String(repeating: "a", count: 100_000)
        for arguments in [
            ["--search", text], ["--every", text], ["samples", text], ["--" + text], ["- " + text],
            ["--search", "--" + text],
        ] {
            #expect(message(arguments).map { $0.count < 600 } == true, "\(arguments[0].prefix(9))")
        }
        let query = thrown(Failure.self) { try PlaylistResolver.checkQuery([text, text]) }
        #expect(query?.message.hasSuffix("…: expected a query of 1 to 1000 characters") == true)
        #expect(ErrorMessages.nothingFound(text).message.count < 400)
    }

    @Test("A request for help or for the version is answered in spite of a mistake")
    func requests() throws {
        #expect(try Invocation(["--nonsense", "--help"]).request == .help)
        #expect(try Invocation(["-h"]).request == .shortHelp && Invocation(["-Uh"]).request == .shortHelp)
        #expect(try Invocation(["--size", "--version"]).request == .version)
        #expect(try Invocation(["info", "-V"]).request == .version)
        #expect(try Invocation(["--file", "--help"]).request == nil)
        #expect(try Invocation(["help", "library", "clear"]).request == .topic(["library", "clear"]))
        #expect(
            try Invocation(["help", "--help"]).request == .help && Invocation(["help", "-h"]).request == .shortHelp)
        #expect(try Invocation(["help", "-V"]).request == .version && Invocation(["help"]).request == nil)
        #expect(try Invocation(["help", "info", "--help"]).request == .topic(["info"]))
        #expect(try Invocation(["help", "info", "--version"]).request == .version)
    }
}

@Suite struct SubcommandsTests {
    @Test(
        "A word that is similar to a command is recognised as a misspelt command",
        arguments: [
            ("sampels", "samples"), ("brwose", "browse"), ("Librarry", "library"), ("recrod", "record"),
            ("inof", "info"), ("docter", "doctor"), ("hlep", "help"), ("source", "sources"),
        ])
    func misspelt(word: String, command: String) {
        #expect(Subcommands.near(word) == command)
    }

    @Test("A word that is not similar to a command is a query", arguments: ["clap", "hello", "cat", "dancing", ""])
    func query(word: String) {
        #expect(Subcommands.near(word) == nil)
    }

    @Test(
        "A misspelt command that words follow is refused",
        arguments: [
            ("serach", "--search 'dancing cat'"), ("seach", "--search 'dancing cat'"), ("brwose", "browse dancing cat"),
            ("recrod", "record dancing cat"),
        ])
    func misspeltBeforeWords(word: String, suggestion: String) {
        for arguments in [[word, "dancing", "cat"], ["\(word) dancing cat"]] {
            let error = thrown(Failure.self) { try Subcommands.refuseMisspelt(arguments) }
            #expect(error?.status == .usage)
            #expect(
                error?.message == "\(word): no such command; did you mean 'gifplay \(suggestion)'? "
                    + "To search for it: gifplay --search '\(word) dancing cat'")
        }
    }

    @Test("The name of a feed is no query", arguments: ["favourites", "favorites", "history", "trending", "random"])
    func feeds(word: String) {
        let error = thrown(Failure.self) { try Subcommands.refuseMisspelt([word]) }
        let feed = word == "favorites" ? "favourites" : word
        #expect(error?.message.contains("did you mean 'gifplay --feed \(feed)'?") == true)
        #expect(throws: Never.self) { try Subcommands.refuseMisspelt([word, "cat"]) }
    }

    @Test(
        "Words that only resemble commands begin a query",
        arguments: ["searching", "source", "recorder", "doctors", "lost", "last", "sample", "cat", "browser", "info"])
    func otherWords(word: String) {
        #expect(throws: Never.self) { try Subcommands.refuseMisspelt([word, "cat"]) }
    }

    @Test("Words that begin with a hyphen are no options")
    func hyphens() {
        func message(_ arguments: String...) -> String? {
            thrown(Failure.self) { try Invocation(arguments) }?.message
        }
        #expect(message("- hat") == "- hat: unknown option; to search for it: gifplay --search='- hat'")
        for word in ["- ship it", "-hat cat", "-a cat", "--big cat", "-1", "-_-", "-.-", "->", "-U cat"] {
            let expected = "\(word): unknown option; to search for it: gifplay --search='\(word)'"
            #expect(message(word) == expected)
            #expect(message("--offline", word) == expected && message("browse", word) == expected)
        }
        for arguments in [
            ["-"], ["-", "hat"], ["--search", "- hat"], ["--search", "-_-"], ["--search=- hat"], ["--", "- hat"],
            ["-h"],
        ] {
            #expect(throws: Never.self) { try Invocation(arguments) }
        }
    }

    @Test("A query of one word can be a misspelt command")
    func refusal() throws {
        let error = thrown(Failure.self) { try Subcommands.refuseMisspelt(["sampels"]) }
        #expect(error?.status == .usage)
        #expect(
            error?.message == "sampels: no such command; did you mean 'gifplay samples'? "
                + "To search for it: gifplay --search sampels")
        for arguments in [[], ["search party"], ["list of cats"], ["cat"]] {
            #expect(throws: Never.self) { try Subcommands.refuseMisspelt(arguments) }
        }
    }

    @Test(
        "A command after options is refused, and the suggestion begins with the command",
        arguments: [
            (["--offline", "browse"], "gifplay browse --offline"),
            (["--rating", "g", "info", "a.gif"], "gifplay info --rating g a.gif"), (["--search", "info"], nil),
            (["cat", "browse"], nil), (["record", "browse", "-o", "a.svg"], nil), (["--nonsense", "browse"], nil),
        ] as [([String], String?)])
    func misplaced(commandLine: [String], suggestion: String?) {
        let message = thrown(Failure.self) { try Subcommands.refuseMisplaced(in: commandLine) }?.message
        #expect(message.map { $0.contains("did you mean '\(suggestion ?? "")'?") } == suggestion.map { _ in true })
    }

    @Test("A query that begins with 'list' or 'search' is refused", arguments: ["list", "search"])
    func otherPrograms(word: String) {
        let error = thrown(Failure.self) { try Subcommands.refuseMisspelt([word, "cats"]) }
        #expect(
            error?.message == "\(word): no such command; did you mean 'gifplay --\(word) cats'? "
                + "To search for it: gifplay --search '\(word) cats'")
        #expect(throws: Never.self) { try Subcommands.refuseMisspelt(["cats", word]) }
    }

    @Test("The suggested command has a sign between its name and a query that begins with a hyphen")
    func searchCommand() throws {
        #expect(
            ShellText.searchCommand("cat") == "gifplay --search cat"
                && ShellText.searchCommand("'a -b'") == "gifplay --search 'a -b'")
        #expect(ShellText.searchCommand("--bare") == "gifplay --search=--bare")
        #expect(ShellText.searchCommand("'--bare'") == "gifplay --search='--bare'")
        let error = thrown(Failure.self) { try PlaylistResolver.nameFiles(["--bare", "a.gif"].map(Argument.init), []) }
        #expect(
            error?.message == "--bare, a.gif: no such files; to search for them: gifplay --search='--bare a'",
            "\(error as Any)")
    }
}
