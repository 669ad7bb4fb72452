import Application
import Catalog

/// Words that a user meant as a subcommand.
enum Subcommands {
    static let names = Gifplay.configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]

    /// The subcommand that a word differs from by a slip of the keyboard; nil where it is none or differs by more.
    ///
    /// Of names of four letters one slip counts, of longer ones two: "clap" and "hello" are search terms.
    static func near(_ word: String) -> String? {
        let distances = names.map { (distance: EditDistance.between(word.lowercased(), $0), name: $0) }
        return distances.filter { $0.distance <= ($0.name.count > 4 ? 2 : 1) }.min { $0 < $1 }?.name
    }

    /// Refuses a query of one word that looks like a misspelt subcommand.
    static func refuseMisspelt(_ words: [String]) throws {
        guard words.count == 1, let word = words.first, !word.contains(" "), let name = near(word) else { return }
        throw Complaint.usage(
            "\(word): no such command; did you mean 'gifplay \(name)'? To search for it: gifplay --search \(word)")
    }
}
