import Base
import Catalog
import TestSupport
import Testing

@testable import Application

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
            do throws(Failure) { _ = try Invocation(arguments) } catch { return error.message }
            return nil
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
        var message: String?
        do throws(Failure) { try Subcommands.refuseMisplaced(in: commandLine) } catch { message = error.message }
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

    @Test("Every subcommand has a name")
    func names() {
        #expect(Set(Command.names).isSuperset(of: ["play", "info", "record", "browse", "version", "help"]))
        #expect(!Command.names.contains(""))
    }
}
