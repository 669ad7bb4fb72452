import ArgumentParser
import Catalog

/// Where GIFs are looked for and which of them is taken.
struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Ask this source alone: 'gifplay sources' names them.", valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("Play the n-th result, not the first that can be played.", valueName: "n"))
    var pick: PickValue?

    @Flag(help: "Play any of the results.")
    var randomPick = false

    @Flag(help: "List the results and play none.")
    var list = false

    @Flag(help: "With --list: JSON, one object a line.")
    var json = false

    @Option(help: ArgumentHelp("With --list: table, json, or url for addresses alone.", valueName: "how"))
    var format: ListFormat?

    @Option(
        help: ArgumentHelp("The strongest content that may come: g, pg, pg-13, r. (default: g)", valueName: "level"))
    var rating: RatingValue?

    @Option(help: ArgumentHelp("The language of the words, as two letters. (default: en)", valueName: "code"))
    var lang: String?

    @Flag(help: "Ask no service: play what is carried and cached. GIFPLAY_OFFLINE=1 does the same.")
    var offline = false

    @Option(help: ArgumentHelp("A file of certificates to trust in place of the system's.", valueName: "file"))
    var cacert: String?

    /// Which result is played.
    var choice: ResultChoice {
        if let pick { return .number(pick.number) }
        return randomPick ? .any : .first
    }
}

/// Which result of a search is played.
enum ResultChoice: Equatable, Sendable {
    /// The first that can be played.
    case first
    /// From 1; another is no substitute.
    case number(Int)
    case any
}

/// `1` and up.
struct PickValue: ExpressibleByArgument {
    let number: Int

    init?(argument: String) {
        guard let number = Int(argument), (1...10_000).contains(number) else { return nil }
        self.number = number
    }
}

/// `g`, `pg`, `pg-13`, `r`
struct RatingValue: ExpressibleByArgument {
    let rating: Rating

    init?(argument: String) {
        guard let rating = Rating(rawValue: argument.lowercased()) else { return nil }
        self.rating = rating
    }
}

/// How `--list` prints.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case url
}
