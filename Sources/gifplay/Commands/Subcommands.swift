import Application
import Catalog

/// Detects search terms that are probably misspelt or misplaced subcommands.
enum Subcommands {
    static let names = Gifplay.configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]

    /// Returns the subcommand whose name is similar to a word; nil if there is none.
    static func near(_ word: String) -> String? { EditDistance.nearest(to: word, in: names) }

    /// Refuses a query of one word that looks like a subcommand, and a query that begins with `list` or `search`, which
    /// are subcommands of similar programs.
    /// - Parameter commandLine: all arguments of the process.
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
        guard arguments.count == 1, !word.contains(" ") else { return }
        guard !names.contains(word) else { return try refuseMisplaced(in: commandLine) }
        guard let name = near(word) else { return }
        throw .usage("\(word): no such command; did you mean 'gifplay \(name)'? \(otherwise)")
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
