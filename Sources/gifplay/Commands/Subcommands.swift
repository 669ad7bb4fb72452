import Application
import Catalog

/// Detects search terms that are probably misspelt subcommands.
enum Subcommands {
    static let names = Gifplay.configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]

    /// Returns the subcommand whose name has a small edit distance to a word; nil if there is none.
    ///
    /// The maximum distance is 1 for names of up to four letters and 2 for longer names. Therefore "clap" and "hello",
    /// at a distance of 2 from "play" and "help", are search terms.
    static func near(_ word: String) -> String? {
        let distances = names.map { (distance: EditDistance.between(word.lowercased(), $0), name: $0) }
        return distances.filter { $0.distance <= ($0.name.count > 4 ? 2 : 1) }.min { $0 < $1 }?.name
    }

    /// Refuses a query of one word that looks like a misspelt subcommand.
    static func refuseMisspelt(_ arguments: [String]) throws {
        guard arguments.count == 1, let word = arguments.first, !word.contains(" "), let name = near(word)
        else { return }
        throw CommandError.usage(
            "\(word): no such command; did you mean 'gifplay \(name)'? To search for it: gifplay --search \(word)")
    }
}
