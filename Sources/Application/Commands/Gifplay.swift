import Base
import Catalog
import Library

/// The program: runs the command that the arguments name, without a name `play`.
public enum Gifplay {
    /// - Parameter arguments: without the name of the program.
    public static func start(_ arguments: [String]) -> ExitStatus {
        if arguments.first == "--complete" {
            Completion.lines(Array(arguments.dropFirst())).forEach(printExactLine)
            return .success
        }
        let arguments = ShellText.command(arguments)
        return reportingErrors { () throws(Failure) in
            let invocation: Invocation
            do throws(Failure) {
                invocation = try Invocation(arguments)
                if let request = invocation.request { return try answer(request, to: invocation, arguments) }
                try Subcommands.refuseRemoved(invocation)
                try invocation.checkOperands()
            } catch {
                try Subcommands.refuseMisplaced(in: arguments)
                throw error
            }
            try run(invocation)
        }
    }

    private static func run(_ invocation: Invocation) throws(Failure) {
        switch invocation.command {
        case .play: try PlayCommand(invocation).run()
        case .info: try InfoCommand(invocation).run()
        case .samples: SamplesCommand.run()
        case .sources: try SourcesCommand(invocation).run()
        case .cache: try CacheCommand.run(invocation)
        case .browse: try BrowseCommand(invocation).run()
        case .list: try LibraryList.run(invocation)
        case .clear: try LibraryClear.run(invocation)
        case .record: try RecordCommand(invocation).run()
        case .doctor: try DoctorCommand(invocation).run()
        case .config: try ConfigCommand.run(invocation)
        case .version: printExactLine(Product.versions)
        case .help: Help.print(nil)
        }
    }

    private static func answer(
        _ request: Invocation.Request, to invocation: Invocation, _ arguments: [String]
    ) throws(Failure) {
        switch request {
        case .version: printExactLine(Product.versions)
        case .help, .shortHelp:
            let isNamed = arguments.first.map(Command.names.contains) ?? false
            if invocation.command == .play, request == .shortHelp {
                printExactLine(Help.shortText)
            } else {
                Help.print(isNamed ? invocation.command : nil)
            }
        case .topic(let words):
            var rest = words[...]
            guard let command = Command(removedFrom: &rest), rest.isEmpty else {
                let name = SafeText.excerpt(words.joined(separator: " "))
                throw .usage("\(name): no such command; 'gifplay help' lists the commands")
            }
            Help.print(command)
        }
    }
}

/// Detects search terms that are probably misspelt or misplaced subcommands.
enum Subcommands {
    static func near(_ word: String) -> String? { EditDistance.nearest(to: word, in: Command.names) }

    /// Refuses a query of one word that looks like a subcommand, and a query that begins with `list` or `search`, which
    /// are subcommands of similar programs.
    static func refuseMisspelt(_ arguments: [String], commandLine: [String] = FileSystem.arguments) throws(Failure) {
        guard let word = arguments.first else { return }
        try PlaylistResolver.checkQuery(arguments)
        let query = arguments.count > 1 ? "'\(arguments.joined(separator: " "))'" : word
        let otherwise = "To search for it: \(ShellText.searchCommand(query))"
        if ["list", "search"].contains(word) {
            let rest = arguments.count > 1 ? arguments.dropFirst() : word == "search" ? ["QUERY"] : []
            let suggestion = (["gifplay --\(word)"] + rest).joined(separator: " ")
            throw .usage("\(word): no such command; did you mean '\(suggestion)'? \(otherwise)")
        }
        if arguments.count == 1, let feed = PlayedFeed(rawValue: word == "favorites" ? "favourites" : word) {
            throw .usage("\(word): no such command; did you mean 'gifplay --feed \(feed.rawValue)'? \(otherwise)")
        }
        let words = arguments.joined(separator: " ").split(separator: " ").map(String.init)
        guard words.count <= 1 else {
            guard let name = nearest(to: words[0]) else { return }
            let rest = words.dropFirst().joined(separator: " ")
            let suggestion = name == "search" ? "--search '\(rest)'" : "\(name) \(rest)"
            throw .usage(
                "\(words[0]): no such command; did you mean 'gifplay \(suggestion)'? "
                    + "To search for it: \(ShellText.searchCommand("'\(words.joined(separator: " "))'"))")
        }
        guard !Command.names.contains(word) else { return try refuseMisplaced(in: commandLine) }
        // A word such as `cake` or `pay` resembles a short command by chance, and a GIF may show it.
        guard let name = near(word), name.count > 5, word != name + "s", SampleSearch().search(word).isEmpty else {
            return
        }
        throw .usage("\(word): no such command; did you mean 'gifplay \(name)'? \(otherwise)")
    }

    /// The command whose name has one mistake in this word, which other words follow. A shorter or longer word, such as
    /// `recorder`, and a short name are not mistakes.
    private static func nearest(to word: String) -> String? {
        (Command.names + ["search"]).first { name in
            name.count > 5 && !word.hasPrefix(name) && !name.hasPrefix(word) && EditDistance.between(word, name) == 1
        }
    }

    /// Names the replacement of `library export` and `library import`, which earlier versions had.
    static func refuseRemoved(_ invocation: Invocation) throws(Failure) {
        let replacements = [
            "export": (".backup", "to copy the library"), "import": (".restore", "to replace the library by a copy"),
        ]
        guard invocation.command == .list, let word = invocation.operands.first,
            let (action, purpose) = replacements[word]
        else { return }
        let path = ShellText.quoted(SafeText.line(try LibraryAccess.path()))
        throw .usage("library \(word): no such command; \(purpose): sqlite3 \(path) '\(action) copy.sqlite'")
    }

    /// Refuses a subcommand that follows options, such as `--offline browse`.
    static func refuseMisplaced(in commandLine: [String]) throws(Failure) {
        guard let index = commandLine.firstIndex(where: Command.names.contains), index > 0,
            let before = try? Invocation(Array(commandLine[..<index])), before.operands.isEmpty
        else { return }
        let command = commandLine[index]
        let suggestion = [command] + commandLine[..<index] + commandLine[(index + 1)...]
        throw .usage(
            "\(command): a command precedes its options; did you mean 'gifplay \(suggestion.joined(separator: " "))'?")
    }
}
