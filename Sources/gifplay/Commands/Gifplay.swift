import Application
import ArgumentParser
import Catalog

/// The root command; `play` is the default subcommand.
struct Gifplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gifplay", abstract: "Play animated GIFs in the terminal",
        usage: """
            gifplay [<options>] [<argument> ...]
            gifplay info <file> ... [--json]
            gifplay samples
            gifplay sources
            gifplay cache [--clear]
            gifplay browse [<argument> ...]
            gifplay library
            gifplay record [<argument>] -o <path>
            gifplay doctor [--json]
            """,
        discussion: """
            gifplay "dancing cat"    search for a GIF and play it
            gifplay cat.gif          play a file, all GIFs in a folder, or '-', standard input
            gifplay https://…/a.gif  play a URL while it downloads
            gifplay                  play random GIFs, a new one every 10 seconds

            'gifplay help play' lists the options. Keys while a GIF plays: q or Esc quits,
            space pauses, . and , step, arrows seek, + and - change the speed, n and p
            show the next and the previous GIF, r shows a random one, m draws it in another
            way, s saves it, f marks it as a favourite, y copies the link of its page, o
            opens the page, d dismisses it, / searches in the gallery, ? lists the keys.

            Exit status: 0 played or quit, 1 could not play, 2 usage, 128+N signal N.
            """,
        version: Product.version,
        subcommands: [
            PlayCommand.self, InfoCommand.self, SamplesCommand.self, SourcesCommand.self, CacheCommand.self,
            BrowseCommand.self, LibraryCommand.self, RecordCommand.self, DoctorCommand.self, VersionCommand.self,
        ],
        defaultSubcommand: PlayCommand.self)

    /// Parses the named command without the command tree, because ArgumentParser inspects all options of every command
    /// in the tree by reflection. With the tree, a start takes 33 million instructions to the first frame; without it,
    /// 22 million.
    static func start(_ arguments: [String]) -> ExitStatus {
        let arguments = ShellText.command(arguments)
        // ArgumentParser can print only a constant version, but libcurl's version is known only after it is loaded.
        let requestsVersion = arguments.prefix { $0 != "--" }.contains { ["--version", "-V"].contains($0) }
        if requestsVersion, arguments.count == 1 { return reportingErrors { VersionCommand().run() } }
        if arguments.first == "help", let topic = arguments.dropFirst().first, !Subcommands.names.contains(topic) {
            return reportingErrors {
                throw CommandError.usage("\(topic): no such command; 'gifplay help' lists the commands")
            }
        }
        if let error = Subcommands.refusalOfWords(beginningWithHyphens: arguments) {
            return reportingErrors { throw error }
        }
        guard var command = parsedAlone(arguments) else {
            if requestsVersion { return reportingErrors { VersionCommand().run() } }
            // Only the whole command tree handles requests for help, and errors.
            return runReportingErrors { try Subcommands.refuseMisplaced(in: arguments) }
        }
        return reportingErrors { try command.run() }
    }

    /// Returns nil for errors, and for requests for help, which ArgumentParser parses as a command of its own.
    private static func parsedAlone(_ arguments: [String]) -> (any ParsableCommand)? {
        let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        let parser = named ?? PlayCommand.self
        guard arguments.first != "help",
            let command = try? parser.parseAsRoot(named == nil ? arguments : Array(arguments.dropFirst()))
        else { return nil }
        let known = [parser] + parser.configuration.subcommands
        return known.contains { $0 == type(of: command) } ? command : nil
    }
}

/// Detects search terms that are probably misspelt or misplaced subcommands.
enum Subcommands {
    static let names = Gifplay.configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]

    static func near(_ word: String) -> String? { EditDistance.nearest(to: word, in: names) }

    /// Refuses a query of one word that looks like a subcommand, and a query that begins with `list` or `search`, which
    /// are subcommands of similar programs.
    static func refuseMisspelt(
        _ arguments: [String], commandLine: [String] = Array(CommandLine.arguments.dropFirst())
    ) throws(CommandError) {
        guard let word = arguments.first else { return }
        let query = arguments.count > 1 ? "'\(arguments.joined(separator: " "))'" : word
        let otherwise = "To search for it: gifplay --search \(query)"
        if ["list", "search"].contains(word) {
            let rest = arguments.count > 1 ? arguments.dropFirst() : word == "search" ? ["QUERY"] : []
            let suggestion = (["gifplay --\(word)"] + rest).joined(separator: " ")
            throw .usage("\(word): no such command; did you mean '\(suggestion)'? \(otherwise)")
        }
        guard !word.contains(" ") else { return }
        guard arguments.count == 1 else {
            guard let name = nearest(to: word) else { return }
            let rest = arguments.dropFirst().joined(separator: " ")
            let suggestion = name == "search" ? "--search '\(rest)'" : "\(name) \(rest)"
            throw .usage("\(word): no such command; did you mean 'gifplay \(suggestion)'? \(otherwise)")
        }
        guard !names.contains(word) else { return try refuseMisplaced(in: commandLine) }
        // A word such as `cake` or `pay` resembles a short command by chance, and a GIF may show it.
        guard let name = near(word), name.count > 5, word != name + "s", SampleSearch().search(word).isEmpty else {
            return
        }
        throw .usage("\(word): no such command; did you mean 'gifplay \(name)'? \(otherwise)")
    }

    /// The command whose name has one mistake in this word, which other words follow. A shorter or longer word, such as
    /// `recorder`, and a short name are not mistakes.
    private static func nearest(to word: String) -> String? {
        (names + ["search"]).first { name in
            name.count > 5 && !word.hasPrefix(name) && !name.hasPrefix(word) && EditDistance.between(word, name) == 1
        }
    }

    /// Refuses words such as `- hat`, which the parser would read as the options -, -h, -a and -t.
    static func refusalOfWords(beginningWithHyphens arguments: [String]) -> CommandError? {
        let named = Array(arguments.prefix { $0 != "--" })
        let index = named.indices.first { index in
            named[index].hasPrefix("-") && named[index].prefix { $0 != "=" }.contains(" ")
                && (index == 0 || !named[index - 1].hasPrefix("-"))
        }
        return index.map { .usage("\(named[$0]): unknown option; to search for it: --search='\(named[$0])'") }
    }

    /// Refuses a subcommand that follows options, such as `--offline browse`.
    static func refuseMisplaced(in commandLine: [String]) throws(CommandError) {
        guard let index = commandLine.firstIndex(where: names.contains), index > 0,
            let play = try? PlayCommand.parse(Array(commandLine[..<index])), play.arguments.isEmpty
        else { return }
        let command = commandLine[index]
        let suggestion = [command] + commandLine[..<index] + commandLine[(index + 1)...]
        throw .usage(
            "\(command): a command precedes its options; did you mean 'gifplay \(suggestion.joined(separator: " "))'?")
    }
}
